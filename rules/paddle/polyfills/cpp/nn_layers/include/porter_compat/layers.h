// How layers are declared and printed.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/functional.h>

#include <ostream>

namespace torch::nn::compat_detail {

// The size of a kernel and the like: a number, if there is only one.
template <size_t D>
std::ostream& put(std::ostream& stream, const char* name, const ExpandingArray<D>& values) {
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

// What is written of a layer, and what it computes.
#define PORTER_LAYER_BODY(Name, printed, input, code)                          \
  void pretty_print(std::ostream& stream) const override {                     \
    stream << std::boolalpha << "torch::nn::" #Name "(" << printed << ")";     \
  }                                                                            \
  Tensor forward(input) { return code; }

// What is computed of one tensor `x`, with `options` of its own.
#define PORTER_LAYER(Name, Options, printed, code)                             \
  struct Name##Impl : compat_detail::Layer<Name##Impl, Options> {              \
    using compat_detail::Layer<Name##Impl, Options>::Layer;                    \
    PORTER_LAYER_BODY(Name, printed, Tensor x, code)                           \
  };                                                                           \
  TORCH_MODULE(Name)

#define PORTER_LAYER_OF(Name, First, printed, code)                            \
  struct Name##Impl : compat_detail::LayerOf<Name##Impl, Name##Options, First> { \
    using compat_detail::LayerOf<Name##Impl, Name##Options, First>::LayerOf;   \
    PORTER_LAYER_BODY(Name, printed, const Tensor& x, code)                    \
  };                                                                           \
  TORCH_MODULE(Name)
