#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>

namespace torch::nn::late {

template <typename T>
struct EmbeddingOptions {
  EmbeddingOptions(int64_t count, int64_t dim) : num_embeddings_(count), embedding_dim_(dim) {}
  TORCH_ARG(int64_t, num_embeddings);
  TORCH_ARG(int64_t, embedding_dim);
  TORCH_ARG(std::optional<int64_t>, padding_idx);
  TORCH_ARG(std::optional<double>, max_norm);
  TORCH_ARG(double, norm_type) = 2;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(Tensor, _weight);
};

template <typename T>
struct EmbeddingImpl : Cloneable<EmbeddingImpl<T>> {
  PORTER_LATE;
  EmbeddingImpl(int64_t count, int64_t dim) : EmbeddingImpl(EmbeddingOptions<T>(count, dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions<T>& options_) : options(options_) {
    EmbeddingImpl::reset();
  }
  void reset() override {
    const auto count = options.num_embeddings(), dim = options.embedding_dim();
    if (auto& index = options.padding_idx()) {
      TORCH_CHECK(
          *index >= -count && *index < count, "Padding_idx must be within num_embeddings");
      if (*index < 0) *index += count;
    }
    const auto& given = options._weight();
    TORCH_CHECK(
        !given.defined() || given.sizes() == at::IntArrayRef({count, dim}),
        "Shape of _weight does not match num_embeddings and embedding_dim");
    weight = this->register_parameter("weight", given.defined() ? given : at::empty({count, dim}));
    if (!given.defined()) reset_parameters();
  }
  void reset_parameters() {
    init::normal_(weight);
    NoGradGuard none;
    if (options.padding_idx()) weight.select(0, *options.padding_idx()).fill_(0);
  }
  void pretty_print(Stream& stream) const override {
    stream << "torch::nn::Embedding(num_embeddings=" << options.num_embeddings()
           << ", embedding_dim=" << options.embedding_dim();
    if (options.padding_idx()) stream << ", padding_idx=" << *options.padding_idx();
    if (options.max_norm()) stream << ", max_norm=" << *options.max_norm();
    if (options.norm_type() != 2) stream << ", norm_type=" << options.norm_type();
    if (options.scale_grad_by_freq()) stream << ", scale_grad_by_freq=true";
    if (options.sparse()) stream << ", sparse=true";
    stream << ")";
  }
  Tensor forward(const Tensor& indices) {
    if (options.max_norm()) {
      NoGradGuard none;
      at::embedding_renorm_(weight, indices.contiguous(), *options.max_norm(), options.norm_type());
    }
    return at::embedding(
        weight, indices, options.padding_idx().value_or(-1), options.scale_grad_by_freq(),
        options.sparse());
  }
  EmbeddingOptions<T> options;
  Tensor weight;
};

}  // namespace torch::nn::late

namespace torch::nn {

using EmbeddingOptions = late::EmbeddingOptions<void>;

struct EmbeddingFromPretrainedOptions {
  TORCH_ARG(bool, freeze) = true;
  TORCH_ARG(std::optional<int64_t>, padding_idx);
  TORCH_ARG(std::optional<double>, max_norm);
  TORCH_ARG(double, norm_type) = 2;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
};

using EmbeddingImpl = late::EmbeddingImpl<void>;

namespace compat_detail {

// A template: only a source that has an embedding compiles it.
template <typename E>
E pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options) {
  TORCH_CHECK(embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional");
  E made(EmbeddingOptions(embeddings.size(0), embeddings.size(1))
             ._weight(embeddings)
             .padding_idx(options.padding_idx())
             .max_norm(options.max_norm())
             .norm_type(options.norm_type())
             .scale_grad_by_freq(options.scale_grad_by_freq())
             .sparse(options.sparse()));
  made->weight.set_requires_grad(!options.freeze());
  return made;
}

}  // namespace compat_detail

class Embedding : public ModuleHolder<EmbeddingImpl> {
 public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  template <typename E = Embedding>
  static E from_pretrained(
      const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options = {}) {
    return compat_detail::pretrained<E>(embeddings, options);
  }
};

}  // namespace torch::nn
