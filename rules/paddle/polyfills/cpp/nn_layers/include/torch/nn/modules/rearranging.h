#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

using CosineSimilarityOptions = functional::CosineSimilarityFuncOptions;

using PixelShuffleOptions = functional::PixelShuffleFuncOptions;

using UnfoldOptions = functional::UnfoldFuncOptions;

}  // namespace torch::nn

namespace torch::nn::late {

template <typename T>
struct PairwiseDistanceOptions {
  TORCH_ARG(double, p) = 2;
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(bool, keepdim) = false;
};

template <typename T>
struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  TORCH_ARG(int64_t, downscale_factor);
};

template <typename T>
struct UpsampleOptions {
  using mode_t = ::torch::compat_detail::Word;
  TORCH_ARG(std::optional<std::vector<int64_t>>, size);
  TORCH_ARG(std::optional<std::vector<double>>, scale_factor);
  TORCH_ARG(mode_t, mode) = kNearest;
  TORCH_ARG(std::optional<bool>, align_corners);
};

PORTER_LAYER_OF(PixelShuffle, PixelShuffleOptions, int64_t,
                "upscale_factor=" << options.upscale_factor(),
                at::pixel_shuffle(x, options.upscale_factor()));
PORTER_LAYER_OF(PixelUnshuffle, PixelUnshuffleOptions<T>, int64_t,
                "downscale_factor=" << options.downscale_factor(),
                at::pixel_unshuffle(x, options.downscale_factor()));

template <typename T>
struct UnfoldImpl : compat_detail::LayerOf<UnfoldImpl<T>, UnfoldOptions, ExpandingArray<2>> {
  PORTER_LATE_OF(compat_detail::LayerOf<UnfoldImpl<T>, UnfoldOptions, ExpandingArray<2>>);
  void pretty_print(Stream& stream) const override {
    compat_detail::put(stream, "torch::nn::Unfold(kernel_size=", options.kernel_size());
    compat_detail::put(stream, ", dilation=", options.dilation());
    compat_detail::put(stream, ", padding=", options.padding());
    compat_detail::put(stream, ", stride=", options.stride()) << ')';
  }
  Tensor forward(const Tensor& input) { return functional::unfold(input, options); }
};

template <typename T>
struct CosineSimilarityImpl
    : compat_detail::Layer<CosineSimilarityImpl<T>, CosineSimilarityOptions> {
  PORTER_LATE_OF(compat_detail::Layer<CosineSimilarityImpl<T>, CosineSimilarityOptions>);
  void pretty_print(Stream& stream) const override {
    stream << "torch::nn::CosineSimilarity(dim=" << options.dim() << ", eps=" << options.eps()
           << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::cosine_similarity(input1, input2, options.dim(), options.eps());
  }
};

template <typename T>
struct PairwiseDistanceImpl
    : compat_detail::Layer<PairwiseDistanceImpl<T>, PairwiseDistanceOptions<T>> {
  PORTER_LATE_OF(compat_detail::Layer<PairwiseDistanceImpl<T>, PairwiseDistanceOptions<T>>);
  void pretty_print(Stream& stream) const override {
    stream << std::boolalpha << "torch::nn::PairwiseDistance(p=" << options.p()
           << ", eps=" << options.eps() << ", keepdim=" << options.keepdim() << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::pairwise_distance(input1, input2, options.p(), options.eps(), options.keepdim());
  }
};

template <typename T>
struct UpsampleImpl : compat_detail::Layer<UpsampleImpl<T>, UpsampleOptions<T>> {
  PORTER_LATE_OF(compat_detail::Layer<UpsampleImpl<T>, UpsampleOptions<T>>);
  void pretty_print(Stream& stream) const override {
    const auto mode = options.mode().text;
    stream << "torch::nn::Upsample(";
    if (const auto& factors = options.scale_factor()) {
      stream << "scale_factor=" << at::ArrayRef<double>(*factors);
    } else if (options.size()) {
      stream << "size=" << at::IntArrayRef(*options.size());
    }
    stream << ", mode=k" << char(mode[0] - 'a' + 'A') << mode.substr(1) << ")";
  }
  Tensor forward(const Tensor& input) {
    return functional::interpolate(
        input, functional::InterpolateFuncOptions()
                   .size(options.size())
                   .scale_factor(options.scale_factor())
                   .mode(options.mode())
                   .align_corners(options.align_corners()));
  }
};

}  // namespace torch::nn::late

namespace torch::nn {

using PairwiseDistanceOptions = late::PairwiseDistanceOptions<void>;

using PixelUnshuffleOptions = late::PixelUnshuffleOptions<void>;

using UpsampleOptions = late::UpsampleOptions<void>;

PORTER_NAMED(PixelShuffle);
PORTER_NAMED(PixelUnshuffle);
PORTER_NAMED(Unfold);
PORTER_NAMED(CosineSimilarity);
PORTER_NAMED(PairwiseDistance);
PORTER_NAMED(Upsample);

}  // namespace torch::nn
