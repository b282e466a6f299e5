#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

template <size_t D>
struct PadOptions {
  PadOptions(ExpandingArray<2 * D> padding) : padding_(padding) {}
  TORCH_ARG(ExpandingArray<2 * D>, padding);
};

template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<2 * D> padding, double value) :
      padding_(padding), value_(value) {}
  TORCH_ARG(ExpandingArray<2 * D>, padding);
  TORCH_ARG(double, value);
};

#define PORTER_PAD(Kind, D, mode)                                                            \
  using Kind##Pad##D##dOptions = PadOptions<D>;                                              \
  struct Kind##Pad##D##dImpl                                                                 \
      : compat_detail::LayerOf<Kind##Pad##D##dImpl, PadOptions<D>, ExpandingArray<2 * D>> {  \
    using LayerOf::LayerOf;                                                                  \
    void pretty_print(std::ostream& stream) const override {                                 \
      compat_detail::put(stream, "torch::nn::" #Kind "Pad" #D "d(padding=", options.padding()) \
          << ')';                                                                            \
    }                                                                                        \
    Tensor forward(const Tensor& input) { return at::pad(input, *options.padding(), mode); } \
  };                                                                                         \
  TORCH_MODULE(Kind##Pad##D##d)

#define PORTER_CONSTANT_PAD(D)                                                               \
  using ConstantPad##D##dOptions = ConstantPadOptions<D>;                                    \
  struct ConstantPad##D##dImpl : Cloneable<ConstantPad##D##dImpl> {                          \
    ConstantPad##D##dImpl(ExpandingArray<2 * D> padding, double value) :                     \
        options(padding, value) {}                                                           \
    explicit ConstantPad##D##dImpl(const ConstantPadOptions<D>& options_) : options(options_) {} \
    void reset() override {}                                                                 \
    void pretty_print(std::ostream& stream) const override {                                 \
      compat_detail::put(stream, "torch::nn::ConstantPad" #D "d(padding=", options.padding()) \
          << ", value=" << options.value() << ')';                                           \
    }                                                                                        \
    Tensor forward(const Tensor& input) {                                                    \
      return at::pad(input, *options.padding(), "constant", options.value());                \
    }                                                                                        \
    ConstantPadOptions<D> options;                                                           \
  };                                                                                         \
  TORCH_MODULE(ConstantPad##D##d)

PORTER_PAD(Reflection, 1, "reflect");
PORTER_PAD(Reflection, 2, "reflect");
PORTER_PAD(Reflection, 3, "reflect");
PORTER_PAD(Replication, 1, "replicate");
PORTER_PAD(Replication, 2, "replicate");
PORTER_PAD(Replication, 3, "replicate");
PORTER_PAD(Zero, 1, "constant");
PORTER_PAD(Zero, 2, "constant");
PORTER_PAD(Zero, 3, "constant");
PORTER_CONSTANT_PAD(1);
PORTER_CONSTANT_PAD(2);
PORTER_CONSTANT_PAD(3);

}  // namespace torch::nn
