// MindSpore's runners in its build for a CPU, which has none of aclnn operators and no streams: both are those of the
// emulated NPU, in whose memory the tensors are while they run. Included before each source of a plugin.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "ms_extension/api.h"

struct aclTensor;
struct aclIntArray;
struct aclOpExecutor;

extern "C" {
// Of the library beside this header. A tensor's memory is copied from `data`, and back to it if it is written.
void *emulated_aclnn_function(const char *name);
aclTensor *emulated_aclnn_tensor(void *data, int type, int64_t bytes, const int64_t *sizes, const int64_t *strides,
                                 uint64_t count);
void emulated_aclnn_release(aclTensor *tensor, void *data, int64_t bytes, bool written);
int emulated_aclnn_run(void *function, uint64_t workspace, aclOpExecutor *executor);
// Calls `launch(runner)` and waits, with `count` places of memory that kernels may use meanwhile.
int emulated_aclnn_launch(void (*launch)(void *), void *runner, const std::pair<void *, size_t> *memory, size_t count);
void *emulated_aclnn_stream();
const char *emulated_aclnn_message();
aclIntArray *aclCreateIntArray(const int64_t *values, uint64_t count);
}

namespace ms::pynative {

// (number in the public table of data types, bytes)
inline std::pair<int, int64_t> EmulatedType(ms::TypeId type) {
    switch (type) {
        case ms::TypeId::kNumberTypeFloat32: return {0, 4};
        case ms::TypeId::kNumberTypeFloat16: return {1, 2};
        case ms::TypeId::kNumberTypeInt8: return {2, 1};
        case ms::TypeId::kNumberTypeInt32: return {3, 4};
        case ms::TypeId::kNumberTypeUInt8: return {4, 1};
        case ms::TypeId::kNumberTypeInt16: return {6, 2};
        case ms::TypeId::kNumberTypeInt64: return {9, 8};
        case ms::TypeId::kNumberTypeFloat64: return {11, 8};
        case ms::TypeId::kNumberTypeBool: return {12, 1};
        case ms::TypeId::kNumberTypeBFloat16: return {27, 2};
        default: throw std::runtime_error("the emulated NPU has no tensors of this type");
    }
}

// The arguments of one call, as aclnn functions take them.
inline int64_t EmulatedBytes(const ms::Tensor &tensor) {
    const auto shape = tensor.shape(), stride = tensor.stride();
    int64_t extent = tensor.numel() != 0;
    for (size_t k = 0; extent && k < shape.size(); ++k) extent += (shape[k] - 1) * stride[k];
    return extent * EmulatedType(tensor.data_type()).second;
}

class EmulatedCall {
  public:
    explicit EmulatedCall(const std::vector<ms::Tensor> &outputs) : outputs_(outputs) {}
    ~EmulatedCall() {
        for (const auto &[tensor, data, bytes, written] : held_) emulated_aclnn_release(tensor, data, bytes, written);
    }

    aclTensor *Convert(const ms::Tensor &tensor) {
        if (!tensor.is_defined()) return nullptr;
        const auto shape = tensor.shape(), stride = tensor.stride();
        const int64_t bytes = EmulatedBytes(tensor);
        void *data = bytes ? tensor.GetDataPtr() : nullptr;
        const bool written = std::any_of(outputs_.begin(), outputs_.end(), [&](const ms::Tensor &each) {
            return each.numel() && bytes && each.GetDataPtr() == data;
        });
        const int type = EmulatedType(tensor.data_type()).first;
        auto *made = emulated_aclnn_tensor(data, type, bytes, shape.data(), stride.data(), shape.size());
        held_.emplace_back(made, data, bytes, written);
        return made;
    }
    aclTensor *Convert(const std::optional<ms::Tensor> &tensor) { return tensor ? Convert(*tensor) : nullptr; }
    aclIntArray *Convert(const std::vector<int64_t> &values) { return aclCreateIntArray(values.data(), values.size()); }
    template <typename T>
    T Convert(const T &value) {
        static_assert(std::is_arithmetic_v<T>, "an argument that the emulated NPU does not take");
        return value;
    }

    template <typename... Given>
    void Run(const std::string &name, const Given &...given) {
        Plan(name, std::tuple{Convert(given)...}, std::index_sequence_for<Given...>());
    }

  private:
    template <typename... Taken, size_t... At>
    void Plan(const std::string &name, const std::tuple<Taken...> &taken, std::index_sequence<At...>) {
        void *run = emulated_aclnn_function(name.c_str());
        void *plan = emulated_aclnn_function((name + "GetWorkspaceSize").c_str());
        if (!run || !plan) throw std::runtime_error(name + " is not an operator of the emulated NPU or of a package");
        uint64_t workspace = 0;
        aclOpExecutor *executor = nullptr;
        const auto planned = reinterpret_cast<int (*)(Taken..., uint64_t *, aclOpExecutor **)>(plan);
        int error = planned(std::get<At>(taken)..., &workspace, &executor);
        if (!error) error = emulated_aclnn_run(run, workspace, executor);
        if (error) throw std::runtime_error(name + ": " + emulated_aclnn_message());
    }

    const std::vector<ms::Tensor> &outputs_;
    std::vector<std::tuple<aclTensor *, void *, int64_t, bool>> held_;
};

class AclnnOpRunner final : public PyboostRunner {
  public:
    using PyboostRunner::PyboostRunner;
    using AclnnLaunchFunc = std::function<void(const std::vector<ms::Tensor> &outputs)>;
    void SetLaunchFunc(const AclnnLaunchFunc &launch) { launch_ = launch; }
    void LaunchKernel() override { launch_(outputs()); }

  private:
    AclnnLaunchFunc launch_;
};

// What runners of a plugin derive from: with a stream, on which their tensors are memory of the NPU.
class EmulatedRunner : public PyboostRunner {
  public:
    using PyboostRunner::PyboostRunner;
    void LaunchKernel() final {
        std::vector<std::pair<void *, size_t>> memory;
        for (const auto *list : {&inputs(), &outputs()}) {
            for (const auto &each : *list) {
                const int64_t bytes = each.is_defined() ? EmulatedBytes(each) : 0;
                if (bytes) memory.emplace_back(each.GetDataPtr(), bytes);
            }
        }
        const auto launch = [](void *runner) { static_cast<EmulatedRunner *>(runner)->EmulatedLaunch(); };
        if (emulated_aclnn_launch(launch, this, memory.data(), memory.size()))
            throw std::runtime_error(op_name() + ": " + emulated_aclnn_message());
    }
    virtual void EmulatedLaunch() = 0;
    void *stream() { return emulated_aclnn_stream(); }
};

}  // namespace ms::pynative

// In what follows, these are of the emulated NPU.
#define PyboostRunner EmulatedRunner
#define LaunchKernel EmulatedLaunch
#define LAUNCH_ACLNN_FUNC(name, ...)                                                       \
    [given = std::tuple{__VA_ARGS__}](const std::vector<ms::Tensor> &outputs) {            \
        std::apply([&](const auto &...each) {                                              \
            ms::pynative::EmulatedCall(outputs).Run(#name, each...);                       \
        }, given);                                                                         \
    }
