// How layers are declared and printed.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/functional.h>

#include <ostream>

namespace torch::nn::compat_detail {

// The size of a kernel and the like: a number, if there is only one.
template <typename Stream, size_t D>
Stream& put(Stream& stream, const char* name, const ExpandingArray<D>& values) {
  stream << name;
  if (D == 1) return stream << (*values)[0];
  for (size_t d = 0; d < D; ++d) stream << (d ? ", " : "[") << (*values)[d];
  return stream << ']';
}

inline const char* in_place(bool inplace, bool first = false) {
  return !inplace ? "" : first ? "inplace=true" : ", inplace=true";
}

// A layer without tensors of its own, with options that may all be left out.
template <typename Derived, typename Options>
struct Layer : Cloneable<Derived> {
  explicit Layer(const Options& options_ = {}) : options(options_) {}
  void reset() override {}
  Options options;
};

struct NoOptions {};

// A layer with options of which one has to be given, by itself or with the others.
template <typename Derived, typename Options, typename First>
struct LayerOf : Cloneable<Derived> {
  LayerOf(const First& first) : options(first) {}
  explicit LayerOf(const Options& options_) : options(options_) {}
  void reset() override {}
  Options options;
};

}  // namespace torch::nn::compat_detail

// Layers and their options, as templates: what no source uses is not compiled. T is void.
namespace torch::nn::late {

template <typename T>
struct Late {
  using Tensor = at::Tensor;
  using Stream = std::ostream;
};

}  // namespace torch::nn::late

#define PORTER_LATE                            \
  using Tensor = typename Late<T>::Tensor;     \
  using Stream = typename Late<T>::Stream

#define PORTER_LATE_OF(...) \
  PORTER_LATE;              \
  using Base = __VA_ARGS__; \
  using Base::Base;         \
  using Base::options

// The names of a layer in torch::nn.
#define PORTER_NAMED(Name)                      \
  using Name##Impl = late::Name##Impl<void>;    \
  using Name = ModuleHolder<Name##Impl>

// What is written of a layer, and what it computes.
#define PORTER_LAYER_BODY(Name, printed, input, code)                          \
  void pretty_print(Stream& stream) const override {                           \
    stream << "torch::nn::" #Name "(" << printed << ")";                       \
  }                                                                            \
  Tensor forward(input) { return code; }

// What is computed of one tensor `x`, with `options` of its own.
#define PORTER_LAYER(Name, Options, printed, code)                             \
  template <typename T>                                                        \
  struct Name##Impl : compat_detail::Layer<Name##Impl<T>, Options> {           \
    PORTER_LATE_OF(compat_detail::Layer<Name##Impl<T>, Options>);              \
    PORTER_LAYER_BODY(Name, printed, Tensor x, code)                           \
  }

#define PORTER_LAYER_OF(Name, Options, First, printed, code)                   \
  template <typename T>                                                        \
  struct Name##Impl : compat_detail::LayerOf<Name##Impl<T>, Options, First> {  \
    PORTER_LATE_OF(compat_detail::LayerOf<Name##Impl<T>, Options, First>);     \
    PORTER_LAYER_BODY(Name, printed, const Tensor& x, code)                    \
  }
