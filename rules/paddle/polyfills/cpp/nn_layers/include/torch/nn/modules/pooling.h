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

}  // namespace torch::nn

namespace torch::nn::late {

#define PORTER_POOL(D)                                                                        \
  template <typename T>                                                                       \
  struct AvgPool##D##dImpl                                                                    \
      : compat_detail::LayerOf<                                                               \
            AvgPool##D##dImpl<T>, AvgPoolOptions<D>, ExpandingArray<D>> {                     \
    PORTER_LATE_OF(compat_detail::LayerOf<                                                    \
                   AvgPool##D##dImpl<T>, AvgPoolOptions<D>, ExpandingArray<D>>);              \
    void pretty_print(Stream& stream) const override {                                        \
      stream << "torch::nn::AvgPool" #D "d(";                                                 \
      compat_detail::put(stream, "kernel_size=", options.kernel_size());                      \
      compat_detail::put(stream, ", stride=", options.stride());                              \
      compat_detail::put(stream, ", padding=", options.padding()) << ')';                     \
    }                                                                                         \
    Tensor forward(const Tensor& input) { return functional::avg_pool##D##d(input, options); } \
  };                                                                                          \
  template <typename T>                                                                       \
  struct MaxPool##D##dImpl                                                                    \
      : compat_detail::LayerOf<                                                               \
            MaxPool##D##dImpl<T>, MaxPoolOptions<D>, ExpandingArray<D>> {                     \
    PORTER_LATE_OF(compat_detail::LayerOf<                                                    \
                   MaxPool##D##dImpl<T>, MaxPoolOptions<D>, ExpandingArray<D>>);              \
    void pretty_print(Stream& stream) const override {                                        \
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
  template <typename T>                                                                       \
  struct AdaptiveAvgPool##D##dImpl                                                            \
      : compat_detail::LayerOf<                                                               \
            AdaptiveAvgPool##D##dImpl<T>, AdaptivePoolOptions<D>, ExpandingArray<D>> {        \
    PORTER_LATE_OF(compat_detail::LayerOf<                                                    \
                   AdaptiveAvgPool##D##dImpl<T>, AdaptivePoolOptions<D>, ExpandingArray<D>>); \
    void pretty_print(Stream& stream) const override {                                        \
      stream << "torch::nn::AdaptiveAvgPool" #D "d(";                                         \
      compat_detail::put(stream, "output_size=", options.output_size()) << ')';               \
    }                                                                                         \
    Tensor forward(const Tensor& input) {                                                     \
      return at::adaptive_avg_pool##D##d(input, options.output_size());                       \
    }                                                                                         \
  };                                                                                          \
  template <typename T>                                                                       \
  struct AdaptiveMaxPool##D##dImpl                                                            \
      : compat_detail::LayerOf<                                                               \
            AdaptiveMaxPool##D##dImpl<T>, AdaptivePoolOptions<D>, ExpandingArray<D>> {        \
    PORTER_LATE_OF(compat_detail::LayerOf<                                                    \
                   AdaptiveMaxPool##D##dImpl<T>, AdaptivePoolOptions<D>, ExpandingArray<D>>); \
    void pretty_print(Stream& stream) const override {                                        \
      stream << "torch::nn::AdaptiveMaxPool" #D "d(";                                         \
      compat_detail::put(stream, "output_size=", options.output_size()) << ')';               \
    }                                                                                         \
    Tensor forward(const Tensor& input) { return std::get<0>(forward_with_indices(input)); }  \
    std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input) {                    \
      return at::adaptive_max_pool##D##d(input, options.output_size());                       \
    }                                                                                         \
  }

PORTER_POOL(1);
PORTER_POOL(2);
PORTER_POOL(3);

}  // namespace torch::nn::late

namespace torch::nn {

using AvgPool1dOptions = AvgPoolOptions<1>;

using AvgPool2dOptions = AvgPoolOptions<2>;

using AvgPool3dOptions = AvgPoolOptions<3>;

using MaxPool1dOptions = MaxPoolOptions<1>;

using MaxPool2dOptions = MaxPoolOptions<2>;

using MaxPool3dOptions = MaxPoolOptions<3>;

using AdaptiveAvgPool1dOptions = AdaptivePoolOptions<1>;

using AdaptiveAvgPool2dOptions = AdaptivePoolOptions<2>;

using AdaptiveAvgPool3dOptions = AdaptivePoolOptions<3>;

using AdaptiveMaxPool1dOptions = AdaptivePoolOptions<1>;

using AdaptiveMaxPool2dOptions = AdaptivePoolOptions<2>;

using AdaptiveMaxPool3dOptions = AdaptivePoolOptions<3>;

PORTER_NAMED(AvgPool1d);
PORTER_NAMED(AvgPool2d);
PORTER_NAMED(AvgPool3d);
PORTER_NAMED(MaxPool1d);
PORTER_NAMED(MaxPool2d);
PORTER_NAMED(MaxPool3d);
PORTER_NAMED(AdaptiveAvgPool1d);
PORTER_NAMED(AdaptiveAvgPool2d);
PORTER_NAMED(AdaptiveAvgPool3d);
PORTER_NAMED(AdaptiveMaxPool1d);
PORTER_NAMED(AdaptiveMaxPool2d);
PORTER_NAMED(AdaptiveMaxPool3d);

}  // namespace torch::nn
