#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

template <size_t D>
using AvgPoolOptions = functional::AvgPoolOptions<D>;

template <size_t D>
using MaxPoolOptions = functional::MaxPoolOptions<D>;

// Only the sizes that torch's array with optional elements names.
template <size_t D>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(ExpandingArray<D> output_size) : output_size_(output_size) {}
  TORCH_ARG(ExpandingArray<D>, output_size);
};

#define PORTER_POOL(D)                                                                        \
  using AvgPool##D##dOptions = AvgPoolOptions<D>;                                             \
  using MaxPool##D##dOptions = MaxPoolOptions<D>;                                             \
  using AdaptiveAvgPool##D##dOptions = AdaptivePoolOptions<D>;                                \
  using AdaptiveMaxPool##D##dOptions = AdaptivePoolOptions<D>;                                \
  struct AvgPool##D##dImpl                                                                    \
      : compat_detail::LayerOf<AvgPool##D##dImpl, AvgPoolOptions<D>, ExpandingArray<D>> {     \
    using LayerOf::LayerOf;                                                                   \
    void pretty_print(std::ostream& stream) const override {                                  \
      stream << "torch::nn::AvgPool" #D "d(";                                                 \
      compat_detail::put(stream, "kernel_size=", options.kernel_size());                      \
      compat_detail::put(stream, ", stride=", options.stride());                              \
      compat_detail::put(stream, ", padding=", options.padding()) << ')';                     \
    }                                                                                         \
    Tensor forward(const Tensor& input) { return functional::avg_pool##D##d(input, options); } \
  };                                                                                          \
  TORCH_MODULE(AvgPool##D##d);                                                                \
  struct MaxPool##D##dImpl                                                                    \
      : compat_detail::LayerOf<MaxPool##D##dImpl, MaxPoolOptions<D>, ExpandingArray<D>> {     \
    using LayerOf::LayerOf;                                                                   \
    void pretty_print(std::ostream& stream) const override {                                  \
      stream << std::boolalpha << "torch::nn::MaxPool" #D "d(";                               \
      compat_detail::put(stream, "kernel_size=", options.kernel_size());                      \
      compat_detail::put(stream, ", stride=", options.stride());                              \
      compat_detail::put(stream, ", padding=", options.padding());                            \
      compat_detail::put(stream, ", dilation=", options.dilation())                           \
          << ", ceil_mode=" << options.ceil_mode() << ')';                                    \
    }                                                                                         \
    Tensor forward(const Tensor& input) { return functional::max_pool##D##d(input, options); } \
    std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input) {                    \
      return at::max_pool##D##d_with_indices(                                                 \
          input, options.kernel_size(), options.stride(), options.padding(),                  \
          options.dilation(), options.ceil_mode());                                           \
    }                                                                                         \
  };                                                                                          \
  TORCH_MODULE(MaxPool##D##d);                                                                \
  struct AdaptiveAvgPool##D##dImpl                                                            \
      : compat_detail::LayerOf<                                                               \
            AdaptiveAvgPool##D##dImpl, AdaptivePoolOptions<D>, ExpandingArray<D>> {           \
    using LayerOf::LayerOf;                                                                   \
    void pretty_print(std::ostream& stream) const override {                                  \
      stream << "torch::nn::AdaptiveAvgPool" #D "d(";                                         \
      compat_detail::put(stream, "output_size=", options.output_size()) << ')';               \
    }                                                                                         \
    Tensor forward(const Tensor& input) {                                                     \
      return at::adaptive_avg_pool##D##d(input, options.output_size());                       \
    }                                                                                         \
  };                                                                                          \
  TORCH_MODULE(AdaptiveAvgPool##D##d);                                                        \
  struct AdaptiveMaxPool##D##dImpl                                                            \
      : compat_detail::LayerOf<                                                               \
            AdaptiveMaxPool##D##dImpl, AdaptivePoolOptions<D>, ExpandingArray<D>> {           \
    using LayerOf::LayerOf;                                                                   \
    void pretty_print(std::ostream& stream) const override {                                  \
      stream << "torch::nn::AdaptiveMaxPool" #D "d(";                                         \
      compat_detail::put(stream, "output_size=", options.output_size()) << ')';               \
    }                                                                                         \
    Tensor forward(const Tensor& input) { return std::get<0>(forward_with_indices(input)); }  \
    std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input) {                    \
      return at::adaptive_max_pool##D##d(input, options.output_size());                       \
    }                                                                                         \
  };                                                                                          \
  TORCH_MODULE(AdaptiveMaxPool##D##d)

PORTER_POOL(1);
PORTER_POOL(2);
PORTER_POOL(3);

}  // namespace torch::nn
