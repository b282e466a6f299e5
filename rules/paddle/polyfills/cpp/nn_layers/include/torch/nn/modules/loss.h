#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

using L1LossOptions = functional::L1LossFuncOptions;

using MSELossOptions = functional::MSELossFuncOptions;

using SmoothL1LossOptions = functional::SmoothL1LossFuncOptions;

using HuberLossOptions = functional::HuberLossFuncOptions;

using SoftMarginLossOptions = functional::SoftMarginLossFuncOptions;

using NLLLossOptions = functional::NLLLossFuncOptions;

using CrossEntropyLossOptions = functional::CrossEntropyFuncOptions;

using BCELossOptions = functional::BinaryCrossEntropyFuncOptions;

using BCEWithLogitsLossOptions = functional::BinaryCrossEntropyWithLogitsFuncOptions;

}  // namespace torch::nn

namespace torch::nn::late {

template <typename T>
struct KLDivLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  KLDivLossOptions(reduction_t reduction = kMean) : reduction_(reduction) {}
  TORCH_ARG(reduction_t, reduction);
  TORCH_ARG(bool, log_target) = false;
};

template <typename T>
struct MarginRankingLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(double, margin) = 0;
  TORCH_ARG(reduction_t, reduction) = kMean;
};

template <typename T>
struct HingeEmbeddingLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(double, margin) = 1;
  TORCH_ARG(reduction_t, reduction) = kMean;
};

template <typename T>
struct TripletMarginLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(double, margin) = 1;
  TORCH_ARG(double, p) = 2;
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(bool, swap) = false;
  TORCH_ARG(reduction_t, reduction) = kMean;
};

template <typename T>
struct CTCLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(int64_t, blank) = 0;
  TORCH_ARG(reduction_t, reduction) = kMean;
  TORCH_ARG(bool, zero_infinity) = false;
};

template <typename T>
struct PoissonNLLLossOptions {
  using reduction_t = ::torch::compat_detail::Word;
  TORCH_ARG(bool, log_input) = true;
  TORCH_ARG(bool, full) = false;
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(reduction_t, reduction) = kMean;
};

// `batchmean` is the sum by the number of samples.
template <typename Options>
Tensor divergence(const Tensor& x, const Tensor& target, const Options& options) {
  const bool samples = options.reduction().text == torch::kBatchMean.text;
  const auto reduction = functional::compat_detail::reduction(
      samples ? std::string_view(torch::kSum.text) : options.reduction().text);
  const auto found = at::kl_div(x, target, reduction, options.log_target());
  return samples && x.dim() != 0 ? found.div(x.size(0)) : found;
}

#define PORTER_REDUCTION functional::compat_detail::reduction(options.reduction())

#define PORTER_LOSS(Name, Options, printed, code, ...)                               \
  template <typename T>                                                              \
  struct Name##Impl : compat_detail::Layer<Name##Impl<T>, Options> {                 \
    PORTER_LATE_OF(compat_detail::Layer<Name##Impl<T>, Options>);                    \
    void pretty_print(Stream& stream) const override {                               \
      stream << "torch::nn::" #Name << printed;                                      \
    }                                                                                \
    Tensor forward(__VA_ARGS__) { return code; }                                     \
  }

PORTER_LOSS(L1Loss, L1LossOptions, "()",
            functional::l1_loss(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(MSELoss, MSELossOptions, "()",
            functional::mse_loss(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(SmoothL1Loss, SmoothL1LossOptions, "",
            functional::smooth_l1_loss(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(HuberLoss, HuberLossOptions, "",
            functional::huber_loss(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(SoftMarginLoss, SoftMarginLossOptions, "()",
            functional::soft_margin_loss(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(KLDivLoss, KLDivLossOptions<T>, "()",
            divergence(x, y, options), const Tensor& x, const Tensor& y);
PORTER_LOSS(HingeEmbeddingLoss, HingeEmbeddingLossOptions<T>, "(margin=" << options.margin() << ")",
            at::hinge_embedding_loss(x, y, options.margin(), PORTER_REDUCTION), const Tensor& x,
            const Tensor& y);
PORTER_LOSS(MarginRankingLoss, MarginRankingLossOptions<T>, "()",
            at::margin_ranking_loss(x1, x2, y, options.margin(), PORTER_REDUCTION),
            const Tensor& x1, const Tensor& x2, const Tensor& y);
PORTER_LOSS(CosineEmbeddingLoss, MarginRankingLossOptions<T>, "(margin=" << options.margin() << ")",
            at::cosine_embedding_loss(x1, x2, y, options.margin(), PORTER_REDUCTION),
            const Tensor& x1, const Tensor& x2, const Tensor& y);
PORTER_LOSS(TripletMarginLoss, TripletMarginLossOptions<T>,
            std::boolalpha << "(margin=" << options.margin() << ", p=" << options.p()
                << ", eps=" << options.eps() << ", swap=" << options.swap() << ")",
            at::triplet_margin_loss(a, p, n, options.margin(), options.p(), options.eps(),
                                    options.swap(), PORTER_REDUCTION),
            const Tensor& a, const Tensor& p, const Tensor& n);
PORTER_LOSS(CTCLoss, CTCLossOptions<T>, "()",
            at::ctc_loss(x, y, x_lengths, y_lengths, options.blank(), PORTER_REDUCTION,
                         options.zero_infinity()),
            const Tensor& x, const Tensor& y, const Tensor& x_lengths, const Tensor& y_lengths);
PORTER_LOSS(PoissonNLLLoss, PoissonNLLLossOptions<T>, "()",
            at::poisson_nll_loss(x, y, options.log_input(), options.full(), options.eps(),
                                 PORTER_REDUCTION),
            const Tensor& x, const Tensor& y);

// With weights of the classes or the elements, which are buffers.
#define PORTER_WEIGHTED_LOSS(Name, function)                                         \
  template <typename T>                                                              \
  struct Name##Impl : Cloneable<Name##Impl<T>> {                                     \
    PORTER_LATE;                                                                     \
    explicit Name##Impl(const Name##Options& options_ = {}) : options(options_) {    \
      Name##Impl::reset();                                                           \
    }                                                                                \
    void reset() override { weight = this->register_buffer("weight", options.weight()); } \
    void pretty_print(Stream& stream) const override {                               \
      stream << "torch::nn::" #Name "()";                                            \
    }                                                                                \
    Tensor forward(const Tensor& input, const Tensor& target) {                      \
      return function(input, target, Name##Options(options).weight(weight));         \
    }                                                                                \
    Name##Options options;                                                           \
    Tensor weight;                                                                   \
  }

PORTER_WEIGHTED_LOSS(NLLLoss, functional::nll_loss);
PORTER_WEIGHTED_LOSS(CrossEntropyLoss, functional::cross_entropy);
PORTER_WEIGHTED_LOSS(BCELoss, functional::binary_cross_entropy);

template <typename T>
struct BCEWithLogitsLossImpl : Cloneable<BCEWithLogitsLossImpl<T>> {
  PORTER_LATE;
  explicit BCEWithLogitsLossImpl(const BCEWithLogitsLossOptions& options_ = {}) :
      options(options_) {
    BCEWithLogitsLossImpl::reset();
  }
  void reset() override {
    weight = this->register_buffer("weight", options.weight());
    pos_weight = this->register_buffer("pos_weight", options.pos_weight());
  }
  void pretty_print(Stream& stream) const override {
    stream << "torch::nn::BCEWithLogitsLoss()";
  }
  Tensor forward(const Tensor& input, const Tensor& target) {
    auto own = options;
    return functional::binary_cross_entropy_with_logits(
        input, target, own.weight(weight).pos_weight(pos_weight));
  }
  BCEWithLogitsLossOptions options;
  Tensor weight, pos_weight;
};

}  // namespace torch::nn::late

namespace torch::nn {

using KLDivLossOptions = late::KLDivLossOptions<void>;

using MarginRankingLossOptions = late::MarginRankingLossOptions<void>;

using HingeEmbeddingLossOptions = late::HingeEmbeddingLossOptions<void>;

using TripletMarginLossOptions = late::TripletMarginLossOptions<void>;

using CTCLossOptions = late::CTCLossOptions<void>;

using PoissonNLLLossOptions = late::PoissonNLLLossOptions<void>;

using CosineEmbeddingLossOptions = MarginRankingLossOptions;

PORTER_NAMED(L1Loss);
PORTER_NAMED(MSELoss);
PORTER_NAMED(SmoothL1Loss);
PORTER_NAMED(HuberLoss);
PORTER_NAMED(SoftMarginLoss);
PORTER_NAMED(KLDivLoss);
PORTER_NAMED(HingeEmbeddingLoss);
PORTER_NAMED(MarginRankingLoss);
PORTER_NAMED(CosineEmbeddingLoss);
PORTER_NAMED(TripletMarginLoss);
PORTER_NAMED(CTCLoss);
PORTER_NAMED(PoissonNLLLoss);
PORTER_NAMED(NLLLoss);
PORTER_NAMED(CrossEntropyLoss);
PORTER_NAMED(BCELoss);
PORTER_NAMED(BCEWithLogitsLoss);

}  // namespace torch::nn
