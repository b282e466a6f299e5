#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/ivalue.h>
#include <porter_compat/eager.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include "paddle/common/enforce.h"
#include "paddle/common/errors.h"
#include "paddle/phi/api/include/api.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch::autograd::compat_detail {

using at::compat_detail::recording;

using at::compat_detail::requires_grad;

// Within its scope the engine records, or does not.
struct Recording {
  explicit Recording(bool on) { at::compat_detail::set_recording(on); }
  ~Recording() { at::compat_detail::set_recording(before); }
  const bool before = recording();
};

inline bool contains(const variable_list& list, const at::Tensor& tensor) {
  return tensor.defined() && std::any_of(list.begin(), list.end(), [&](const at::Tensor& other) {
           return tensor._PD_GetInner().impl() == other._PD_GetInner().impl();
         });
}

// Makes a tensor an output of a node.
inline void set_history(
    paddle::Tensor& tensor, const std::shared_ptr<egr::GradNodeBase>& node, size_t slot) {
  auto* meta = egr::EagerUtils::autograd_meta(&tensor);
  at::compat_detail::set_requires_grad(tensor, true);
  egr::EagerUtils::SetOutRankWithSlot(meta, slot);
  egr::EagerUtils::SetHistory(meta, node);
}

// The same data without what computed it; or as output `slot` of a node.
inline at::Tensor alias(
    const at::Tensor& tensor, const std::shared_ptr<egr::GradNodeBase>& node = nullptr,
    size_t slot = 0) {
  paddle::Tensor made;
  made.set_impl(tensor._PD_GetInner().impl());
  if (node) set_history(made, node, slot);
  return at::Tensor(made);
}

// Shape, dtype and place of a tensor.
struct Metadata {
  explicit Metadata(const paddle::Tensor& tensor)
      : shape(tensor.shape()), dtype(tensor.dtype()), place(tensor.place()) {}
  paddle::Tensor zeros() const { return paddle::experimental::zeros(shape, dtype, place); }
  std::vector<int64_t> shape;
  phi::DataType dtype;
  phi::Place place;
};

// A gradient as the tensor that it belongs to has to have it: broadcast dimensions summed.
inline paddle::Tensor fitted(paddle::Tensor gradient, const Metadata& wanted, size_t position) {
  const auto shape = gradient.shape();
  const int64_t count = shape.size(), added = count - static_cast<int64_t>(wanted.shape.size());
  std::vector<int64_t> summed;
  bool fits = added >= 0;
  for (int64_t i = 0; fits && i < count; ++i) {
    const auto size = i < added ? 1 : wanted.shape[i - added];
    if (i < added || (size == 1 && shape[i] != 1)) summed.push_back(i);
    fits = size == 1 || size == shape[i];
  }
  if (!fits) {
    throw std::runtime_error("Function returned an invalid gradient at index " +
                             std::to_string(position) + ": its shape is not that of the input");
  }
  if (!summed.empty()) {
    gradient = paddle::recorded::sum(gradient, summed, gradient.dtype(), false);
    gradient = paddle::recorded::reshape(gradient, wanted.shape);
  }
  return gradient.dtype() == wanted.dtype ? gradient
                                          : paddle::recorded::cast(gradient, wanted.dtype);
}

// The exception being handled, as one that the engine hands to Python: others end the process.
[[noreturn]] inline void rethrow() {
  try {
    throw;
  } catch (const common::enforce::EnforceNotMet&) {
    throw;
  } catch (const std::out_of_range& error) {
    PADDLE_THROW(common::errors::OutOfRange("%s", error.what()));
  } catch (const std::invalid_argument& error) {
    PADDLE_THROW(common::errors::InvalidArgument("%s", error.what()));
  } catch (const std::exception& error) {
    PADDLE_THROW(common::errors::PreconditionNotMet("%s", error.what()));
  }
}

}  // namespace torch::autograd::compat_detail

namespace torch::autograd {

// What a forward pass leaves for its backward pass.
class AutogradContext {
 public:
  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  void mark_dirty(const variable_list& inputs) { dirty_ = inputs; }
  void mark_non_differentiable(const variable_list& outputs) { non_differentiable_ = outputs; }
  void set_materialize_grads(bool value) { materialize_ = value; }
  bool needs_input_grad(size_t index) const { return needs_.at(index); }
  variable_list get_saved_variables() const {
    variable_list found;
    for (const auto& saved : saved_) {
      if (released_) {
        throw std::runtime_error(
            "Trying to backward through the graph a second time (or directly access saved tensors "
            "after they have already been freed). Specify retain_graph=True.");
      }
      auto inner = saved.tensor._PD_GetInner();
      if (inner.defined() && inner.current_inplace_version() != saved.version) {
        throw std::runtime_error(
            "one of the variables needed for gradient computation has been modified by an inplace "
            "operation");
      }
      const auto node = saved.slot ? node_.lock() : nullptr;
      found.push_back(node ? compat_detail::alias(saved.tensor, node, *saved.slot) : saved.tensor);
    }
    return found;
  }
  std::unordered_map<std::string, IValue> saved_data;

 private:
  // An output, known by its slot, is saved without its history, which leads to this again.
  struct Saved {
    at::Tensor tensor;
    std::optional<size_t> slot;
    uint32_t version;
  };
  variable_list to_save_, dirty_, non_differentiable_;
  std::vector<Saved> saved_;
  std::vector<bool> needs_;
  std::weak_ptr<egr::GradNodeBase> node_;
  bool materialize_ = true, released_ = false;
  friend struct FunctionNode;
  friend struct FunctionCall;
};

using Backward = std::function<variable_list(AutogradContext*, variable_list)>;

// One call of a Function: its arguments, those that are tensors, and what becomes of its results.
struct FunctionCall {
  void add(const at::Tensor& tensor) {
    is_variable.push_back(true);
    inputs.push_back(tensor);
  }
  void add(const c10::ArrayRef<at::Tensor>& tensors) {
    for (const auto& tensor : tensors) add(tensor);
  }
  void add(const std::optional<at::Tensor>& tensor) {
    tensor && tensor->defined() ? add(*tensor) : is_variable.push_back(false);
  }
  template <typename T>
  void add(const T&) {
    is_variable.push_back(false);
  }
  bool recorded() const {
    return compat_detail::recording() && std::any_of(inputs.begin(), inputs.end(), needs_grad);
  }
  static bool needs_grad(const at::Tensor& x) {
    return x.defined() && compat_detail::requires_grad(x._PD_GetInner());
  }
  bool differentiable(const at::Tensor& output) const {
    return output.defined() && !c10::isIntegralType(output.scalar_type(), true) &&
           !compat_detail::contains(context->non_differentiable_, output);
  }
  void finish(variable_list& outputs, bool recorded, Backward backward);

  std::shared_ptr<AutogradContext> context = std::make_shared<AutogradContext>();
  std::vector<bool> is_variable;
  variable_list inputs;
};

// The backward pass of a Function in Paddle's graph; slots are its results, and its tensors.
struct FunctionNode : egr::GradNodeBase {
  FunctionNode(size_t outputs, const FunctionCall& call, Backward backward)
      : egr::GradNodeBase(outputs, call.inputs.size()),
        context(call.context),
        is_variable(call.is_variable),
        backward(std::move(backward)) {}
  std::string name() override { return "CppNode"; }
  std::shared_ptr<egr::GradNodeBase> Copy() const override {
    return std::make_shared<FunctionNode>(*this);
  }
  void ClearTensorWrappers() override {
    context->released_ = true;
    for (auto& saved : context->saved_) saved.tensor = at::Tensor();
  }
  egr::Gradients operator()(egr::Gradients& gradients, bool create_graph, bool) override {
    try {
      return run(ApplyGradientHooks(gradients), create_graph);
    } catch (...) {
      compat_detail::rethrow();
    }
  }

  egr::Gradients run(const egr::Gradients& given, bool create_graph) {
    variable_list arguments;
    for (size_t i = 0; i < outputs.size(); ++i) {
      auto gradient = given[i].empty() ? paddle::Tensor() : given[i][0];
      if (!gradient.defined() || (!gradient.has_allocation() && gradient.numel() > 0)) {
        gradient = context->materialize_ && outputs[i] ? outputs[i]->zeros() : paddle::Tensor();
      }
      arguments.emplace_back(gradient);
    }
    compat_detail::Recording mode(create_graph && compat_detail::recording());
    const auto results = backward(context.get(), arguments);
    check(results);
    const bool varies = std::any_of(arguments.begin(), arguments.end(), FunctionCall::needs_grad);
    egr::Gradients found;
    for (size_t i = 0, slot = 0; i < is_variable.size(); ++i) {
      if (!is_variable[i]) continue;
      const auto& wanted = inputs[slot];
      found.push_back(std::vector<paddle::Tensor>(wanted ? 1 : 0));
      if (!context->needs_[slot++] || !results[i].defined()) continue;
      const auto& result = results[i]._PD_GetInner();
      auto& gradient = found.back()[0] = compat_detail::fitted(result, *wanted, i);
      const bool known = FunctionCall::needs_grad(results[i]) && gradient.impl() == result.impl();
      if (!known && varies && compat_detail::recording()) gradient = refused(gradient, arguments);
    }
    return found;
  }

  // Raises if there are not as many gradients as arguments of the forward pass.
  void check(const variable_list& results) const {
    const size_t count = is_variable.size();
    for (size_t i = 0; i < std::max(results.size(), count); ++i) {
      const bool defined = i < results.size() && results[i].defined();
      if (i < count && defined && !is_variable[i]) {
        throw std::runtime_error(
            "function returned a gradient different than None at position " +
            std::to_string(i + 1) + ", but the corresponding forward input was not a Variable");
      }
      if (i < count ? i >= results.size() : defined) {
        throw std::runtime_error("function returned an incorrect number of gradients (expected " +
                                 std::to_string(count) + ", got " +
                                 std::to_string(results.size()) + ")");
      }
    }
  }

  // A gradient that raises where its own gradient is asked for: nothing recorded its computation.
  static paddle::Tensor refused(const paddle::Tensor& gradient, const variable_list& sources) {
    FunctionCall call;
    for (const auto& source : sources) call.add(source);
    variable_list outputs{compat_detail::alias(gradient)};
    call.finish(outputs, true, [](AutogradContext*, variable_list) -> variable_list {
      PADDLE_THROW(common::errors::Unimplemented(
          "The gradient of a gradient computed in C++: under Paddle it is recorded only where the "
          "backward pass of a torch::autograd::Function calls another Function."));
    });
    return outputs[0]._PD_GetInner();
  }

  std::shared_ptr<AutogradContext> context;
  std::vector<bool> is_variable;
  Backward backward;
  std::vector<std::optional<compat_detail::Metadata>> inputs, outputs;
};

// Makes the results outputs of a node, if that is to be recorded.
inline void FunctionCall::finish(variable_list& outputs, bool recorded, Backward backward) {
  const auto node = recorded ? std::make_shared<FunctionNode>(outputs.size(), *this, backward) : nullptr;
  for (size_t i = 0; node && i < inputs.size(); ++i) {
    context->needs_.push_back(needs_grad(inputs[i]));
    node->inputs.emplace_back();
    if (!inputs[i].defined()) continue;
    if (context->needs_[i] && inputs[i].is_leaf() &&
        compat_detail::contains(context->dirty_, inputs[i])) {
      throw std::runtime_error(
          "a leaf Variable that requires grad is being used in an in-place operation.");
    }
    node->inputs[i].emplace(inputs[i]._PD_GetInner());
    node->SetGradOutMeta(inputs[i]._PD_GetInner(), i);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    auto& output = outputs[i];
    if (compat_detail::contains(context->dirty_, output)) {
      output._PD_GetInner().bump_inplace_version();
    } else if (compat_detail::contains(inputs, output) || needs_grad(output)) {
      output = compat_detail::alias(output);
    }
    if (!node) continue;
    node->outputs.emplace_back();
    if (output.defined()) node->outputs[i].emplace(output._PD_GetInner());
    if (!differentiable(output)) continue;
    compat_detail::set_history(output._PD_GetInner(), node, i);
    node->SetGradInMeta(output._PD_GetInner(), i);
  }
  for (const auto& tensor : node ? context->to_save_ : variable_list()) {
    AutogradContext::Saved saved{tensor, std::nullopt, 0};
    const bool fresh = !compat_detail::contains(inputs, tensor) ||
                       compat_detail::contains(context->dirty_, tensor);
    for (size_t i = 0; fresh && i < outputs.size(); ++i) {
      if (!differentiable(outputs[i]) || !compat_detail::contains({outputs[i]}, tensor)) continue;
      saved = {compat_detail::alias(tensor), i, 0};
    }
    if (tensor.defined()) saved.version = saved.tensor._PD_GetInner().current_inplace_version();
    context->saved_.push_back(std::move(saved));
  }
  context->node_ = node;
  context->to_save_ = context->dirty_ = context->non_differentiable_ = {};
}

// A function with a backward pass of its own: T has static forward and backward.
template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args&&... args)
      -> std::enable_if_t<
          std::is_same_v<X, T>, decltype(X::forward(nullptr, std::declval<Args>()...))> {
    FunctionCall call;
    (call.add(args), ...);
    const bool recorded = call.recorded();
    auto result = [&] {
      compat_detail::Recording off(false);
      return X::forward(call.context.get(), std::forward<Args>(args)...);
    }();
    variable_list outputs{std::move(result)};
    call.finish(outputs, recorded, X::backward);
    if constexpr (std::is_same_v<decltype(result), at::Tensor>) {
      return outputs[0];
    } else {
      return outputs;
    }
  }
};

}  // namespace torch::autograd
