#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>

namespace torch::nn::late {

template <typename T>
struct LinearOptions {
  LinearOptions(int64_t in, int64_t out) : in_features_(in), out_features_(out) {}
  TORCH_ARG(int64_t, in_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};

template <typename T>
struct BilinearOptions {
  BilinearOptions(int64_t in1, int64_t in2, int64_t out) :
      in1_features_(in1), in2_features_(in2), out_features_(out) {}
  TORCH_ARG(int64_t, in1_features);
  TORCH_ARG(int64_t, in2_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};

template <typename T>
struct FlattenOptions {
  TORCH_ARG(int64_t, start_dim) = 1;
  TORCH_ARG(int64_t, end_dim) = -1;
};

template <typename T>
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::vector<int64_t>, sizes);
};

// As torch prints the sizes of an Unflatten.
template <typename Sizes>
std::string braced(const Sizes& sizes) {
  std::string text = "{";
  for (const auto size : sizes) text += (text.size() == 1 ? "" : ", ") + std::to_string(size);
  return text + "}";
}

PORTER_LAYER(Identity, compat_detail::NoOptions, "", x);
PORTER_LAYER(Flatten, FlattenOptions<T>,
             "start_dim=" << options.start_dim() << ", end_dim=" << options.end_dim(),
             x.flatten(options.start_dim(), options.end_dim()));

template <typename T>
struct UnflattenImpl : Cloneable<UnflattenImpl<T>> {
  PORTER_LATE;
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes) :
      UnflattenImpl(UnflattenOptions<T>(dim, std::move(sizes))) {}
  explicit UnflattenImpl(const UnflattenOptions<T>& options_) : options(options_) {}
  void reset() override {}
  PORTER_LAYER_BODY(
      Unflatten,
      "dim=" << options.dim() << ", unflattened_size=" << braced(options.sizes()),
      const Tensor& input, input.unflatten(options.dim(), options.sizes()))
  UnflattenOptions<T> options;
};

template <typename T>
struct LinearImpl : Cloneable<LinearImpl<T>> {
  PORTER_LATE;
  LinearImpl(int64_t in, int64_t out) : LinearImpl(LinearOptions<T>(in, out)) {}
  explicit LinearImpl(const LinearOptions<T>& options_) : options(options_) { LinearImpl::reset(); }
  void reset() override {
    weight = this->register_parameter(
        "weight", at::empty({options.out_features(), options.in_features()}));
    bias = options.bias() ? this->register_parameter("bias", at::empty({options.out_features()})) :
        this->register_parameter("bias", {}, false);
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
      std::boolalpha << "in_features=" << options.in_features()
          << ", out_features=" << options.out_features() << ", bias=" << options.bias(),
      const Tensor& input, at::linear(input, weight, bias))
  LinearOptions<T> options;
  Tensor weight, bias;
};

template <typename T>
struct BilinearImpl : Cloneable<BilinearImpl<T>> {
  PORTER_LATE;
  BilinearImpl(int64_t in1, int64_t in2, int64_t out) :
      BilinearImpl(BilinearOptions<T>(in1, in2, out)) {}
  explicit BilinearImpl(const BilinearOptions<T>& options_) : options(options_) {
    BilinearImpl::reset();
  }
  void reset() override {
    weight = this->register_parameter(
        "weight",
        at::empty({options.out_features(), options.in1_features(), options.in2_features()}));
    bias = options.bias() ? this->register_parameter("bias", at::empty({options.out_features()})) :
        this->register_parameter("bias", {}, false);
    reset_parameters();
  }
  void reset_parameters() {
    const auto bound = 1 / std::sqrt(options.in1_features());
    init::uniform_(weight, -bound, bound);
    if (bias.defined()) init::uniform_(bias, -bound, bound);
  }
  void pretty_print(Stream& stream) const override {
    stream << std::boolalpha << "torch::nn::Bilinear(in1_features=" << options.in1_features()
           << ", in2_features=" << options.in2_features()
           << ", out_features=" << options.out_features() << ", bias=" << options.bias() << ")";
  }
  Tensor forward(const Tensor& input1, const Tensor& input2) {
    return at::bilinear(input1, input2, weight, bias);
  }
  BilinearOptions<T> options;
  Tensor weight, bias;
};

}  // namespace torch::nn::late

namespace torch::nn {

using LinearOptions = late::LinearOptions<void>;

using BilinearOptions = late::BilinearOptions<void>;

using FlattenOptions = late::FlattenOptions<void>;

using UnflattenOptions = late::UnflattenOptions<void>;

PORTER_NAMED(Identity);
PORTER_NAMED(Flatten);
PORTER_NAMED(Unflatten);
PORTER_NAMED(Linear);
PORTER_NAMED(Bilinear);

}  // namespace torch::nn
