#pragma once

#include <torch/nn/cloneable.h>

#include <functional>
#include <type_traits>
#include <utility>

namespace torch::nn {

// A function of a tensor, with the other arguments that were given for it.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = std::function<Tensor(Tensor)>;

  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  template <
      typename SomeFunction, typename... Args,
      typename = std::enable_if_t<(sizeof...(Args) > 0)>>
  explicit FunctionalImpl(SomeFunction function, Args&&... args) :
      function_(std::bind(function, std::placeholders::_1, std::forward<Args>(args)...)) {}

  void reset() override {}
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::Functional()"; }
  Tensor forward(Tensor input) { return function_(std::move(input)); }
  Tensor operator()(Tensor input) { return forward(std::move(input)); }
  bool is_serializable() const override { return false; }

 private:
  Function function_;
};

TORCH_MODULE(Functional);

}  // namespace torch::nn
