#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>

namespace torch::nn::late {

template <typename T>
struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> shape) : normalized_shape_(std::move(shape)) {}
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, elementwise_affine) = true;
};

template <typename T>
struct GroupNormOptions {
  GroupNormOptions(int64_t groups, int64_t channels) :
      num_groups_(groups), num_channels_(channels) {}
  TORCH_ARG(int64_t, num_groups);
  TORCH_ARG(int64_t, num_channels);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, affine) = true;
};

template <typename T>
struct BatchNormOptions {
  BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(std::optional<double>, momentum) = 0.1;
  TORCH_ARG(bool, affine) = true;
  TORCH_ARG(bool, track_running_stats) = true;
};

template <typename T>
struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features) : num_features_(num_features) {}
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(double, momentum) = 0.1;
  TORCH_ARG(bool, affine) = false;
  TORCH_ARG(bool, track_running_stats) = false;
};

// A factor and a summand for each feature, if a layer has them.
template <typename Derived>
struct AffineLayer : Cloneable<Derived> {
  void register_affine(bool affine, at::IntArrayRef shape) {
    weight = affine ? this->register_parameter("weight", at::ones(shape)) :
        this->register_parameter("weight", {}, false);
    bias = affine ? this->register_parameter("bias", at::zeros(shape)) :
        this->register_parameter("bias", {}, false);
  }
  void reset_parameters() {
    if (weight.defined()) init::ones_(weight);
    if (bias.defined()) init::zeros_(bias);
  }
  Tensor weight, bias;
};

// With statistics of what it was given in training.
template <typename Derived, typename Options>
struct RunningLayer : AffineLayer<Derived> {
  RunningLayer(const Options& options_) : options(options_) { RunningLayer::reset(); }
  void reset() override {
    const auto count = options.num_features();
    const bool tracked = options.track_running_stats();
    this->register_affine(options.affine(), {count});
    running_mean = this->register_buffer("running_mean", tracked ? at::zeros({count}) : Tensor());
    running_var = this->register_buffer("running_var", tracked ? at::ones({count}) : Tensor());
    num_batches_tracked = this->register_buffer(
        "num_batches_tracked", tracked ? at::zeros({}, at::TensorOptions(at::kLong)) : Tensor());
  }
  void reset_running_stats() {
    if (!options.track_running_stats()) return;
    running_mean.zero_();
    running_var.fill_(1);
    num_batches_tracked.zero_();
  }
  void reset_parameters() {
    reset_running_stats();
    AffineLayer<Derived>::reset_parameters();
  }
  void check_dims(const Tensor& input, size_t dims, bool alone) {
    const auto given = size_t(input.dim());
    TORCH_CHECK(
        given == dims + 2 || (alone && given == dims + 1), "expected ", dims + 2,
        "D input (got ", given, "D input)");
  }
  void print(std::ostream& stream, const char* name, size_t dims) const {
    stream << std::boolalpha << "torch::nn::" << name << dims << "d(" << options.num_features()
           << ", eps=" << options.eps() << ", momentum=";
    const std::optional<double> momentum = options.momentum();
    if (momentum) stream << *momentum;
    else stream << "None";
    stream << ", affine=" << options.affine()
           << ", track_running_stats=" << options.track_running_stats() << ")";
  }
  Options options;
  Tensor running_mean, running_var, num_batches_tracked;
};

template <size_t D, typename Derived, typename T>
struct BatchNormLayer : RunningLayer<Derived, BatchNormOptions<T>> {
  using RunningLayer<Derived, BatchNormOptions<T>>::RunningLayer;
  void pretty_print(std::ostream& stream) const override { this->print(stream, "BatchNorm", D); }
  Tensor forward(const Tensor& input) {
    const auto& options = this->options;
    this->check_dims(input, D, D == 1);
    double factor = options.momentum().value_or(0);
    if (this->is_training() && options.track_running_stats()) {
      this->num_batches_tracked.add_(1);
      if (!options.momentum()) factor = 1 / this->num_batches_tracked.template item<double>();
    }
    return at::batch_norm(
        input, this->weight, this->bias, this->running_mean, this->running_var,
        this->is_training() || !options.track_running_stats(), factor, options.eps(), false);
  }
};

template <size_t D, typename Derived, typename T>
struct InstanceNormLayer : RunningLayer<Derived, InstanceNormOptions<T>> {
  using RunningLayer<Derived, InstanceNormOptions<T>>::RunningLayer;
  void pretty_print(std::ostream& stream) const override {
    this->print(stream, "InstanceNorm", D);
  }
  Tensor forward(const Tensor& input) {
    const auto& options = this->options;
    this->check_dims(input, D, true);
    const bool single = input.dim() == D + 1;
    const auto found = at::instance_norm(
        single ? input.unsqueeze(0) : input, this->weight, this->bias, this->running_mean,
        this->running_var, this->is_training() || !options.track_running_stats(),
        options.momentum(), options.eps(), false);
    return single ? found.squeeze(0) : found;
  }
};

#define PORTER_NORM(Kind, D)                                                             \
  template <typename T>                                                                  \
  struct Kind##D##dImpl : Kind##Layer<D, Kind##D##dImpl<T>, T> {                         \
    using Base = Kind##Layer<D, Kind##D##dImpl<T>, T>;                                   \
    using Base::Base;                                                                    \
  }

PORTER_NORM(BatchNorm, 1);
PORTER_NORM(BatchNorm, 2);
PORTER_NORM(BatchNorm, 3);
PORTER_NORM(InstanceNorm, 1);
PORTER_NORM(InstanceNorm, 2);
PORTER_NORM(InstanceNorm, 3);

template <typename T>
struct LayerNormImpl : AffineLayer<LayerNormImpl<T>> {
  PORTER_LATE;
  LayerNormImpl(std::vector<int64_t> shape) :
      LayerNormImpl(LayerNormOptions<T>(std::move(shape))) {}
  explicit LayerNormImpl(const LayerNormOptions<T>& options_) : options(options_) {
    LayerNormImpl::reset();
  }
  void reset() override {
    this->register_affine(options.elementwise_affine(), options.normalized_shape());
  }
  PORTER_LAYER_BODY(
      LayerNorm,
      std::boolalpha << at::IntArrayRef(options.normalized_shape()) << ", eps=" << options.eps()
          << ", elementwise_affine=" << options.elementwise_affine(),
      const Tensor& input,
      at::layer_norm(input, options.normalized_shape(), this->weight, this->bias, options.eps()))
  LayerNormOptions<T> options;
};

template <typename T>
struct GroupNormImpl : AffineLayer<GroupNormImpl<T>> {
  PORTER_LATE;
  GroupNormImpl(int64_t groups, int64_t channels) :
      GroupNormImpl(GroupNormOptions<T>(groups, channels)) {}
  explicit GroupNormImpl(const GroupNormOptions<T>& options_) : options(options_) {
    GroupNormImpl::reset();
  }
  void reset() override { this->register_affine(options.affine(), {options.num_channels()}); }
  PORTER_LAYER_BODY(
      GroupNorm,
      std::boolalpha << options.num_groups() << ", " << options.num_channels()
          << ", eps=" << options.eps()
          << ", affine=" << options.affine(),
      const Tensor& input,
      at::group_norm(input, options.num_groups(), this->weight, this->bias, options.eps()))
  GroupNormOptions<T> options;
};

}  // namespace torch::nn::late

namespace torch::nn {

using LayerNormOptions = late::LayerNormOptions<void>;

using GroupNormOptions = late::GroupNormOptions<void>;

using BatchNormOptions = late::BatchNormOptions<void>;

using InstanceNormOptions = late::InstanceNormOptions<void>;

using BatchNorm1dOptions = BatchNormOptions;

using BatchNorm2dOptions = BatchNormOptions;

using BatchNorm3dOptions = BatchNormOptions;

using InstanceNorm1dOptions = InstanceNormOptions;

using InstanceNorm2dOptions = InstanceNormOptions;

using InstanceNorm3dOptions = InstanceNormOptions;

PORTER_NAMED(BatchNorm1d);
PORTER_NAMED(BatchNorm2d);
PORTER_NAMED(BatchNorm3d);
PORTER_NAMED(InstanceNorm1d);
PORTER_NAMED(InstanceNorm2d);
PORTER_NAMED(InstanceNorm3d);
PORTER_NAMED(LayerNorm);
PORTER_NAMED(GroupNorm);

}  // namespace torch::nn
