#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  TORCH_ARG(double, p);
  TORCH_ARG(bool, inplace) = false;
};

using Dropout2dOptions = DropoutOptions;

using Dropout3dOptions = DropoutOptions;

using AlphaDropoutOptions = DropoutOptions;

using FeatureAlphaDropoutOptions = DropoutOptions;

namespace compat_detail {

template <typename Derived>
struct DropoutLayer : Cloneable<Derived> {
  DropoutLayer(double p) : DropoutLayer(DropoutOptions(p)) {}
  explicit DropoutLayer(const DropoutOptions& options_ = {}) : options(options_) {
    DropoutLayer::reset();
  }
  void reset() override {
    TORCH_CHECK(
        options.p() >= 0 && options.p() <= 1,
        "dropout probability has to be between 0 and 1, but got ", options.p());
  }
  DropoutOptions options;
};

}  // namespace compat_detail

#define PORTER_DROPOUT(Name, function)                                                        \
  struct Name##Impl : compat_detail::DropoutLayer<Name##Impl> {                               \
    using compat_detail::DropoutLayer<Name##Impl>::DropoutLayer;                              \
    PORTER_LAYER_BODY(                                                                        \
        Name, "p=" << options.p() << ", inplace=" << options.inplace(), Tensor x,             \
        functional::compat_detail::written(                                                   \
            x, at::function(functional::compat_detail::source(x, options.inplace()),          \
                            options.p(), this->is_training()), options.inplace()))            \
  };                                                                                          \
  TORCH_MODULE(Name)

PORTER_DROPOUT(Dropout, dropout);
PORTER_DROPOUT(Dropout2d, feature_dropout);
PORTER_DROPOUT(Dropout3d, feature_dropout);
PORTER_DROPOUT(AlphaDropout, alpha_dropout);
PORTER_DROPOUT(FeatureAlphaDropout, feature_alpha_dropout);

}  // namespace torch::nn
