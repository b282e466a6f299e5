#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

using ReLUOptions = functional::ReLUFuncOptions;

using ReLU6Options = functional::ReLU6FuncOptions;

using LeakyReLUOptions = functional::LeakyReLUFuncOptions;

using ELUOptions = functional::ELUFuncOptions;

using GELUOptions = functional::GELUFuncOptions;

using SoftplusOptions = functional::SoftplusFuncOptions;

}  // namespace torch::nn

namespace torch::nn::late {

template <typename T>
struct SELUOptions {
  SELUOptions(bool inplace = false) : inplace_(inplace) {}
  TORCH_ARG(bool, inplace);
};

template <typename T>
struct CELUOptions {
  TORCH_ARG(double, alpha) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};

template <typename T>
struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  TORCH_ARG(int64_t, dim);
};

template <typename T>
struct HardshrinkOptions {
  HardshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  TORCH_ARG(double, lambda);
};

template <typename T>
struct HardtanhOptions {
  TORCH_ARG(double, min_val) = -1.0;
  TORCH_ARG(double, max_val) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};

template <typename T>
struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  TORCH_ARG(int64_t, dim);
};

template <typename T>
struct PReLUOptions {
  TORCH_ARG(int64_t, num_parameters) = 1;
  TORCH_ARG(double, init) = 0.25;
};

template <typename T>
struct RReLUOptions {
  TORCH_ARG(double, lower) = 1.0 / 8;
  TORCH_ARG(double, upper) = 1.0 / 3;
  TORCH_ARG(bool, inplace) = false;
};

template <typename T>
struct ThresholdOptions {
  ThresholdOptions(double threshold, double value) : threshold_(threshold), value_(value) {}
  TORCH_ARG(double, threshold);
  TORCH_ARG(double, value);
  TORCH_ARG(bool, inplace) = false;
};

// Where it is computed: in a tensor of its own, or in the one that was given.
template <typename Tensor, typename Function>
Tensor applied(Tensor& x, bool inplace, const Function& function) {
  using namespace functional::compat_detail;
  return written(x, function(source(x, inplace)), inplace);
}

#define PORTER_APPLIED(code) \
  applied(x, options.inplace(), [&, this](const Tensor& x) { return code; })

PORTER_LAYER(ReLU, ReLUOptions, compat_detail::in_place(options.inplace(), true),
             PORTER_APPLIED(at::relu(x)));
PORTER_LAYER(ReLU6, ReLU6Options, compat_detail::in_place(options.inplace(), true),
             PORTER_APPLIED(at::relu6(x)));
PORTER_LAYER(SELU, SELUOptions<T>, compat_detail::in_place(options.inplace(), true),
             PORTER_APPLIED(at::selu(x)));
PORTER_LAYER(ELU, ELUOptions,
             "alpha=" << options.alpha() << compat_detail::in_place(options.inplace()),
             PORTER_APPLIED(at::elu(x, options.alpha())));
PORTER_LAYER(CELU, CELUOptions<T>,
             "alpha=" << options.alpha() << compat_detail::in_place(options.inplace()),
             PORTER_APPLIED(at::celu(x, options.alpha())));
PORTER_LAYER(LeakyReLU, LeakyReLUOptions,
             "negative_slope=" << options.negative_slope()
                 << compat_detail::in_place(options.inplace()),
             PORTER_APPLIED(at::leaky_relu(x, options.negative_slope())));
PORTER_LAYER(Hardtanh, HardtanhOptions<T>,
             "min_val=" << options.min_val() << ", max_val=" << options.max_val()
                 << compat_detail::in_place(options.inplace()),
             PORTER_APPLIED(at::hardtanh(x, options.min_val(), options.max_val())));
PORTER_LAYER(RReLU, RReLUOptions<T>,
             "lower=" << options.lower() << ", upper=" << options.upper()
                 << compat_detail::in_place(options.inplace()),
             PORTER_APPLIED(at::rrelu(x, options.lower(), options.upper(), this->is_training())));
PORTER_LAYER(GELU, GELUOptions, "", at::gelu(x, options.approximate()));
PORTER_LAYER(GLU, GLUOptions<T>, "dim=" << options.dim(), at::glu(x, options.dim()));
PORTER_LAYER(Hardshrink, HardshrinkOptions<T>, options.lambda(),
             at::hardshrink(x, options.lambda()));
PORTER_LAYER(Softshrink, HardshrinkOptions<T>, options.lambda(),
             at::softshrink(x, options.lambda()));
PORTER_LAYER(Softplus, SoftplusOptions,
             "beta=" << options.beta() << ", threshold=" << options.threshold(),
             at::softplus(x, options.beta(), options.threshold()));
PORTER_LAYER(Sigmoid, compat_detail::NoOptions, "", at::sigmoid(x));
PORTER_LAYER(LogSigmoid, compat_detail::NoOptions, "", at::log_sigmoid(x));
PORTER_LAYER(Tanh, compat_detail::NoOptions, "", at::tanh(x));
PORTER_LAYER(Tanhshrink, compat_detail::NoOptions, "", x - at::tanh(x));
PORTER_LAYER(Softsign, compat_detail::NoOptions, "", x / (at::abs(x) + 1));
PORTER_LAYER(SiLU, compat_detail::NoOptions, "", at::silu(x));
PORTER_LAYER(Mish, compat_detail::NoOptions, "", at::mish(x));
PORTER_LAYER_OF(Softmax, SoftmaxOptions<T>, int64_t, "dim=" << options.dim(),
                at::softmax(x, options.dim()));
PORTER_LAYER_OF(Softmin, SoftmaxOptions<T>, int64_t, "dim=" << options.dim(),
                at::softmax(-x, options.dim()));
PORTER_LAYER_OF(LogSoftmax, SoftmaxOptions<T>, int64_t, "dim=" << options.dim(),
                at::log_softmax(x, options.dim()));

template <typename T>
struct Softmax2dImpl : compat_detail::Layer<Softmax2dImpl<T>, compat_detail::NoOptions> {
  PORTER_LATE;
  void pretty_print(Stream& stream) const override { stream << "torch::nn::Softmax2d()"; }
  Tensor forward(const Tensor& input) {
    TORCH_CHECK(
        input.dim() == 4 || input.dim() == 3, "Softmax2d requires a 3D or 4D tensor as input");
    return at::softmax(input, -3);
  }
};

template <typename T>
struct ThresholdImpl : Cloneable<ThresholdImpl<T>> {
  PORTER_LATE;
  ThresholdImpl(double threshold, double value) :
      ThresholdImpl(ThresholdOptions<T>(threshold, value)) {}
  explicit ThresholdImpl(const ThresholdOptions<T>& options_) : options(options_) {}
  void reset() override {}
  PORTER_LAYER_BODY(
      Threshold,
      "threshold=" << options.threshold() << ", value=" << options.value()
          << compat_detail::in_place(options.inplace()),
      Tensor x, PORTER_APPLIED(at::threshold(x, options.threshold(), options.value())))
  ThresholdOptions<T> options;
};

template <typename T>
struct PReLUImpl : Cloneable<PReLUImpl<T>> {
  PORTER_LATE;
  explicit PReLUImpl(const PReLUOptions<T>& options_ = {}) : options(options_) { reset(); }
  void reset() override {
    weight = this->register_parameter(
        "weight", at::full({options.num_parameters()}, options.init()));
  }
  PORTER_LAYER_BODY(
      PReLU, "num_parameters=" << options.num_parameters(), const Tensor& input,
      at::prelu(input, weight))
  PReLUOptions<T> options;
  Tensor weight;
};

}  // namespace torch::nn::late

namespace torch::nn {

using SELUOptions = late::SELUOptions<void>;

using CELUOptions = late::CELUOptions<void>;

using GLUOptions = late::GLUOptions<void>;

using HardshrinkOptions = late::HardshrinkOptions<void>;

using HardtanhOptions = late::HardtanhOptions<void>;

using SoftmaxOptions = late::SoftmaxOptions<void>;

using PReLUOptions = late::PReLUOptions<void>;

using RReLUOptions = late::RReLUOptions<void>;

using ThresholdOptions = late::ThresholdOptions<void>;

using SoftshrinkOptions = HardshrinkOptions;

using SoftminOptions = SoftmaxOptions;

using LogSoftmaxOptions = SoftmaxOptions;

PORTER_NAMED(ReLU);
PORTER_NAMED(ReLU6);
PORTER_NAMED(SELU);
PORTER_NAMED(ELU);
PORTER_NAMED(CELU);
PORTER_NAMED(LeakyReLU);
PORTER_NAMED(Hardtanh);
PORTER_NAMED(RReLU);
PORTER_NAMED(GELU);
PORTER_NAMED(GLU);
PORTER_NAMED(Hardshrink);
PORTER_NAMED(Softshrink);
PORTER_NAMED(Softplus);
PORTER_NAMED(Sigmoid);
PORTER_NAMED(LogSigmoid);
PORTER_NAMED(Tanh);
PORTER_NAMED(Tanhshrink);
PORTER_NAMED(Softsign);
PORTER_NAMED(SiLU);
PORTER_NAMED(Mish);
PORTER_NAMED(Softmax);
PORTER_NAMED(Softmin);
PORTER_NAMED(LogSoftmax);
PORTER_NAMED(Softmax2d);
PORTER_NAMED(Threshold);
PORTER_NAMED(PReLU);

}  // namespace torch::nn
