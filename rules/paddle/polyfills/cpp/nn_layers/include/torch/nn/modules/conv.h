#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/common.h>

namespace torch::nn {

template <size_t D>
struct ConvOptions {
  using padding_mode_t = ::torch::compat_detail::Word;
  using padding_t = functional::compat_detail::Padding<D>;
  ConvOptions(int64_t in, int64_t out, ExpandingArray<D> kernel) :
      in_channels_(in), out_channels_(out), kernel_size_(kernel) {}
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(padding_t, padding);
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(padding_mode_t, padding_mode) = torch::kZeros;
};

template <size_t D>
struct ConvTransposeOptions {
  using padding_mode_t = ::torch::compat_detail::Word;
  ConvTransposeOptions(int64_t in, int64_t out, ExpandingArray<D> kernel) :
      in_channels_(in), out_channels_(out), kernel_size_(kernel) {}
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, output_padding) = 0;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(padding_mode_t, padding_mode) = torch::kZeros;
};

using Conv1dOptions = ConvOptions<1>;

using Conv2dOptions = ConvOptions<2>;

using Conv3dOptions = ConvOptions<3>;

using ConvTranspose1dOptions = ConvTransposeOptions<1>;

using ConvTranspose2dOptions = ConvTransposeOptions<2>;

using ConvTranspose3dOptions = ConvTransposeOptions<3>;

}  // namespace torch::nn

namespace torch::nn::late {

template <size_t D, bool transposed, typename Derived>
struct ConvLayer : Cloneable<Derived> {
  using Options = std::conditional_t<transposed, ConvTransposeOptions<D>, ConvOptions<D>>;

  ConvLayer(int64_t in, int64_t out, ExpandingArray<D> kernel) :
      ConvLayer(Options(in, out, kernel)) {}
  explicit ConvLayer(const Options& options_) : options(options_) { ConvLayer::reset(); }

  void reset() override {
    const auto in = options.in_channels(), out = options.out_channels(), groups = options.groups();
    TORCH_CHECK(
        in > 0 && groups > 0 && out > 0,
        "in_channels, groups and out_channels must be a positive integer.");
    TORCH_CHECK(in % groups == 0, "in_channels must be divisible by groups");
    TORCH_CHECK(out % groups == 0, "out_channels must be divisible by groups");
    std::vector<int64_t> sizes{transposed ? in : out, (transposed ? out : in) / groups};
    sizes.insert(sizes.end(), options.kernel_size()->begin(), options.kernel_size()->end());
    weight = this->register_parameter("weight", at::empty(sizes));
    bias = options.bias() ? this->register_parameter("bias", at::empty({out})) :
        this->register_parameter("bias", {}, false);
    reset_parameters();
  }
  void reset_parameters() {
    init::kaiming_uniform_(weight, std::sqrt(5));
    if (!bias.defined()) return;
    const auto in = std::get<0>(init::_calculate_fan_in_and_fan_out(weight));
    init::uniform_(bias, -1 / std::sqrt(in), 1 / std::sqrt(in));
  }
  void pretty_print(std::ostream& stream) const override {
    stream << "torch::nn::Conv" << (transposed ? "Transpose" : "") << D << "d("
           << options.in_channels() << ", " << options.out_channels();
    compat_detail::put(stream, ", kernel_size=", options.kernel_size());
    compat_detail::put(stream, ", stride=", options.stride());
    if constexpr (transposed) {
      put_unless(stream, ", padding=", options.padding(), 0);
      put_unless(stream, ", dilation=", options.dilation(), 1);
      put_unless(stream, ", output_padding=", options.output_padding(), 0);
    } else {
      const auto& padding = options.padding();
      if (!padding.word.empty()) stream << ", padding='" << padding.word << "'";
      else put_unless(stream, ", padding=", padding.size, 0);
      put_unless(stream, ", dilation=", options.dilation(), 1);
    }
    if (options.groups() != 1) stream << ", groups=" << options.groups();
    if (!options.bias()) stream << std::boolalpha << ", bias=" << false;
    const auto mode = options.padding_mode().text;
    if (mode != torch::kZeros.text) {
      stream << ", padding_mode=k" << char(mode[0] - 'a' + 'A') << mode.substr(1);
    }
    stream << ')';
  }

  Options options;
  Tensor weight, bias;

 private:
  static void put_unless(
      std::ostream& stream, const char* name, const ExpandingArray<D>& values, int64_t usual) {
    if (*values != *ExpandingArray<D>(usual)) compat_detail::put(stream, name, values);
  }
};

// The input with its edges, which in the other modes are not zeros, and the padding that is left.
template <size_t D>
std::pair<Tensor, functional::compat_detail::Padding<D>> with_edges(
    const Tensor& input, const ConvOptions<D>& options) {
  auto padding = options.padding();
  const auto mode = options.padding_mode();
  if (mode.text == torch::kZeros.text) return {input, padding};
  std::vector<int64_t> edges;
  for (size_t i = 0; i < D; ++i) {
    const bool same = padding.word == torch::kSame.text;
    const auto d = same ? i : D - 1 - i;  // torch takes those of the first dimension for the last
    const auto whole = (*options.dilation())[d] * ((*options.kernel_size())[d] - 1);
    const auto size = padding.word.empty() ? (*padding.size)[d] : 0;
    edges.push_back(same ? whole / 2 : size);
    edges.push_back(same ? whole - whole / 2 : size);
  }
  return {at::pad(input, edges, mode.text), {}};
}

#define PORTER_CONV(D)                                                                        \
  template <typename T>                                                                       \
  struct Conv##D##dImpl : ConvLayer<D, false, Conv##D##dImpl<T>> {                            \
    PORTER_LATE_OF(ConvLayer<D, false, Conv##D##dImpl<T>>);                                   \
    Tensor forward(const Tensor& input) {                                                     \
      const auto [given, padding] = with_edges<D>(input, options);                            \
      return functional::conv##D##d(                                                          \
          given, this->weight,                                                                      \
          functional::Conv##D##dFuncOptions()                                                 \
              .bias(this->bias)                                                               \
              .stride(options.stride())                                                       \
              .padding(padding)                                                               \
              .dilation(options.dilation())                                                   \
              .groups(options.groups()));                                                     \
    }                                                                                         \
  };                                                                                          \
  template <typename T>                                                                       \
  struct ConvTranspose##D##dImpl : ConvLayer<D, true, ConvTranspose##D##dImpl<T>> {           \
    PORTER_LATE_OF(ConvLayer<D, true, ConvTranspose##D##dImpl<T>>);                           \
    Tensor forward(const Tensor& input) {                                                     \
      TORCH_CHECK(                                                                            \
          options.padding_mode().text == torch::kZeros.text,                                  \
          "Only `zeros` padding mode is supported for ConvTranspose" #D "d");                 \
      return at::conv_transpose##D##d(                                                        \
          input, this->weight, this->bias, options.stride(), options.padding(),                 \
          options.output_padding(), options.groups(), options.dilation());                    \
    }                                                                                         \
  }

PORTER_CONV(1);
PORTER_CONV(2);
PORTER_CONV(3);

}  // namespace torch::nn::late

namespace torch::nn {

PORTER_NAMED(Conv1d);
PORTER_NAMED(Conv2d);
PORTER_NAMED(Conv3d);
PORTER_NAMED(ConvTranspose1d);
PORTER_NAMED(ConvTranspose2d);
PORTER_NAMED(ConvTranspose3d);

}  // namespace torch::nn
