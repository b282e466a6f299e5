#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/python_calls.h>

namespace at {

inline Tensor scaled_dot_product_attention(
    const Tensor& query, const Tensor& key, const Tensor& value,
    const ::std::optional<Tensor>& attn_mask = {}, double dropout_p = 0.0, bool is_causal = false,
    ::std::optional<double> scale = ::std::nullopt, bool enable_gqa = false) {
  return compat_detail::python(R"py(def attention(q, k, v, mask, p, causal, scale, groups):
    checked(mask is None or not causal, "a mask and is_causal")
    checked(min(q.ndim, k.ndim, v.ndim) > 1, "a number of dimensions")
    if groups:
        k, v = (x.repeat_interleave(q.shape[-3] // x.shape[-3], -3) for x in (k, v))
    s = paddle.matmul(q * (q.shape[-1] ** -0.5 if scale is None else scale), k, transpose_y=True)
    mask = paddle.ones(s.shape[-2:], "bool").tril() if causal else mask
    if mask is not None and mask.dtype == paddle.bool:
        s = paddle.where(mask, s, paddle.full_like(s, -inf))
    elif mask is not None:
        s = s + mask
    w = F.softmax(s, -1)
    if mask is not None:  # nothing to attend to gives 0
        w = paddle.where((s == -inf).all(-1, True), paddle.zeros_like(w), w)
    return paddle.matmul(F.dropout(w, p) if p else w, v)
)py", query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa);
}

inline Tensor embedding_dense_backward(
    const Tensor& grad_output, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
    bool scale_grad_by_freq) {
  const int64_t width = grad_output.size(-1);
  const Tensor at = indices.reshape({-1}).toType(kLong);
  Tensor rows = grad_output.reshape({-1, width});
  if (padding_idx >= 0) rows = rows.where(at.ne(padding_idx).unsqueeze(-1), 0);
  if (scale_grad_by_freq) {
    const Tensor counts = rows.new_zeros({num_weights}).index_add(0, at, rows.new_ones({at.numel()}));
    rows = rows.div(counts.index_select(0, at).unsqueeze(-1));
  }
  return rows.new_zeros({num_weights, width}).index_add(0, at, rows);
}

// The rows that indices name, each at most as long as max_norm, in place.
inline Tensor& embedding_renorm_(
    Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  TORCH_CHECK(self.dim() == 2, "embedding_renorm_: expected a matrix");
  const Tensor length = self.norm(norm_type, IntArrayRef(1), true);
  const Tensor scale = length.add(1e-7).reciprocal().mul(max_norm);
  const Tensor named = self.new_zeros({self.size(0)}).index_fill_(0, indices.reshape({-1}), 1);
  const Tensor shorter = length.gt(max_norm).logical_and(named.ne(0).unsqueeze(1));
  return self.mul_(scale.where(shorter, 1));
}

inline Tensor embedding_backward(
    const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
    bool scale_grad_by_freq, bool sparse) {
  TORCH_CHECK(!sparse, "sparse gradients");
  return embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}

}  // namespace at
