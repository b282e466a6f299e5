#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/Reduction.h>
#include <porter_compat/strides.h>
#include <torch/arg.h>
#include <torch/enum.h>
#include <torch/types.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace torch {

// A number for each of D dimensions, or one for all.
template <size_t D>
class ExpandingArray {
 public:
  ExpandingArray(int64_t value) : values_(D, value) {}
  ExpandingArray(std::initializer_list<int64_t> values) :
      ExpandingArray(std::vector<int64_t>(values)) {}
  ExpandingArray(at::IntArrayRef values) : ExpandingArray(values.vec()) {}
  ExpandingArray(std::vector<int64_t> values) : values_(std::move(values)) {
    TORCH_CHECK(values_.size() == D, "Expected ", D, " values, but instead got ", values_.size());
  }
  operator at::IntArrayRef() const { return values_; }
  const std::vector<int64_t>& operator*() const { return values_; }
  std::vector<int64_t>& operator*() { return values_; }
  const std::vector<int64_t>* operator->() const { return &values_; }
  std::vector<int64_t>* operator->() { return &values_; }

 private:
  std::vector<int64_t> values_;
};

namespace nn::functional::compat_detail {

inline int64_t reduction(std::string_view word) {
  TORCH_CHECK(word == "none" || word == "mean" || word == "sum", "not a reduction: ", word);
  return word == "none" ? at::Reduction::None : word == "mean" ? at::Reduction::Mean :
      at::Reduction::Sum;
}

// What is computed of: a copy where it is written to, and the backward pass wants its elements.
inline Tensor source(const Tensor& input, bool inplace) {
  return inplace ? at::compat_detail::before_write(input) : input;
}

inline Tensor written(Tensor& to, const Tensor& result, bool inplace) {
  return inplace ? to.copy_(result) : result;
}

}  // namespace nn::functional::compat_detail

namespace nn::functional {

namespace compat_detail {

// How much at each end, or a word for it.
template <size_t D>
struct Padding {
  ExpandingArray<D> size = 0;
  std::string_view word;
  template <class T>
  Padding(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) word = value;
    else size = ExpandingArray<D>(value);
  }
  Padding(std::initializer_list<int64_t> values) : size(values) {}
  Padding() = default;
};

}  // namespace compat_detail

template <size_t D>
struct ConvFuncOptions {
  TORCH_ARG(Tensor, bias);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(::torch::nn::functional::compat_detail::Padding<D>, padding);
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
};

using Conv1dFuncOptions = ConvFuncOptions<1>;

using Conv2dFuncOptions = ConvFuncOptions<2>;

using Conv3dFuncOptions = ConvFuncOptions<3>;

template <size_t D>
struct ConvTransposeFuncOptions {
  TORCH_ARG(Tensor, bias);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, output_padding) = 0;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
};

using ConvTranspose1dFuncOptions = ConvTransposeFuncOptions<1>;

using ConvTranspose2dFuncOptions = ConvTransposeFuncOptions<2>;

using ConvTranspose3dFuncOptions = ConvTransposeFuncOptions<3>;

inline Tensor conv1d(const Tensor& input, const Tensor& weight, const Conv1dFuncOptions& options =
    {}) {
  const auto& padding = options.padding();
  if (!padding.word.empty()) {
    return at::conv1d(input, weight, options.bias(), options.stride(), padding.word,
        options.dilation(), options.groups());
  }
  return at::conv1d(input, weight, options.bias(), options.stride(),
      at::IntArrayRef(padding.size), options.dilation(), options.groups());
}

inline Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const
    ConvTranspose1dFuncOptions& options = {}) {
  return at::conv_transpose1d(input, weight, options.bias(), options.stride(), options.padding(),
      options.output_padding(), options.groups(), options.dilation());
}

inline Tensor conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& options =
    {}) {
  const auto& padding = options.padding();
  if (!padding.word.empty()) {
    return at::conv2d(input, weight, options.bias(), options.stride(), padding.word,
        options.dilation(), options.groups());
  }
  return at::conv2d(input, weight, options.bias(), options.stride(),
      at::IntArrayRef(padding.size), options.dilation(), options.groups());
}

inline Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const
    ConvTranspose2dFuncOptions& options = {}) {
  return at::conv_transpose2d(input, weight, options.bias(), options.stride(), options.padding(),
      options.output_padding(), options.groups(), options.dilation());
}

inline Tensor conv3d(const Tensor& input, const Tensor& weight, const Conv3dFuncOptions& options =
    {}) {
  const auto& padding = options.padding();
  if (!padding.word.empty()) {
    return at::conv3d(input, weight, options.bias(), options.stride(), padding.word,
        options.dilation(), options.groups());
  }
  return at::conv3d(input, weight, options.bias(), options.stride(),
      at::IntArrayRef(padding.size), options.dilation(), options.groups());
}

inline Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const
    ConvTranspose3dFuncOptions& options = {}) {
  return at::conv_transpose3d(input, weight, options.bias(), options.stride(), options.padding(),
      options.output_padding(), options.groups(), options.dilation());
}

struct PadFuncOptions {
  using mode_t = ::torch::compat_detail::Word;
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  TORCH_ARG(std::vector<int64_t>, pad);
  TORCH_ARG(mode_t, mode) = kConstant;
  TORCH_ARG(double, value) = 0;
};

inline Tensor pad(const Tensor& input, const PadFuncOptions& options) {
  const bool constant = options.mode().text == kConstant.text;
  return at::pad(input, options.pad(), options.mode(), constant ?
      std::optional<double>(options.value()) : std::nullopt);
}

struct InterpolateFuncOptions {
  using mode_t = ::torch::compat_detail::Word;
  TORCH_ARG(std::optional<std::vector<int64_t>>, size);
  TORCH_ARG(std::optional<std::vector<double>>, scale_factor);
  TORCH_ARG(mode_t, mode) = kNearest;
  TORCH_ARG(std::optional<bool>, align_corners);
  TORCH_ARG(std::optional<bool>, recompute_scale_factor);
};

// To a size, or by factors; by nearest, linear or cubic neighbours.
inline Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options = {}) {
  using Factors = std::optional<at::ArrayRef<double>>;
  const std::string_view mode = options.mode();
  const auto n = input.dim() - 2;
  const bool nearest = mode == kNearest, align = options.align_corners().value_or(false);
  TORCH_CHECK(!nearest || !options.align_corners(), "align_corners is for linear and cubic modes");
  TORCH_CHECK(options.size().has_value() != options.scale_factor().has_value(), 
              "either a size or a scale_factor");
  at::OptionalIntArrayRef size;
  Factors factors;
  std::vector<int64_t> sizes;
  if (options.size()) sizes = *options.size();
  if (options.scale_factor()) factors = *options.scale_factor();
  if (factors) TORCH_CHECK(int64_t(factors->size()) == n, "a scale_factor for each dimension");
  if (factors && options.recompute_scale_factor().value_or(false)) {
    for (int64_t i = 0; i < n; ++i) sizes.push_back(std::floor(input.size(i + 2) * (*factors)[i]));
    factors.reset();
  }
  if (sizes.size() == 1 && n > 1) sizes.assign(n, sizes[0]);
  if (!factors) size = at::IntArrayRef(sizes);
  if (n == 1 && nearest) return at::upsample_nearest1d(input, size, factors);
  if (n == 2 && nearest) return at::upsample_nearest2d(input, size, factors);
  if (n == 3 && nearest) return at::upsample_nearest3d(input, size, factors);
  if (n == 1 && mode == kLinear) return at::upsample_linear1d(input, size, align, factors);
  if (n == 2 && mode == kBilinear) return at::upsample_bilinear2d(input, size, align, factors);
  if (n == 3 && mode == kTrilinear) return at::upsample_trilinear3d(input, size, align, factors);
  TORCH_CHECK(n == 2 && mode == kBicubic, "no interpolation ", mode, " of ", n, " dimensions");
  return at::upsample_bicubic2d(input, size, align, factors);
}

struct GridSampleFuncOptions {
  using mode_t = ::torch::compat_detail::Word;
  using padding_mode_t = ::torch::compat_detail::Word;
  TORCH_ARG(mode_t, mode) = kBilinear;
  TORCH_ARG(padding_mode_t, padding_mode) = kZeros;
  TORCH_ARG(std::optional<bool>, align_corners);
};

inline Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions&
    options = {}) {
  const std::string_view mode = options.mode(), edge = options.padding_mode();
  TORCH_CHECK(mode == kBilinear || mode == kNearest, "no grid_sample ", mode);
  TORCH_CHECK(edge == kZeros || edge == kBorder || edge == kReflection, "no padding ", edge);
  return at::grid_sampler(input, grid, mode == kNearest, edge == kZeros ? 0 : edge == kBorder ? 1
      : 2, options.align_corners().value_or(false));
}

inline Tensor affine_grid(const Tensor& theta, const at::IntArrayRef& size, bool align_corners =
    false) {
  return at::affine_grid_generator(theta, size, align_corners);
}

struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::optional<ScalarType>, dtype);
};

inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return at::softmax(input, options.dim(), options.dtype());
}

struct LogSoftmaxFuncOptions {
  LogSoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::optional<ScalarType>, dtype);
};

inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return at::log_softmax(input, options.dim(), options.dtype());
}

struct ReLUFuncOptions {
  ReLUFuncOptions(bool inplace = false) : inplace_(inplace) {}
  TORCH_ARG(bool, inplace) = false;
};

inline Tensor relu(Tensor input, const ReLUFuncOptions& options = {}) {
  return compat_detail::written(input, at::relu(compat_detail::source(input, options.inplace())), options.inplace());
}

struct ReLU6FuncOptions {
  ReLU6FuncOptions(bool inplace = false) : inplace_(inplace) {}
  TORCH_ARG(bool, inplace) = false;
};

inline Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {}) {
  return compat_detail::written(input, at::relu6(compat_detail::source(input, options.inplace())), options.inplace());
}

struct LeakyReLUFuncOptions {
  TORCH_ARG(double, negative_slope) = 0.01;
  TORCH_ARG(bool, inplace) = false;
};

inline Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {}) {
  return compat_detail::written(input, at::leaky_relu(compat_detail::source(input, options.inplace()), options.negative_slope()),
      options.inplace());
}

struct ELUFuncOptions {
  TORCH_ARG(double, alpha) = 1;
  TORCH_ARG(bool, inplace) = false;
};

inline Tensor elu(Tensor input, const ELUFuncOptions& options = {}) {
  return compat_detail::written(input, at::elu(compat_detail::source(input, options.inplace()), options.alpha()), options.inplace());
}

inline Tensor silu(const Tensor& input) { return at::silu(input); }

struct GELUFuncOptions {
  TORCH_ARG(std::string, approximate) = "none";
};

inline Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {}) {
  return at::gelu(input, options.approximate());
}

struct SoftplusFuncOptions {
  TORCH_ARG(double, beta) = 1;
  TORCH_ARG(double, threshold) = 20;
};

inline Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {}) {
  return at::softplus(input, options.beta(), options.threshold());
}

inline Tensor logsigmoid(const Tensor& input) { return at::log_sigmoid(input); }

inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return at::linear(input, weight, bias);
}

inline Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const
    Tensor& bias = {}) {
  return at::bilinear(input1, input2, weight, bias);
}

struct NormalizeFuncOptions {
  TORCH_ARG(double, p) = 2;
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-12;
};

inline Tensor normalize(const Tensor& input, const NormalizeFuncOptions& options = {}) {
  return input.div(input.norm(options.p(), at::IntArrayRef(options.dim()),
      true).clamp_min(options.eps()));
}

struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> shape) : normalized_shape_(std::move(shape)) {}
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(Tensor, bias);
  TORCH_ARG(double, eps) = 1e-5;
};

inline Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return at::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(),
      options.eps());
}

struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  TORCH_ARG(int64_t, num_groups);
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(Tensor, bias);
  TORCH_ARG(double, eps) = 1e-5;
};

inline Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options) {
  return at::group_norm(input, options.num_groups(), options.weight(), options.bias(),
      options.eps());
}

struct BatchNormFuncOptions {
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(Tensor, bias);
  TORCH_ARG(bool, training) = false;
  TORCH_ARG(std::optional<double>, momentum) = 0.1;
  TORCH_ARG(double, eps) = 1e-5;
};

inline Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor&
    running_var, const BatchNormFuncOptions& options = {}) {
  return at::batch_norm(input, options.weight(), options.bias(), running_mean, running_var,
      options.training(), *options.momentum(), options.eps(), false);
}

struct DropoutFuncOptions {
  TORCH_ARG(double, p) = 0.5;
  TORCH_ARG(bool, training) = true;
  TORCH_ARG(bool, inplace) = false;
};

inline Tensor dropout(Tensor input, const DropoutFuncOptions& options = {}) {
  return compat_detail::written(input, at::dropout(compat_detail::source(input, options.inplace()), options.p(), options.training()),
      options.inplace());
}

template <size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(bool, ceil_mode) = false;
  TORCH_ARG(bool, count_include_pad) = true;
  TORCH_ARG(std::optional<int64_t>, divisor_override);
};

using AvgPool1dFuncOptions = AvgPoolOptions<1>;

inline Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& options) {
  return at::avg_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
      options.ceil_mode(), options.count_include_pad());
}

using AvgPool2dFuncOptions = AvgPoolOptions<2>;

inline Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options) {
  return at::avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
      options.ceil_mode(), options.count_include_pad(), options.divisor_override());
}

using AvgPool3dFuncOptions = AvgPoolOptions<3>;

inline Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& options) {
  return at::avg_pool3d(input, options.kernel_size(), options.stride(), options.padding(),
      options.ceil_mode(), options.count_include_pad(), options.divisor_override());
}

template <size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(bool, ceil_mode) = false;
};

using MaxPool1dFuncOptions = MaxPoolOptions<1>;

inline Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options) {
  return at::max_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
      options.dilation(), options.ceil_mode());
}

using MaxPool2dFuncOptions = MaxPoolOptions<2>;

inline Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return at::max_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
      options.dilation(), options.ceil_mode());
}

using MaxPool3dFuncOptions = MaxPoolOptions<3>;

inline Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& options) {
  return at::max_pool3d(input, options.kernel_size(), options.stride(), options.padding(),
      options.dilation(), options.ceil_mode());
}

struct AdaptiveAvgPool1dFuncOptions {
  AdaptiveAvgPool1dFuncOptions(ExpandingArray<1> output_size) : output_size_(output_size) {}
  TORCH_ARG(ExpandingArray<1>, output_size);
};

inline Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions&
    options) {
  return at::adaptive_avg_pool1d(input, options.output_size());
}

struct AdaptiveAvgPool2dFuncOptions {
  AdaptiveAvgPool2dFuncOptions(ExpandingArray<2> output_size) : output_size_(output_size) {}
  TORCH_ARG(ExpandingArray<2>, output_size);
};

inline Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions&
    options) {
  return at::adaptive_avg_pool2d(input, options.output_size());
}

struct AdaptiveAvgPool3dFuncOptions {
  AdaptiveAvgPool3dFuncOptions(ExpandingArray<3> output_size) : output_size_(output_size) {}
  TORCH_ARG(ExpandingArray<3>, output_size);
};

inline Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions&
    options) {
  return at::adaptive_avg_pool3d(input, options.output_size());
}

struct MSELossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  MSELossFuncOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction) = kMean;
};

inline Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions&
    options = {}) {
  return at::mse_loss(input, target, compat_detail::reduction(options.reduction()));
}

struct L1LossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  L1LossFuncOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction) = kMean;
};

inline Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options
    = {}) {
  return at::l1_loss(input, target, compat_detail::reduction(options.reduction()));
}

struct SoftMarginLossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  SoftMarginLossFuncOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction) = kMean;
};

inline Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const
    SoftMarginLossFuncOptions& options = {}) {
  return at::soft_margin_loss(input, target, compat_detail::reduction(options.reduction()));
}

struct SmoothL1LossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  SmoothL1LossFuncOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction) = kMean;
  TORCH_ARG(std::optional<double>, beta);
};

inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const
    SmoothL1LossFuncOptions& options = {}) {
  return at::smooth_l1_loss(input, target, compat_detail::reduction(options.reduction()),
      options.beta().value_or(1));
}

struct HuberLossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  HuberLossFuncOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction) = kMean;
  TORCH_ARG(double, delta) = 1;
};

inline Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions&
    options = {}) {
  return at::huber_loss(input, target, compat_detail::reduction(options.reduction()),
      options.delta());
}

struct CrossEntropyFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(int64_t, ignore_index) = -100;
  TORCH_ARG(reduction_t, reduction) = kMean;
  TORCH_ARG(double, label_smoothing) = 0;
};

inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const
    CrossEntropyFuncOptions& options = {}) {
  return at::cross_entropy_loss(input, target, options.weight(),
      compat_detail::reduction(options.reduction()), options.ignore_index(),
      options.label_smoothing());
}

struct NLLLossFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(int64_t, ignore_index) = -100;
  TORCH_ARG(reduction_t, reduction) = kMean;
};

inline Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions&
    options = {}) {
  return at::nll_loss_nd(input, target, options.weight(),
      compat_detail::reduction(options.reduction()), options.ignore_index());
}

struct BinaryCrossEntropyFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(reduction_t, reduction) = kMean;
};

inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const
    BinaryCrossEntropyFuncOptions& options = {}) {
  return at::binary_cross_entropy(input, target, options.weight(),
      compat_detail::reduction(options.reduction()));
}

struct BinaryCrossEntropyWithLogitsFuncOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(Tensor, weight);
  TORCH_ARG(reduction_t, reduction) = kMean;
  TORCH_ARG(Tensor, pos_weight);
};

inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const
    BinaryCrossEntropyWithLogitsFuncOptions& options = {}) {
  return at::binary_cross_entropy_with_logits(input, target, options.weight(),
      options.pos_weight(), compat_detail::reduction(options.reduction()));
}

struct PixelShuffleFuncOptions {
  PixelShuffleFuncOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  TORCH_ARG(int64_t, upscale_factor);
};

inline Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options) {
  return at::pixel_shuffle(input, options.upscale_factor());
}

struct UnfoldFuncOptions {
  UnfoldFuncOptions(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}
  TORCH_ARG(ExpandingArray<2>, kernel_size);
  TORCH_ARG(ExpandingArray<2>, dilation) = 1;
  TORCH_ARG(ExpandingArray<2>, padding) = 0;
  TORCH_ARG(ExpandingArray<2>, stride) = 1;
};

inline Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options) {
  return at::im2col(input, options.kernel_size(), options.dilation(), options.padding(),
      options.stride());
}

struct CosineSimilarityFuncOptions {
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-8;
};

inline Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const
    CosineSimilarityFuncOptions& options = {}) {
  return at::cosine_similarity(x1, x2, options.dim(), options.eps());
}

inline Tensor one_hot(const Tensor& tensor, int64_t num_classes = -1) {
  return at::one_hot(tensor, num_classes);
}

}  // namespace nn::functional

}  // namespace torch
