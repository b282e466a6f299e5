#pragma once

#include <c10/core/ScalarType.h>
#include <porter_compat/eager.h>

#include <optional>
#include <stdexcept>
#include <type_traits>

namespace at {
// extends
class Tensor {
  bool requires_grad() const { return compat_detail::requires_grad(tensor_); }
  const Tensor& set_requires_grad(bool requires_grad) const {
    if (requires_grad && c10::isIntegralType(scalar_type(), true)) {
      throw std::runtime_error("only Tensors of floating point dtype can require gradients");
    }
    if (!requires_grad && !is_leaf()) {
      throw std::runtime_error("you can only change requires_grad flags of leaf variables.");
    }
    compat_detail::set_requires_grad(const_cast<PaddleTensor&>(tensor_), requires_grad);
    return *this;
  }
  Tensor& requires_grad_(bool requires_grad = true) const {
    return const_cast<Tensor&>(set_requires_grad(requires_grad));
  }
  bool is_leaf() const { return !requires_grad() || egr::EagerUtils::IsLeafTensor(tensor_); }
  Tensor& mutable_grad() const {
    // A Tensor is nothing but Paddle's tensor.
    static_assert(sizeof(Tensor) == sizeof(PaddleTensor));
    egr::EagerUtils::autograd_meta(const_cast<PaddleTensor*>(&tensor_));
    return *reinterpret_cast<Tensor*>(egr::EagerUtils::mutable_grad(tensor_));
  }
  const Tensor& grad() const { return mutable_grad(); }
  // What computes the gradient, nothing for a leaf.
  std::shared_ptr<egr::GradNodeBase> grad_fn() const {
    return is_leaf() ? nullptr : egr::EagerUtils::grad_node(tensor_);
  }
  void backward(
      const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt,
      bool create_graph = false) const {
    if (create_graph) throw std::runtime_error("backward(create_graph=True): use autograd::grad");
    const auto given = compat_detail::gradients_of({tensor_}, {gradient._PD_GetInner()});
    egr::Backward({tensor_}, given, retain_graph.value_or(false), "");
  }
  // The hook gives another gradient or nothing.
  template <typename Hook>
  unsigned register_hook(Hook&& hook) const {
    auto call = [hook](const PaddleTensor& gradient) mutable {
      if constexpr (std::is_void_v<decltype(hook(Tensor(gradient)))>) {
        hook(Tensor(gradient));
        return gradient;
      } else {
        auto other = hook(Tensor(gradient));
        return other.defined() ? other._PD_GetInner() : gradient;
      }
    };
    return egr::egr_utils_api::RegisterGradientHookForTensor(tensor_, call);
  }
  void retain_grad() const { egr::egr_utils_api::RetainGradForTensor(tensor_); }
  int64_t _version() const { return const_cast<PaddleTensor&>(tensor_).current_inplace_version(); }
  Tensor& detach_() const {
    compat_detail::set_requires_grad(const_cast<PaddleTensor&>(tensor_), false);
    return const_cast<Tensor&>(*this);
  }
};
}  // namespace at
