#pragma once

#include <porter_compat/layers.h>

namespace torch::nn::late {

template <typename T>
struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  TORCH_ARG(double, p);
  TORCH_ARG(bool, inplace) = false;
};

template <typename Derived, typename T>
struct DropoutLayer : Cloneable<Derived> {
  DropoutLayer(double p) : DropoutLayer(DropoutOptions<T>(p)) {}
  explicit DropoutLayer(const DropoutOptions<T>& options_ = {}) : options(options_) {
    DropoutLayer::reset();
  }
  void reset() override {
    TORCH_CHECK(
        options.p() >= 0 && options.p() <= 1,
        "dropout probability has to be between 0 and 1, but got ", options.p());
  }
  DropoutOptions<T> options;
};

#define PORTER_DROPOUT(Name, function)                                                        \
  template <typename T>                                                                       \
  struct Name##Impl : DropoutLayer<Name##Impl<T>, T> {                                        \
    PORTER_LATE_OF(DropoutLayer<Name##Impl<T>, T>);                                           \
    PORTER_LAYER_BODY(                                                                        \
        Name, std::boolalpha << "p=" << options.p() << ", inplace=" << options.inplace(),     \
        Tensor x,                                                                             \
        functional::compat_detail::written(                                                   \
            x, at::function(functional::compat_detail::source(x, options.inplace()),          \
                            options.p(), this->is_training()), options.inplace()))            \
  }

PORTER_DROPOUT(Dropout, dropout);
PORTER_DROPOUT(Dropout2d, feature_dropout);
PORTER_DROPOUT(Dropout3d, feature_dropout);
PORTER_DROPOUT(AlphaDropout, alpha_dropout);
PORTER_DROPOUT(FeatureAlphaDropout, feature_alpha_dropout);

}  // namespace torch::nn::late

namespace torch::nn {

using DropoutOptions = late::DropoutOptions<void>;

using Dropout2dOptions = DropoutOptions;

using Dropout3dOptions = DropoutOptions;

using AlphaDropoutOptions = DropoutOptions;

using FeatureAlphaDropoutOptions = DropoutOptions;

PORTER_NAMED(Dropout);
PORTER_NAMED(Dropout2d);
PORTER_NAMED(Dropout3d);
PORTER_NAMED(AlphaDropout);
PORTER_NAMED(FeatureAlphaDropout);

}  // namespace torch::nn
