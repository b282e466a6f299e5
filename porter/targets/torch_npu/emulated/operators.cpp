// torch's operators on NPU tensors: the CPU's, on tensors that share the same memory, in place of
// torch_npu's own, which call CANN's. What moves data between devices, makes tensors or views of them
// stays torch_npu's.
#include <ATen/EmptyTensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/matmul_native.h>
#include <torch/library.h>

#include <cstring>
#include <unordered_map>

#include "torch_npu/csrc/aten/NPUGeneratorImpl.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

extern "C" void emulated_ascend_wait(void *stream);
extern "C" void emulated_ascend_count(const char *kind, const char *name);

namespace {

using at::Tensor;
using c10::IValue;
constexpr auto npu = c10::DeviceType::PrivateUse1;
constexpr auto npu_key = c10::DispatchKey::PrivateUse1;

// What was put into the current stream, through torch_npu's own queue.
void wait() { emulated_ascend_wait(c10_npu::getCurrentNPUStream().stream()); }

// Where a real NPU takes tensors of the CPU beside its own, of any shape.
bool takes_cpu(const std::string &name) {
    for (const char *each : {"aten::index", "aten::_index", "aten::_unsafe_index", "aten::copy_", "aten::_pack_padded",
                             "aten::tensor_split", "aten::_pad_packed", "aten::segment_reduce"})
        if (name.rfind(each, 0) == 0) return true;
    return false;
}

// A CPU tensor of the same memory, which the argument keeps; an operator may give it other memory.
Tensor shared(const Tensor &own) {
    at::DataPtr data(own.data_ptr(), c10::Device(c10::kCPU));
    const size_t bytes = at::detail::computeStorageNbytes(own.sizes(), own.strides(), own.itemsize());
    c10::Storage storage(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                               c10::GetAllocator(c10::kCPU), true));
    Tensor made = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                           own.dtype());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(own.sizes(), own.strides());
    made._set_conj(own.is_conj());
    made._set_neg(own.is_neg());
    return made;
}

// One call: NPU tensors as CPU ones, and the results back.
class Call {
  public:
    explicit Call(const c10::OperatorHandle &op) : name_(op.schema().name()), mixed_(takes_cpu(name_)) {}

    IValue to_cpu(const IValue &value, const c10::Argument &argument) {
        if (value.isTensor()) return twin(value.toTensor());
        if (value.isDevice()) {
            const auto device = value.toDevice();
            to_cpu_ |= device.is_cpu();
            to_npu_ |= device.type() == npu;
            return device.type() == npu ? IValue(c10::Device(c10::kCPU)) : value;
        }
        if (value.isTensorList()) {
            std::vector<Tensor> twins;
            for (const Tensor &each : value.toTensorVector()) twins.push_back(twin(each));
            return twins;
        }
        if (value.isList()) {
            auto list = value.toList().copy();
            for (size_t k = 0; k < list.size(); ++k) {
                const IValue each = list.get(k);
                if (each.isTensor()) list.set(k, twin(each.toTensor()));
            }
            return list;
        }
        if (argument.name() == "generator") return generator(value);
        if (argument.name() == "pin_memory") return IValue();
        return value;
    }

    IValue to_npu(const IValue &value) {
        if (value.isTensor()) return result(value.toTensor());
        if (value.isTensorList()) {
            std::vector<Tensor> results;
            for (const Tensor &each : value.toTensorVector()) results.push_back(result(each));
            return results;
        }
        return value;
    }

    // Arguments that the operator gave another size: outputs that grew.
    void write_back() {
        for (auto &[own, cpu] : tensors_) {
            if (own.sizes() == cpu.sizes() && own.strides() == cpu.strides()) continue;
            own.resize_(cpu.sizes());
            if (own.strides() != cpu.strides()) own.unsafeGetTensorImpl()->set_sizes_and_strides(cpu.sizes(), cpu.strides());
            if (cpu.data_ptr() != own.data_ptr()) copy(own, cpu);
        }
    }

  private:
    Tensor twin(const Tensor &own) {
        if (!own.defined() || own.device().type() != npu) {
            TORCH_CHECK(!own.defined() || !own.is_cpu() || own.dim() == 0 || mixed_,
                        "Expected all tensors to be on the same device, but found at least two devices, "
                        "npu:0 and cpu! (in ", name_, ")");
            return own;
        }
        for (auto &[other, cpu] : tensors_)
            if (other.is_same(own)) return cpu;
        Tensor made = shared(own);
        if (own.unsafeGetTensorImpl()->is_wrapped_number()) made.unsafeGetTensorImpl()->set_wrapped_number(true);
        tensors_.emplace_back(own, made);
        return made;
    }

    static void copy(const Tensor &to, const Tensor &from) {
        const size_t bytes = at::detail::computeStorageNbytes(from.sizes(), from.strides(), from.itemsize());
        if (from.numel()) std::memcpy(to.data_ptr(), from.data_ptr(), bytes);
    }

    Tensor result(const Tensor &cpu) {
        if (!cpu.defined() || !cpu.is_cpu() || !cpu.has_storage()) return cpu;
        for (auto &[own, twin] : tensors_)
            if (twin.is_same(cpu)) return own;
        if (to_cpu_ || !(tensors_.size() || to_npu_)) return cpu;
        for (auto &[own, twin] : tensors_)  // a view of an argument
            if (twin.storage().is_alias_of(cpu.storage())) {
                const auto offset = cpu.storage_offset() - twin.storage_offset() + own.storage_offset();
                Tensor view = at::as_strided(own, cpu.sizes(), cpu.strides(), offset);
                view._set_conj(cpu.is_conj());
                view._set_neg(cpu.is_neg());
                return view;
            }
        const Tensor dense = cpu.is_non_overlapping_and_dense() ? cpu.resolve_conj().resolve_neg() : cpu.contiguous();
        Tensor made = at::empty_strided(dense.sizes(), dense.strides(), dense.options().device(npu));
        copy(made, dense);
        if (cpu.unsafeGetTensorImpl()->is_wrapped_number()) made.unsafeGetTensorImpl()->set_wrapped_number(true);
        return made;
    }

    // CPU operators take numbers from a generator of the CPU: one for each call, by the seed and
    // the offset of the NPU's generator, which goes on.
    static IValue generator(const IValue &value) {
        at::Generator own = value.isNone() ? at_npu::detail::getDefaultNPUGenerator() : value.toGenerator();
        if (own.device().is_cpu()) return own;
        std::lock_guard<std::mutex> held(own.mutex());
        const uint64_t offset = own.unsafeGetGeneratorImpl()->get_offset();
        own.unsafeGetGeneratorImpl()->set_offset(offset + 4);
        return at::detail::createCPUGenerator(own.current_seed() * 6364136223846793005u + offset);
    }

    const std::string name_;
    const bool mixed_;
    bool to_cpu_ = false, to_npu_ = false;  // where the results are asked for
    std::vector<std::pair<Tensor, Tensor>> tensors_;  // NPU, CPU
};

void on_cpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
    const auto &arguments = op.schema().arguments();
    const size_t first = stack->size() - arguments.size();
    emulated_ascend_count("cpu", op.schema().name().c_str());
    wait();
    Call call(op);
    for (size_t k = 0; k < arguments.size(); ++k) (*stack)[first + k] = call.to_cpu((*stack)[first + k], arguments[k]);
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    call.write_back();
    const size_t results = op.schema().returns().size();
    for (size_t k = stack->size() - results; k < stack->size(); ++k) (*stack)[k] = call.to_npu((*stack)[k]);
}

// torch_npu's own copies go between devices; on the NPU and between types the CPU copies.
const c10::SafeKernelFunction *own_copy;

void copy_(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
    const Tensor to = (*stack)[stack->size() - 3].toTensor(), from = (*stack)[stack->size() - 2].toTensor();
    const bool crosses = to.device().type() != from.device().type();
    const bool plain = to.dtype() == from.dtype() && to.sizes() == from.sizes() && to.is_contiguous() &&
                       from.is_contiguous() && !from.is_conj() && !from.is_neg() && !to.is_conj() && !to.is_neg();
    if (crosses && plain) return own_copy->callBoxed(op, c10::DispatchKeySet(npu_key), stack);
    if (!crosses) return on_cpu(op, stack);
    wait();
    (to.is_cpu() ? to : shared(to)).copy_(from.is_cpu() ? from : shared(from));
    stack->resize(stack->size() - 3);
    stack->emplace_back(to);
}

// Stay torch_npu's: they make tensors, or do not look at what is in them.
bool stays(const c10::OperatorHandle &op) {
    static const char *const beginnings[] = {
        "aten::empty", "aten::new_empty", "aten::_empty", "aten::set_", "aten::resize_", "aten::_resize", "aten::_copy_from",
        "aten::view", "aten::as_strided", "aten::_reshape_alias", "aten::_local_scalar_dense", "aten::record_stream",
        "aten::is_pinned", "aten::_pin_memory", "aten::pin_memory", "aten::is_set_to", "aten::_efficientzerotensor",
        "aten::_lazy_clone", "aten::lift", "aten::copy_", "aten::_to_copy", "aten::_has_compatible", "aten::_fused_sdp_choice",
        "aten::retain_grad", "aten::set_data", "aten::_nested", "aten::sparse", "aten::_sparse", "aten::to_sparse"};
    const std::string &name = op.schema().name();
    for (const char *each : beginnings)
        if (name.rfind(each, 0) == 0) return true;
    for (const auto &result : op.schema().returns())  // a view
        if (result.alias_info() && !result.alias_info()->isWrite()) return true;
    return false;
}

}  // namespace

// Called once torch_npu is there: its kernels are replaced by these.
extern "C" __attribute__((visibility("default"))) int emulated_ascend_operators() {
    auto &dispatcher = c10::Dispatcher::singleton();
    static torch::Library library(torch::Library::IMPL, "aten", npu_key, __FILE__, __LINE__);
    const auto copy = dispatcher.findSchemaOrThrow("aten::copy_", "");
    own_copy = new c10::SafeKernelFunction(copy.getComputedKernelForDispatchKey(npu_key));
    int replaced = 0;
    for (const auto &each : dispatcher.getAllOpNames()) {
        if (each.name.rfind("aten::", 0) != 0) continue;
        const auto op = dispatcher.findSchema(each);
        if (!op || !op->hasSchema() || stays(*op)) continue;
        const bool own = op->hasKernelForDispatchKey(npu_key) || op->hasKernelForDispatchKey(c10::DispatchKey::CPU);
        if (!own || !op->hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) continue;
        const std::string name = each.name.substr(6) + (each.overload_name.empty() ? "" : "." + each.overload_name);
        library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&on_cpu>());
        ++replaced;
    }
    // torch_npu's own has a backward that there is none of on the CPU; torch's is made of others.
    static torch::Library derived(torch::Library::IMPL, "aten", c10::DispatchKey::AutogradPrivateUse1, __FILE__, __LINE__);
    derived.impl("matmul", TORCH_FN(at::native::matmul));
    library.impl("copy_", torch::CppFunction::makeFromBoxedFunction<&copy_>());
    library.impl("_to_copy", TORCH_FN(at::native::_to_copy));
    return replaced;
}
