#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>

namespace torch::nn {

struct LinearOptions {
  LinearOptions(int64_t in, int64_t out) : in_features_(in), out_features_(out) {}
  TORCH_ARG(int64_t, in_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};

struct BilinearOptions {
  BilinearOptions(int64_t in1, int64_t in2, int64_t out) :
      in1_features_(in1), in2_features_(in2), out_features_(out) {}
  TORCH_ARG(int64_t, in1_features);
  TORCH_ARG(int64_t, in2_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};

struct FlattenOptions {
  TORCH_ARG(int64_t, start_dim) = 1;
  TORCH_ARG(int64_t, end_dim) = -1;
};

struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::vector<int64_t>, sizes);
};

PORTER_LAYER(Identity, compat_detail::NoOptions, "", x);
PORTER_LAYER(Flatten, FlattenOptions,
             "start_dim=" << options.start_dim() << ", end_dim=" << options.end_dim(),
             x.flatten(options.start_dim(), options.end_dim()));

struct UnflattenImpl : Cloneable<UnflattenImpl> {
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes) :
      UnflattenImpl(UnflattenOptions(dim, std::move(sizes))) {}
  explicit UnflattenImpl(const UnflattenOptions& options_) : options(options_) {}
  void reset() override {}
  PORTER_LAYER_BODY(
      Unflatten,
      "dim=" << options.dim() << ", unflattened_size=" << at::IntArrayRef(options.sizes()),
      const Tensor& input, input.unflatten(options.dim(), options.sizes()))
  UnflattenOptions options;
};

TORCH_MODULE(Unflatten);

struct LinearImpl : Cloneable<LinearImpl> {
  LinearImpl(int64_t in, int64_t out) : LinearImpl(LinearOptions(in, out)) {}
  explicit LinearImpl(const LinearOptions& options_) : options(options_) { LinearImpl::reset(); }
  void reset() override {
    weight = register_parameter(
        "weight", at::empty({options.out_features(), options.in_features()}));
    bias = options.bias() ? register_parameter("bias", at::empty({options.out_features()})) :
        register_parameter("bias", {}, false);
    reset_parameters();
  }
  void reset_parameters() {
    init::kaiming_uniform_(weight, std::sqrt(5));
    if (!bias.defined()) return;
    const auto bound = 1 / std::sqrt(options.in_features());
    init::uniform_(bias, -bound, bound);
  }
  PORTER_LAYER_BODY(
      Linear,
      "in_features=" << options.in_features() << ", out_features=" << options.out_features()
          << ", bias=" << options.bias(),
      const Tensor& input, at::linear(input, weight, bias))
  LinearOptions options;
  Tensor weight, bias;
};

TORCH_MODULE(Linear);

struct BilinearImpl : Cloneable<BilinearImpl> {
  BilinearImpl(int64_t in1, int64_t in2, int64_t out) :
      BilinearImpl(BilinearOptions(in1, in2, out)) {}
  explicit BilinearImpl(const BilinearOptions& options_) : options(options_) {
    BilinearImpl::reset();
  }
  void reset() override {
    weight = register_parameter(
        "weight",
        at::empty({options.out_features(), options.in1_features(), options.in2_features()}));
    bias = options.bias() ? register_parameter("bias", at::empty({options.out_features()})) :
        register_parameter("bias", {}, false);
    reset_parameters();
  }
  void reset_parameters() {
    const auto bound = 1 / std::sqrt(options.in1_features());
    init::uniform_(weight, -bound, bound);
    if (bias.defined()) init::uniform_(bias, -bound, bound);
  }
  void pretty_print(std::ostream& stream) const override {
    stream << std::boolalpha << "torch::nn::Bilinear(in1_features=" << options.in1_features()
           << ", in2_features=" << options.in2_features()
           << ", out_features=" << options.out_features() << ", bias=" << options.bias() << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::bilinear(input1, input2, weight, bias);
  }
  BilinearOptions options;
  Tensor weight, bias;
};

TORCH_MODULE(Bilinear);

}  // namespace torch::nn
