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

}  // namespace torch::nn

namespace torch::nn::late {

#define PORTER_PAD(Kind, D, mode)                                                            \
  template <typename T>                                                                      \
  struct Kind##Pad##D##dImpl                                                                 \
      : compat_detail::LayerOf<                                                              \
            Kind##Pad##D##dImpl<T>, PadOptions<D>, ExpandingArray<2 * D>> {                  \
    PORTER_LATE_OF(compat_detail::LayerOf<                                                   \
                   Kind##Pad##D##dImpl<T>, PadOptions<D>, ExpandingArray<2 * D>>);           \
    void pretty_print(Stream& stream) const override {                                       \
      compat_detail::put(stream, "torch::nn::" #Kind "Pad" #D "d(padding=", options.padding()) \
          << ')';                                                                            \
    }                                                                                        \
    Tensor forward(const Tensor& input) { return at::pad(input, *options.padding(), mode); } \
  }

#define PORTER_CONSTANT_PAD(D)                                                               \
  template <typename T>                                                                      \
  struct ConstantPad##D##dImpl : Cloneable<ConstantPad##D##dImpl<T>> {                       \
    PORTER_LATE;                                                                             \
    ConstantPad##D##dImpl(ExpandingArray<2 * D> padding, double value) :                     \
        options(padding, value) {}                                                           \
    explicit ConstantPad##D##dImpl(const ConstantPadOptions<D>& options_) : options(options_) {} \
    void reset() override {}                                                                 \
    void pretty_print(Stream& stream) const override {                                       \
      compat_detail::put(stream, "torch::nn::ConstantPad" #D "d(padding=", options.padding()) \
          << ", value=" << options.value() << ')';                                           \
    }                                                                                        \
    Tensor forward(const Tensor& input) {                                                    \
      return at::pad(input, *options.padding(), "constant", options.value());                \
    }                                                                                        \
    ConstantPadOptions<D> options;                                                           \
  }

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

}  // namespace torch::nn::late

namespace torch::nn {

using ReflectionPad1dOptions = PadOptions<1>;

using ReflectionPad2dOptions = PadOptions<2>;

using ReflectionPad3dOptions = PadOptions<3>;

using ReplicationPad1dOptions = PadOptions<1>;

using ReplicationPad2dOptions = PadOptions<2>;

using ReplicationPad3dOptions = PadOptions<3>;

using ZeroPad1dOptions = PadOptions<1>;

using ZeroPad2dOptions = PadOptions<2>;

using ZeroPad3dOptions = PadOptions<3>;

using ConstantPad1dOptions = ConstantPadOptions<1>;

using ConstantPad2dOptions = ConstantPadOptions<2>;

using ConstantPad3dOptions = ConstantPadOptions<3>;

PORTER_NAMED(ReflectionPad1d);
PORTER_NAMED(ReflectionPad2d);
PORTER_NAMED(ReflectionPad3d);
PORTER_NAMED(ReplicationPad1d);
PORTER_NAMED(ReplicationPad2d);
PORTER_NAMED(ReplicationPad3d);
PORTER_NAMED(ZeroPad1d);
PORTER_NAMED(ZeroPad2d);
PORTER_NAMED(ZeroPad3d);
PORTER_NAMED(ConstantPad1d);
PORTER_NAMED(ConstantPad2d);
PORTER_NAMED(ConstantPad3d);

}  // namespace torch::nn
