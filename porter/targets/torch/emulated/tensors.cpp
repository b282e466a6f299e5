// Operators on CUDA tensors: the CPU's, on tensors that share the same memory.
#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/stack.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/EmptyTensor.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <torch/library.h>

#include <unordered_map>

namespace at::detail {

using c10::cuda::CUDACachingAllocator::get;
constexpr c10::DispatchKeySet cuda_key(c10::DispatchKey::CUDA);

static void check(std::optional<Device> device) {
    TORCH_CHECK(!device || !device->has_index() || device->index() == 0, "CUDA error: invalid device ordinal");
}
TensorBase empty_cuda(IntArrayRef size, ScalarType dtype, std::optional<Device> device,
                      std::optional<c10::MemoryFormat> format) {
    check(device);
    return empty_generic(size, get(), cuda_key, dtype, format);
}
TensorBase empty_cuda(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>,
                      std::optional<Device> device, std::optional<bool> pinned,
                      std::optional<c10::MemoryFormat> format) {
    TORCH_CHECK(!pinned || !*pinned, "Only dense CPU tensors can be pinned");
    return empty_cuda(size, dtype_or_default(dtype), device, format);
}
TensorBase empty_cuda(IntArrayRef size, const TensorOptions &options) {
    return empty_cuda(size, dtype_or_default(optTypeMetaToScalarType(options.dtype_opt())), options.device_opt(),
                      options.memory_format_opt());
}
TensorBase empty_strided_cuda(IntArrayRef size, IntArrayRef stride, ScalarType dtype, std::optional<Device> device) {
    check(device);
    return empty_strided_generic(size, stride, get(), cuda_key, dtype);
}
TensorBase empty_strided_cuda(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                              std::optional<Layout>, std::optional<Device> device, std::optional<bool> pinned) {
    TORCH_CHECK(!pinned || !*pinned, "Only dense CPU tensors can be pinned");
    return empty_strided_cuda(size, stride, dtype_or_default(dtype), device);
}
TensorBase empty_strided_cuda(IntArrayRef size, IntArrayRef stride, const TensorOptions &options) {
    return empty_strided_cuda(size, stride, dtype_or_default(optTypeMetaToScalarType(options.dtype_opt())),
                              options.device_opt());
}

}  // namespace at::detail

namespace {

using at::Tensor;
using c10::IValue;
using c10::Storage;
using c10::StorageImpl;

// Memory that a CPU operator made, as a CUDA tensor holds it; the checker knows it while it lives.
struct Held {
    at::DataPtr data;
    ~Held() { emulated_remove_memory(data.get()); }
    static void freed(void *held) { delete static_cast<Held *>(held); }
};

at::DataPtr as_cuda(at::DataPtr data, size_t bytes, const char *name) {
    void *p = data.get();
    if (!p) return {nullptr, c10::Device(c10::kCUDA, 0)};
    emulated_add_memory(p, bytes, name);
    return {p, new Held{std::move(data)}, [](void *held) { emulated_when_idle(&Held::freed, held); },
            c10::Device(c10::kCUDA, 0)};
}

// Where real CUDA takes tensors of the CPU beside its own, of any shape.
bool takes_cpu(const std::string &name) {
    static const char *const those[] = {"aten::index", "aten::_index", "aten::copy_", "aten::_copy",
                                        "aten::_pack_padded", "aten::set_", "aten::tensor_split",
                                        "aten::_pad_packed", "aten::segment_reduce"};
    for (const char *each : those)
        if (name.rfind(each, 0) == 0) return true;
    return false;
}

// One call: CUDA tensors as CPU ones, and the results back.
class Call {
  public:
    explicit Call(const c10::OperatorHandle &op) : op_(op), name_(op.schema().name()), mixed_(takes_cpu(name_)) {}

    IValue to_cpu(const IValue &value, const c10::Argument &argument) {
        if (value.isTensor()) return twin(value.toTensor());
        if (value.isDevice()) {
            if (value.toDevice().is_cpu()) to_cpu_ = true;
            return value.toDevice().is_cuda() ? IValue(c10::Device(c10::kCPU)) : value;
        }
        if (value.isTensorList()) {
            std::vector<Tensor> twins;
            for (const Tensor &each : value.toTensorVector()) twins.push_back(twin(each));
            return twins;
        }
        if (value.isList() && value.toListRef().size() && has_tensors(value)) {
            auto list = value.toList().copy();
            for (size_t k = 0; k < list.size(); ++k) {
                const IValue each = list.get(k);
                if (each.isTensor()) list.set(k, twin(each.toTensor()));
            }
            return list;
        }
        if (value.isStorage()) return twin(value.toStorage());
        if (argument.name() == "generator") return generator(value);
        return value;
    }

    IValue to_cuda(const IValue &value) {
        if (value.isTensor()) return result(value.toTensor());
        if (value.isTensorList()) {
            std::vector<Tensor> results;
            for (const Tensor &each : value.toTensorVector()) results.push_back(result(each));
            return results;
        }
        return value;
    }

    // What the operator did to its arguments: sizes, and storages that were exchanged or grew.
    void write_back() {
        for (auto &[cuda, cpu] : storages_) {
            Storage own = cpu.own;
            StorageImpl *impl = cpu.twin.unsafeGetStorageImpl();
            if (impl->data() != own.data()) {
                const size_t bytes = impl->nbytes();
                own.set_data_ptr_noswap(as_cuda(impl->set_data_ptr(at::DataPtr()), bytes, name_.c_str()));
                impl->set_data_ptr_noswap(at::DataPtr(own.mutable_data(), c10::Device(c10::kCPU)));
            }
            if (impl->nbytes() != own.nbytes()) own.unsafeGetStorageImpl()->set_nbytes(impl->nbytes());
        }
        for (auto &[own, cpu] : tensors_) {
            auto *impl = own.unsafeGetTensorImpl();
            if (!own.has_storage()) continue;
            const Storage mapped = storage(cpu.storage());
            if (mapped.unsafeGetStorageImpl() != own.storage().unsafeGetStorageImpl())
                impl->set_storage_keep_dtype(mapped);
            if (own.sizes() != cpu.sizes() || own.strides() != cpu.strides() ||
                own.storage_offset() != cpu.storage_offset())
                impl->set_sizes_and_strides(cpu.sizes(), cpu.strides(), cpu.storage_offset());
        }
    }

  private:
    struct Pair {
        Storage own, twin;
    };

    static bool has_tensors(const IValue &value) {
        for (const IValue &each : value.toListRef())
            if (each.isTensor()) return true;
        return false;
    }

    Storage twin(const Storage &own) {
        if (own.device().is_cpu()) return own;
        const auto [found, added] = storages_.try_emplace(own.unsafeGetStorageImpl());
        if (added) {
            // The argument outlives the call, so the twin need not hold its memory.
            at::DataPtr data(own.mutable_data(), c10::Device(c10::kCPU));
            Storage made(c10::make_intrusive<StorageImpl>(c10::StorageImpl::use_byte_size_t(), own.nbytes(),
                                                          std::move(data), c10::GetAllocator(c10::kCPU), true));
            owners_[made.unsafeGetStorageImpl()] = own;
            found->second = {own, made};
        }
        return found->second.twin;
    }

    Tensor twin(const Tensor &own) {
        if (!own.defined() || !own.is_cuda()) {
            TORCH_CHECK(!own.defined() || !own.is_cpu() || own.dim() == 0 || mixed_,
                        "Expected all tensors to be on the same device, but found at least two devices, "
                        "cuda:0 and cpu! (in ", name_, ")");
            return own;
        }
        for (auto &[other, cpu] : tensors_)
            if (other.is_same(own)) return cpu;
        Tensor made = tensor(own, twin(own.storage()), c10::DispatchKey::CPU);
        tensors_.emplace_back(own, made);
        return made;
    }

    static Tensor tensor(const Tensor &like, const Storage &storage, c10::DispatchKey key) {
        Tensor made = at::detail::make_tensor<c10::TensorImpl>(Storage(storage), c10::DispatchKeySet(key), like.dtype());
        auto *impl = made.unsafeGetTensorImpl();
        impl->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
        if (like.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
        made._set_conj(like.is_conj());
        made._set_neg(like.is_neg());
        return made;
    }

    // The CUDA storage of a storage that the CPU operator used or made.
    Storage storage(const Storage &cpu) {
        StorageImpl *impl = cpu.unsafeGetStorageImpl();
        const auto [found, added] = owners_.try_emplace(impl);
        if (added) {
            kept_.push_back(cpu);  // its address is a key here
            Storage made(c10::make_intrusive<StorageImpl>(
                c10::StorageImpl::use_byte_size_t(), cpu.nbytes(),
                as_cuda(at::DataPtr(cpu.mutable_data(), new Storage(cpu),
                                    [](void *held) { delete static_cast<Storage *>(held); }, c10::Device(c10::kCPU)),
                        cpu.nbytes(), name_.c_str()),
                c10::GetAllocator(c10::kCUDA), true));
            found->second = made;
        }
        return found->second;
    }

    Tensor result(const Tensor &cpu) {
        if (!cpu.defined() || !cpu.is_cpu() || !cpu.has_storage()) return cpu;
        for (auto &[own, twin] : tensors_)
            if (twin.is_same(cpu)) return own;
        if (to_cpu_ || (mixed_ && tensors_.size() && was_argument(cpu))) return cpu;
        return tensor(cpu, storage(cpu.storage()), c10::DispatchKey::CUDA);
    }

    bool was_argument(const Tensor &cpu) { return name_ == "aten::copy_" && !owners_.count(cpu.storage().unsafeGetStorageImpl()); }

    // CPU operators take numbers from a generator of the CPU: one for each call, by the seed and
    // the offset of the CUDA generator, which goes on.
    static IValue generator(const IValue &value) {
        at::Generator own = value.isNone() ? at::cuda::detail::getDefaultCUDAGenerator() : value.toGenerator();
        if (own.device().is_cpu()) return own;
        std::lock_guard<std::mutex> held(own.mutex());
        const auto [seed, offset] = at::check_generator<at::CUDAGeneratorImpl>(own)->philox_engine_inputs(4);
        return at::detail::createCPUGenerator(seed * 6364136223846793005u + offset);
    }

    const c10::OperatorHandle &op_;
    const std::string name_;
    const bool mixed_;
    bool to_cpu_ = false;  // the results are asked for on the CPU
    std::unordered_map<StorageImpl *, Pair> storages_;  // by the CUDA one
    std::unordered_map<StorageImpl *, Storage> owners_;  // by the CPU one
    std::vector<std::pair<Tensor, Tensor>> tensors_;     // CUDA, CPU
    std::vector<Storage> kept_;
};

// Only torch's own operators: one of an extension has a kernel for CUDA, or it cannot be called.
void on_cpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
    const std::string &name = op.schema().name();
    TORCH_CHECK_NOT_IMPLEMENTED(
        name.rfind("aten::", 0) == 0 && op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU), "Could not run '",
        name, "' with arguments from the 'CUDA' backend: it has no kernel for it here (CUDA is emulated).");
    const auto &arguments = op.schema().arguments();
    const size_t first = stack->size() - arguments.size();
    emulated_wait(c10::cuda::getCurrentCUDAStream().stream());
    Call call(op);
    for (size_t k = 0; k < arguments.size(); ++k) (*stack)[first + k] = call.to_cpu((*stack)[first + k], arguments[k]);
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    call.write_back();
    const size_t results = op.schema().returns().size();
    for (size_t k = stack->size() - results; k < stack->size(); ++k) (*stack)[k] = call.to_cuda((*stack)[k]);
}

Tensor empty(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
             std::optional<c10::Device> device, std::optional<bool> pinned, std::optional<c10::MemoryFormat> format) {
    return Tensor(at::detail::empty_cuda(size, dtype, layout, device, pinned, format));
}

Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                     std::optional<c10::Layout> layout, std::optional<c10::Device> device, std::optional<bool> pinned) {
    return Tensor(at::detail::empty_strided_cuda(size, stride, dtype, layout, device, pinned));
}

}  // namespace

TORCH_LIBRARY_IMPL(_, CUDA, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&on_cpu>()); }

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
    m.impl("empty.memory_format", &empty);
    m.impl("empty_strided", &empty_strided);
    m.impl("record_stream", [](Tensor &, c10::Stream) {});  // freed when no stream has work
    // Composite, but with a kernel by device inside.
    m.impl("copy_", torch::CppFunction::makeFromBoxedFunction<&on_cpu>());
}
