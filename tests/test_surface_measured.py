"""The shipped surfaces say what was measured by hand on paddlepaddle 3.3.1."""

from __future__ import annotations

import pytest

from porter.model import State, Surface
from porter.surface.load import load, load_torch


def words(text: str) -> list[str]:
    return text.split()


MISSING = words(
    """
torch.cuda.device_of torch.float8_e8m0fnu torch.float4_e2m1fn_x2 torch.contiguous_format
torch.frombuffer torch.Tensor.record_stream torch.Tensor.untyped_storage
torch.Tensor.storage_offset torch.Tensor.clamp_min torch.Tensor.is_inference
torch.inference_mode torch.is_inference_mode_enabled torch.set_float32_matmul_precision
torch.use_deterministic_algorithms torch.set_num_threads torch.backends torch.compile
torch.compiler torch._dynamo torch.jit.script torch.library.get_ctx torch.library.Library
torch.library.opcheck torch.library.impl torch.autograd.function.FunctionCtx.saved_tensors
torch.autograd.function.FunctionCtx.needs_input_grad
torch.autograd.function.FunctionCtx.mark_dirty torch.amp.custom_fwd
torch.distributed.ProcessGroup torch.distributed.init_process_group
torch.distributed.all_gather_into_tensor torch.distributed.group.WORLD
torch.distributed._symmetric_memory torch.cuda.ExternalStream torch.cuda.CUDAGraph
torch.cuda.graph torch.cuda.default_stream torch.cuda.OutOfMemoryError torch.cuda.nvtx.range
torch.cuda.nccl torch.cuda._lazy_init torch.cuda.init torch.cuda.caching_allocator_alloc
torch.cuda.Stream.cuda_stream torch.cuda.Event.wait torch._C._cuda_getDevice torch.testing
torch.utils._pytree torch.torch_version torch.compiled_with_cxx11_abi
torch.utils.cmake_prefix_path torch.UntypedStorage torch.profiler.profile
torch.profiler.schedule torch.profiler.record_function
torch.utils.cpp_extension.load_inline torch.utils.cpp_extension.include_paths
torch.utils.cpp_extension.library_paths torch.utils.cpp_extension._find_cuda_home
torch.utils.cpp_extension.IS_HIP_EXTENSION torch.utils.cpp_extension.ROCM_HOME
torch.utils.cpp_extension.TORCH_LIB_PATH torch.utils.cpp_extension.COMMON_NVCC_FLAGS
torch.utils.cpp_extension.is_ninja_available
torch.utils.cpp_extension.verify_ninja_availability
torch.utils.cpp_extension.get_compiler_abi_compatibility_and_version
torch.clamp_min torch.empty_strided torch.Tensor.dim_order
"""
)
DIFFERENT = words(
    """
torch.device torch.equal torch.Tensor.equal torch.split torch.sort torch.Tensor.sort torch.max
torch.narrow torch.Tensor.narrow
torch.Tensor.max torch.Tensor.numel torch.empty_like torch.Tensor.stride torch.dtype
torch.__version__ torch.version.cuda torch.randint torch.pow torch.Size torch.rand
torch.library.custom_op torch.Tensor.as_strided torch.utils.cpp_extension.CppExtension
torch.autocast torch.finfo torch.iinfo
"""
)
WORKING = words(
    """
torch.utils.cpp_extension.BuildExtension torch.utils.cpp_extension.CUDA_HOME
torch.utils.cpp_extension.IS_WINDOWS torch._C._GLIBCXX_USE_CXX11_ABI
torch.utils.cpp_extension._get_cuda_arch_flags torch.library.register_fake
torch.ops.load_library torch.set_default_device torch.get_default_device torch.topk
torch.from_dlpack torch.Tensor.mT torch.Tensor.amax
torch.Tensor.data_ptr torch.Tensor.element_size torch.Tensor.is_cuda
torch.logsumexp
torch.Generator torch.manual_seed torch.from_numpy torch.no_grad
torch.set_grad_enabled torch.autograd.function.FunctionCtx.mark_non_differentiable
torch.autograd.function.FunctionCtx.set_materialize_grads torch.nn.Linear
torch.nn.functional.pad torch.nn.functional.softmax torch.cuda.device torch.cuda.stream
torch.cuda.StreamContext torch.cuda.set_device torch.cuda.synchronize torch.cuda.device_count
torch.cuda.current_device torch.cuda.get_device_properties torch.cuda.get_device_capability
torch.cuda.get_device_name torch.cuda.mem_get_info torch.cuda.memory_allocated
torch.cuda.empty_cache torch.cuda.is_current_stream_capturing torch.cuda.manual_seed_all
torch.cuda.Stream.wait_event torch.cuda.Stream.wait_stream torch.cuda.Stream.record_event
torch._C._cuda_getCurrentRawStream torch.distributed.all_reduce torch.distributed.all_gather
torch.distributed.broadcast torch.distributed.barrier torch.distributed.new_group
torch.distributed.get_rank torch.distributed.get_world_size torch.distributed.is_initialized
torch.distributed.reduce_scatter torch.distributed.ReduceOp torch.device.type
torch.device.index
"""
)
CPP_MEMBERS_MISSING = words(
    """
sum item mean max argmax sort cumsum abs expand flatten cpu cuda new_empty new_zeros eq unbind
chunk split select narrow t movedim as_strided repeat requires_grad detach storage
storage_offset is_same layout is_sparse is_floating_point sym_size add_ mul_
packed_accessor64 index_put_
"""
)
CPP_MEMBERS_WORKING = words(
    """
slice index index_select to toType permute view reshape transpose squeeze unsqueeze contiguous
clone copy_ fill_ zero_ accessor data_ptr const_data_ptr mutable_data_ptr size stride sizes
numel dim nbytes element_size scalar_type dtype device get_device is_cuda is_contiguous
defined options
"""
)
CPP_MISSING = words(
    """
at::tensor torch::tensor at::index_select torch::linspace torch::randn torch::rand_like
torch::full_like at::stack at::matmul at::where at::parallel_for at::globalContext c10::Storage
c10::List c10::Dict c10::intrusive_ptr at::TensorList at::OptionalTensorRef
c10::OptionalDeviceGuard c10::Scalar::toDouble c10::DeviceType::PrivateUse1
AT_ERROR TORCH_WARN TORCH_CHECK_VALUE TORCH_CHECK_NOT_IMPLEMENTED AT_CUDA_CHECK
C10_CUDA_KERNEL_LAUNCH_CHECK AT_DISPATCH_FLOATING_TYPES AT_DISPATCH_ALL_TYPES
c10::DispatchKey::BackendSelect c10::DispatchKey::Meta c10::DispatchKey::Autograd
c10::DispatchKey::CompositeExplicitAutograd c10::DispatchKey::PrivateUse1
<torch/torch.h> <torch/version.h> <ATen/Dispatch.h> c10::cuda::getStreamFromPool
c10::cuda::setCurrentCUDAStream c10::cuda::CUDAStreamGuard <c10/cuda/CUDACachingAllocator.h>
at::cuda::getCurrentCUDABlasLtHandle c10::cuda::CUDAStream::unwrap
"""
)
CPP_WORKING = words(
    """
at::full at::empty at::zeros at::ones at::empty_like at::zeros_like at::arange at::cat at::abs
at::empty_strided at::from_blob c10::optional c10::Half c10::BFloat16 c10::kFloat8_e4m3fn
c10::IntArrayRef c10::TensorOptions c10::cuda::CUDAGuard c10::cuda::OptionalCUDAGuard
TORCH_CHECK TORCH_CHECK_EQ TORCH_LIBRARY TORCH_LIBRARY_IMPL TORCH_LIBRARY_FRAGMENT
c10::DispatchKey::CPU c10::DispatchKey::CUDA c10::DeviceType::CUDA c10::DeviceType::CPU
<torch/extension.h> <torch/library.h> <torch/all.h> <ATen/ATen.h> <ATen/cuda/CUDAContext.h>
<c10/cuda/CUDAGuard.h> at::sum at::Tensor
"""
)


@pytest.fixture(scope="module")
def paddle() -> Surface:
    return load("paddle", "3.3.1")


def wrong(surface: Surface, names: list[str], *states: State) -> dict[str, str]:
    both = {**surface.python, **surface.cpp}
    found = {n: both[n].state.value if n in both else "not listed" for n in names}
    return {n: state for n, state in found.items() if state not in states}


def test_names_measured_as_missing_are_missing(paddle: Surface) -> None:
    assert wrong(paddle, MISSING, State.MISSING) == {}


def test_names_measured_as_silently_different_are_different(paddle: Surface) -> None:
    assert wrong(paddle, DIFFERENT, State.DIFFERENT) == {}


def test_names_measured_as_working_are_present(paddle: Surface) -> None:
    assert wrong(paddle, WORKING, State.PRESENT) == {}


def test_tensor_members_in_cpp_are_as_the_compiler_found_them(paddle: Surface) -> None:
    missing = [f"at::Tensor::{m}" for m in CPP_MEMBERS_MISSING]
    working = [f"at::Tensor::{m}" for m in CPP_MEMBERS_WORKING]
    assert wrong(paddle, missing, State.MISSING) == {}
    # a member of the target that torch keeps in TensorBase is listed there
    assert wrong(paddle, working, State.PRESENT) == {}


def test_cpp_names_macros_headers_and_keys_are_as_measured(paddle: Surface) -> None:
    assert wrong(paddle, CPP_MISSING, State.MISSING) == {}
    assert wrong(paddle, CPP_WORKING, State.PRESENT) == {}


def test_everything_torch_offers_has_a_state(paddle: Surface) -> None:
    torch = load_torch()
    assert torch.python.keys() <= paddle.python.keys()
    assert torch.cpp.keys() <= paddle.cpp.keys()
