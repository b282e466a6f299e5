// What libpaddle exports of its autograd engine, whose headers are not installed.
#pragma once

#include "paddle/phi/api/include/api.h"
#include "paddle/phi/api/include/tensor.h"
#include "paddle/utils/small_vector.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace egr {

class AutogradMeta;

// Gradients by slot: one slot an input or an output, with one tensor in it or none.
using Gradients = paddle::small_vector<std::vector<paddle::Tensor>, 15>;

// A step of the backward pass. The engine makes and reads what is in `storage_`, which is about
// twice as large as what it needs there; the virtual functions are in its order.
class GradNodeBase {
 public:
  GradNodeBase(size_t outputs, size_t inputs);
  GradNodeBase(const GradNodeBase& other);
  virtual ~GradNodeBase();
  virtual Gradients operator()(Gradients& grads, bool create_graph, bool is_new_grad) = 0;
  virtual void ClearTensorWrappers() = 0;
  virtual std::shared_ptr<GradNodeBase> Copy() const = 0;
  virtual std::string name();

  void SetGradInMeta(const paddle::Tensor& output, size_t slot);
  void SetGradOutMeta(const paddle::Tensor& input, size_t slot);
  Gradients ApplyGradientHooks(const Gradients& grads);

 private:
  alignas(16) char storage_[2048];
};

class EagerUtils {
 public:
  static AutogradMeta* autograd_meta(paddle::Tensor* tensor);
  static AutogradMeta* nullable_autograd_meta(const paddle::Tensor& tensor);
  static std::shared_ptr<GradNodeBase> grad_node(const paddle::Tensor& tensor);
  static paddle::Tensor* mutable_grad(const paddle::Tensor& tensor);
  static bool IsLeafTensor(const paddle::Tensor& tensor);
  static void SetHistory(AutogradMeta* meta, const std::shared_ptr<GradNodeBase>& node);
  static void SetOutRankWithSlot(AutogradMeta* meta, size_t slot);
  template <typename T, typename... Metas>
  static bool ComputeRequireGrad(T recording, Metas&&... metas);
};

// Sets stop_gradient.
struct PassStopGradientIter {
  void* table = nullptr;
  bool stop_gradient = true;
  void visit(AutogradMeta* meta);
};

void Backward(
    const std::vector<paddle::Tensor>& outputs, const std::vector<paddle::Tensor>& gradients,
    bool retain_graph, std::string dump_path);

std::vector<paddle::Tensor> Grad(
    const std::vector<paddle::Tensor>& outputs, const std::vector<paddle::Tensor>& inputs,
    const std::vector<paddle::Tensor>& gradients, bool retain_graph, bool create_graph,
    bool only_inputs, bool allow_unused, const std::vector<paddle::Tensor>& no_grad,
    std::string dump_path);

namespace egr_utils_api {

void RetainGradForTensor(const paddle::Tensor& tensor);

int64_t RegisterGradientHookForTensor(
    const paddle::Tensor& tensor,
    const std::function<paddle::Tensor(const paddle::Tensor&)>& hook);

}  // namespace egr_utils_api

}  // namespace egr

namespace paddle::imperative {

class Tracer {
 public:
  bool HasGrad() const;
  void SetHasGrad(bool recording);
};

const std::shared_ptr<Tracer>& GetCurrentTracer();

}  // namespace paddle::imperative

namespace at::compat_detail {

// Whether the engine records what is computed, in this thread.
inline bool recording() {
  const auto& tracer = paddle::imperative::GetCurrentTracer();
  return tracer && tracer->HasGrad();  // a thread of the project's own has none
}

inline void set_recording(bool recording) {
  paddle::imperative::GetCurrentTracer()->SetHasGrad(recording);
}

inline bool requires_grad(const paddle::Tensor& tensor) {
  auto* meta = egr::EagerUtils::nullable_autograd_meta(tensor);
  return egr::EagerUtils::ComputeRequireGrad(true, meta);
}

inline void set_requires_grad(paddle::Tensor& tensor, bool requires_grad) {
  egr::PassStopGradientIter setter{nullptr, !requires_grad};
  setter.visit(egr::EagerUtils::autograd_meta(&tensor));
}

// The gradients of outputs that are numbers are ones, the others have to be given.
inline std::vector<paddle::Tensor> gradients_of(
    const std::vector<paddle::Tensor>& outputs, std::vector<paddle::Tensor> given) {
  given.resize(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!requires_grad(outputs[i])) {
      throw std::runtime_error(
          "element " + std::to_string(i) + " of tensors does not require grad and does not have a "
          "grad_fn");
    }
    if (given[i].defined()) continue;
    if (outputs[i].numel() != 1) {
      throw std::runtime_error("grad can be implicitly created only for scalar outputs");
    }
    given[i] = paddle::experimental::full_like(outputs[i], 1, outputs[i].dtype());
  }
  return given;
}

}  // namespace at::compat_detail
