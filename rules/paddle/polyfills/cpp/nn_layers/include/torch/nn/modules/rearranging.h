#pragma once

#include <porter_compat/layers.h>

namespace torch::nn {

using CosineSimilarityOptions = functional::CosineSimilarityFuncOptions;

using PixelShuffleOptions = functional::PixelShuffleFuncOptions;

using UnfoldOptions = functional::UnfoldFuncOptions;

struct PairwiseDistanceOptions {
  TORCH_ARG(double, p) = 2;
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(bool, keepdim) = false;
};

struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  TORCH_ARG(int64_t, downscale_factor);
};

struct UpsampleOptions {
  using mode_t = ::torch::compat_detail::Word;
  TORCH_ARG(std::optional<std::vector<int64_t>>, size);
  TORCH_ARG(std::optional<std::vector<double>>, scale_factor);
  TORCH_ARG(mode_t, mode) = kNearest;
  TORCH_ARG(std::optional<bool>, align_corners);
};

PORTER_LAYER_OF(PixelShuffle, int64_t, "upscale_factor=" << options.upscale_factor(),
                at::pixel_shuffle(x, options.upscale_factor()));
PORTER_LAYER_OF(PixelUnshuffle, int64_t, "downscale_factor=" << options.downscale_factor(),
                at::pixel_unshuffle(x, options.downscale_factor()));

struct UnfoldImpl : compat_detail::LayerOf<UnfoldImpl, UnfoldOptions, ExpandingArray<2>> {
  using LayerOf::LayerOf;
  void pretty_print(std::ostream& stream) const override {
    compat_detail::put(stream, "torch::nn::Unfold(kernel_size=", options.kernel_size());
    compat_detail::put(stream, ", dilation=", options.dilation());
    compat_detail::put(stream, ", padding=", options.padding());
    compat_detail::put(stream, ", stride=", options.stride()) << ')';
  }
  Tensor forward(const Tensor& input) { return functional::unfold(input, options); }
};

TORCH_MODULE(Unfold);

struct CosineSimilarityImpl : compat_detail::Layer<CosineSimilarityImpl, CosineSimilarityOptions> {
  using Layer::Layer;
  void pretty_print(std::ostream& stream) const override {
    stream << "torch::nn::CosineSimilarity(dim=" << options.dim() << ", eps=" << options.eps()
           << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::cosine_similarity(input1, input2, options.dim(), options.eps());
  }
};

TORCH_MODULE(CosineSimilarity);

struct PairwiseDistanceImpl : compat_detail::Layer<PairwiseDistanceImpl, PairwiseDistanceOptions> {
  using Layer::Layer;
  void pretty_print(std::ostream& stream) const override {
    stream << std::boolalpha << "torch::nn::PairwiseDistance(p=" << options.p()
           << ", eps=" << options.eps() << ", keepdim=" << options.keepdim() << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::pairwise_distance(input1, input2, options.p(), options.eps(), options.keepdim());
  }
};

TORCH_MODULE(PairwiseDistance);

struct UpsampleImpl : compat_detail::Layer<UpsampleImpl, UpsampleOptions> {
  using Layer::Layer;
  void pretty_print(std::ostream& stream) const override {
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

TORCH_MODULE(Upsample);

}  // namespace torch::nn
