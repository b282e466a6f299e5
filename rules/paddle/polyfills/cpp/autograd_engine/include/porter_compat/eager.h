// What libpaddle exports of its autograd engine, whose headers are not installed.
#pragma once

#include "paddle/phi/api/include/tensor.h"
#include "paddle/utils/small_vector.h"

#include <memory>
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

namespace egr_utils_api {

void RetainGradForTensor(const paddle::Tensor& tensor);

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
inline bool recording() { return paddle::imperative::GetCurrentTracer()->HasGrad(); }

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

}  // namespace at::compat_detail
