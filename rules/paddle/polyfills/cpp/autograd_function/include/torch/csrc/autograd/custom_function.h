#pragma once

#include <ATen/core/ivalue.h>
#include <porter_compat/eager.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include "paddle/common/enforce.h"
#include "paddle/common/errors.h"
#include "paddle/phi/api/all.h"

#include <functional>
#include <memory>
#include <optional>
#include <sstream>
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
class Recording {
 public:
  explicit Recording(bool on) : before_(recording()) { at::compat_detail::set_recording(on); }
  ~Recording() { at::compat_detail::set_recording(before_); }
  Recording(const Recording&) = delete;

 private:
  bool before_;
};

inline bool same(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() && a._PD_GetInner().impl() == b._PD_GetInner().impl();
}

inline bool contains(const variable_list& list, const at::Tensor& tensor) {
  for (const auto& other : list) {
    if (same(tensor, other)) return true;
  }
  return false;
}

// The same data without what computed it.
inline at::Tensor without_history(const at::Tensor& tensor) {
  paddle::Tensor alias;
  alias.set_impl(tensor._PD_GetInner().impl());
  return at::Tensor(alias);
}

// Makes a tensor the output of a node.
inline void set_history(
    at::Tensor& tensor, const std::shared_ptr<egr::GradNodeBase>& node, size_t slot) {
  auto* meta = egr::EagerUtils::autograd_meta(&tensor._PD_GetInner());
  at::compat_detail::set_requires_grad(tensor._PD_GetInner(), true);
  egr::EagerUtils::SetOutRankWithSlot(meta, slot);
  egr::EagerUtils::SetHistory(meta, node);
}

// Shape, dtype and place of a tensor.
struct Metadata {
  explicit Metadata(const at::Tensor& tensor)
      : shape(tensor._PD_GetInner().shape()),
        dtype(tensor._PD_GetInner().dtype()),
        place(tensor._PD_GetInner().place()) {}
  paddle::Tensor zeros() const { return paddle::experimental::zeros(shape, dtype, place); }
  std::vector<int64_t> shape;
  phi::DataType dtype;
  phi::Place place;
};

// A gradient as the tensor that it belongs to has to have it: broadcast dimensions summed.
inline paddle::Tensor fitted(paddle::Tensor gradient, const Metadata& wanted, size_t position) {
  const auto shape = gradient.shape();
  std::vector<int64_t> summed;
  const auto added = static_cast<int64_t>(shape.size()) - static_cast<int64_t>(wanted.shape.size());
  bool fits = added >= 0;
  for (int64_t i = 0; fits && i < static_cast<int64_t>(shape.size()); ++i) {
    const auto size = i < added ? 1 : wanted.shape[i - added];
    if (i < added || (size == 1 && shape[i] != 1)) summed.push_back(i);
    fits = i < added || size == 1 || size == shape[i];
  }
  if (!fits) {
    std::ostringstream message;
    message << "Function returned an invalid gradient at index " << position << " - got [";
    for (auto size : shape) message << size << " ";
    message << "] but expected shape compatible with [";
    for (auto size : wanted.shape) message << size << " ";
    throw std::runtime_error(message.str() + "]");
  }
  if (!summed.empty()) {
    gradient = paddle::experimental::sum(gradient, summed, gradient.dtype(), false);
    gradient = paddle::experimental::reshape(gradient, wanted.shape);
  }
  return gradient.dtype() == wanted.dtype ? gradient
                                          : paddle::experimental::cast(gradient, wanted.dtype);
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

  variable_list get_saved_variables() const {
    if (released_ && !saved_.empty()) {
      throw std::runtime_error(
          "Trying to backward through the graph a second time (or directly access saved tensors "
          "after they have already been freed). Specify retain_graph=True.");
    }
    variable_list found;
    for (const auto& saved : saved_) found.push_back(unpack(saved));
    return found;
  }

  void mark_dirty(const variable_list& inputs) { dirty_ = inputs; }

  void mark_non_differentiable(const variable_list& outputs) { non_differentiable_ = outputs; }

  void set_materialize_grads(bool value) { materialize_ = value; }

  bool needs_input_grad(size_t index) const { return needs_.at(index); }

  std::unordered_map<std::string, IValue> saved_data;

 private:
  // An output is saved without its history, which leads to this again.
  struct Saved {
    at::Tensor tensor;
    std::optional<size_t> slot;
    uint32_t version;
  };

  at::Tensor unpack(const Saved& saved) const {
    if (!saved.tensor.defined()) return {};
    auto tensor = saved.tensor;
    if (tensor._PD_GetInner().current_inplace_version() != saved.version) {
      throw std::runtime_error(
          "one of the variables needed for gradient computation has been modified by an inplace "
          "operation");
    }
    auto node = node_.lock();
    if (saved.slot && node) {
      tensor = compat_detail::without_history(tensor);
      compat_detail::set_history(tensor, node, *saved.slot);
    }
    return tensor;
  }

  variable_list to_save_, dirty_, non_differentiable_;
  std::vector<Saved> saved_;
  std::vector<bool> needs_;
  std::weak_ptr<egr::GradNodeBase> node_;
  bool materialize_ = true, released_ = false;

  friend struct FunctionNode;
  friend struct FunctionCall;
};

// The backward pass of a Function in Paddle's graph; slots are its tensors that take part in it.
struct FunctionNode : egr::GradNodeBase {
  // `outputs` and `inputs` are the numbers of slots.
  FunctionNode(size_t outputs, size_t inputs) : egr::GradNodeBase(outputs, inputs) {}

  egr::Gradients operator()(egr::Gradients& gradients, bool create_graph, bool) override {
    try {
      return run(gradients, create_graph);
    } catch (...) {
      compat_detail::rethrow();
    }
  }

  egr::Gradients run(egr::Gradients& gradients, bool create_graph) {
    auto given = ApplyGradientHooks(gradients);
    variable_list arguments;
    bool varies = false;
    for (const auto& output : outputs) {
      paddle::Tensor gradient;
      if (output.slot && !given[*output.slot].empty()) gradient = given[*output.slot][0];
      if (!gradient.defined() || (!gradient.has_allocation() && gradient.numel() > 0)) {
        gradient = context->materialize_ ? output.metadata->zeros() : paddle::Tensor();
      }
      varies = varies || compat_detail::requires_grad(gradient);
      arguments.emplace_back(gradient);
    }
    compat_detail::Recording mode(create_graph && compat_detail::recording());
    auto results = backward(context.get(), arguments);
    check(results);
    egr::Gradients found;
    for (size_t i = 0; i < is_variable.size(); ++i) {
      if (!is_variable[i]) continue;
      auto& wanted = inputs[found.size()];
      auto& result = results[i]._PD_GetInner();
      found.push_back(std::vector<paddle::Tensor>(wanted ? 1 : 0));
      if (!wanted || !result.defined() || !context->needs_[found.size() - 1]) continue;
      bool recorded = compat_detail::requires_grad(result);
      auto gradient = compat_detail::fitted(result, *wanted, i);
      if (recorded && gradient.impl() != result.impl()) recorded = false;
      if (!recorded && varies && compat_detail::recording()) refuse(gradient, arguments);
      found.back()[0] = gradient;
    }
    return found;
  }

  void ClearTensorWrappers() override {
    context->released_ = true;
    for (auto& saved : context->saved_) saved.tensor = at::Tensor();
  }

  std::shared_ptr<egr::GradNodeBase> Copy() const override {
    return std::make_shared<FunctionNode>(*this);
  }

  std::string name() override { return "CppNode"; }

  // Raises if there are not as many gradients as arguments of the forward pass.
  void check(variable_list& results) const {
    for (size_t i = 0; i < results.size(); ++i) {
      const bool fits = i < is_variable.size() && is_variable[i];
      if (results[i].defined() && !fits && i < is_variable.size()) {
        throw std::runtime_error(
            "function returned a gradient different than None at position " +
            std::to_string(i + 1) + ", but the corresponding forward input was not a Variable");
      }
      if (results[i].defined() && !fits) count(results.size());
    }
    if (results.size() < is_variable.size()) count(results.size());
  }

  [[noreturn]] void count(size_t got) const {
    throw std::runtime_error(
        "function returned an incorrect number of gradients (expected " +
        std::to_string(is_variable.size()) + ", got " + std::to_string(got) + ")");
  }

  // Makes a gradient raise where its own gradient is asked for: nothing recorded its computation.
  static void refuse(paddle::Tensor& gradient, const variable_list& sources);

  struct Output {
    std::optional<size_t> slot;
    std::optional<compat_detail::Metadata> metadata;
  };
  std::shared_ptr<AutogradContext> context;
  std::function<variable_list(AutogradContext*, variable_list)> backward;
  std::vector<bool> is_variable;
  std::vector<std::optional<compat_detail::Metadata>> inputs;
  std::vector<Output> outputs;
};

// In the graph of a gradient that a backward pass in C++ computed without being recorded.
struct UnrecordedNode : egr::GradNodeBase {
  using egr::GradNodeBase::GradNodeBase;
  egr::Gradients operator()(egr::Gradients&, bool, bool) override {
    PADDLE_THROW(common::errors::Unimplemented(
        "The gradient of a gradient computed in C++: under Paddle it is recorded only where the "
        "backward pass of a torch::autograd::Function calls another Function."));
  }
  void ClearTensorWrappers() override {}
  std::shared_ptr<egr::GradNodeBase> Copy() const override {
    return std::make_shared<UnrecordedNode>(*this);
  }
};

inline void FunctionNode::refuse(paddle::Tensor& gradient, const variable_list& sources) {
  auto node = std::make_shared<UnrecordedNode>(1, sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].defined()) node->SetGradOutMeta(sources[i]._PD_GetInner(), i);
  }
  auto result = compat_detail::without_history(at::Tensor(gradient));
  compat_detail::set_history(result, node, 0);
  node->SetGradInMeta(result._PD_GetInner(), 0);
  gradient = result._PD_GetInner();
}

// One call of a Function: its arguments that are tensors, and what becomes of its results.
struct FunctionCall {
  FunctionCall() : context(std::make_shared<AutogradContext>()) {}

  void add(const at::Tensor& tensor) {
    is_variable.push_back(true);
    inputs.push_back(tensor);
  }
  void add(const std::optional<at::Tensor>& tensor) {
    if (tensor && tensor->defined()) {
      add(*tensor);
    } else {
      is_variable.push_back(false);
    }
  }
  void add(const c10::ArrayRef<at::Tensor>& tensors) {
    for (const auto& tensor : tensors) add(tensor);
  }
  template <typename T>
  void add(const T&) {
    is_variable.push_back(false);
  }

  bool recorded() const {
    for (const auto& input : inputs) {
      if (input.defined() && input.requires_grad()) return compat_detail::recording();
    }
    return false;
  }

  using Backward = std::function<variable_list(AutogradContext*, variable_list)>;

  // Makes the results outputs of a node, if that is to be recorded.
  void finish(variable_list& outputs, bool recorded, Backward backward) {
    std::shared_ptr<FunctionNode> node;
    if (recorded) {
      size_t count = 0;
      for (const auto& output : outputs) count += differentiable(output);
      node = std::make_shared<FunctionNode>(count, inputs.size());
      node->context = context;
      node->backward = std::move(backward);
      node->is_variable = is_variable;
      connect(*node);
    }
    std::vector<std::optional<size_t>> slots(outputs.size());
    size_t slot = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      auto& output = outputs[i];
      const bool dirty = compat_detail::contains(context->dirty_, output);
      if (dirty) {
        output._PD_GetInner().bump_inplace_version();
      } else if (output.defined() &&
                 (compat_detail::contains(inputs, output) || output.requires_grad())) {
        output = compat_detail::without_history(output);
      }
      if (!node) continue;
      FunctionNode::Output kept;
      if (output.defined()) kept.metadata.emplace(output);
      if (differentiable(output)) {
        kept.slot = slots[i] = slot++;
        compat_detail::set_history(output, node, *slots[i]);
        node->SetGradInMeta(output._PD_GetInner(), *slots[i]);
      }
      node->outputs.push_back(kept);
    }
    if (node) save(outputs, slots, node);
    context->to_save_.clear();
    context->dirty_.clear();
    context->non_differentiable_.clear();
  }

  bool differentiable(const at::Tensor& output) const {
    return output.defined() && !c10::isIntegralType(output.scalar_type(), true) &&
           !compat_detail::contains(context->non_differentiable_, output);
  }

  void connect(FunctionNode& node) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto& input = inputs[i];
      context->needs_.push_back(input.defined() && input.requires_grad());
      node.inputs.emplace_back();
      if (!input.defined()) continue;
      if (context->needs_[i] && input.is_leaf() &&
          compat_detail::contains(context->dirty_, input)) {
        throw std::runtime_error(
            "a leaf Variable that requires grad is being used in an in-place operation.");
      }
      node.inputs[i].emplace(input);
      node.SetGradOutMeta(input._PD_GetInner(), i);
    }
  }

  void save(
      const variable_list& outputs, const std::vector<std::optional<size_t>>& slots,
      const std::shared_ptr<egr::GradNodeBase>& node) {
    context->node_ = node;
    for (auto& tensor : context->to_save_) {
      AutogradContext::Saved saved{tensor, std::nullopt, 0};
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (!compat_detail::same(tensor, outputs[i]) || !slots[i]) continue;
        if (compat_detail::contains(inputs, tensor) &&
            !compat_detail::contains(context->dirty_, tensor)) {
          continue;
        }
        saved = {compat_detail::without_history(tensor), slots[i], 0};
      }
      if (saved.tensor.defined()) {
        saved.version = saved.tensor._PD_GetInner().current_inplace_version();
      }
      context->saved_.push_back(std::move(saved));
    }
  }

  std::shared_ptr<AutogradContext> context;
  std::vector<bool> is_variable;
  variable_list inputs;
};

// A function with a backward pass of its own: T has static forward and backward.
template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args&&... args)
      -> std::enable_if_t<
          std::is_same_v<X, T>, decltype(X::forward(nullptr, std::declval<Args>()...))> {
    using Result = decltype(X::forward(nullptr, std::declval<Args>()...));
    FunctionCall call;
    (call.add(args), ...);
    const bool recorded = call.recorded();
    auto result = [&] {
      compat_detail::Recording off(false);
      return X::forward(call.context.get(), std::forward<Args>(args)...);
    }();
    variable_list outputs;
    if constexpr (std::is_same_v<Result, at::Tensor>) {
      outputs.push_back(std::move(result));
    } else {
      outputs = std::move(result);
    }
    call.finish(outputs, recorded, [](AutogradContext* context, variable_list gradients) {
      return X::backward(context, std::move(gradients));
    });
    if constexpr (std::is_same_v<Result, at::Tensor>) {
      return outputs[0];
    } else {
      return outputs;
    }
  }
};

}  // namespace torch::autograd
