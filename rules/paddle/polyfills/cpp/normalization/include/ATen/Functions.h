#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/normalization.h>
#include <porter_compat/strides.h>

#include <array>
#include <tuple>

namespace at {

inline ::std::tuple<Tensor, Tensor, Tensor> native_batch_norm(
    const Tensor& input, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias,
    const ::std::optional<Tensor>& running_mean, const ::std::optional<Tensor>& running_var,
    bool training, double momentum, double eps) {
  return compat_detail::python_three(
      compat_detail::NORMED, input, weight, bias, running_mean, running_var, training, momentum,
      eps, false);
}

inline Tensor batch_norm(
    const Tensor& input, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias,
    const ::std::optional<Tensor>& running_mean, const ::std::optional<Tensor>& running_var,
    bool training, double momentum, double eps, bool) {
  return ::std::get<0>(native_batch_norm(
      input, weight, bias, running_mean, running_var, training, momentum, eps));
}

inline ::std::tuple<Tensor, Tensor, Tensor> native_batch_norm_backward(
    const Tensor& grad_out, const Tensor& input, const ::std::optional<Tensor>& weight,
    const ::std::optional<Tensor>& running_mean, const ::std::optional<Tensor>& running_var,
    const ::std::optional<Tensor>&, const ::std::optional<Tensor>&, bool train, double eps,
    ::std::array<bool, 3> output_mask) {
  return compat_detail::python_three(
      compat_detail::NORMED_BACK, grad_out, input, weight, running_mean, running_var, train, eps,
      ArrayRef<bool>(output_mask));
}

inline ::std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(
    const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean,
    const Tensor& rstd, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias,
    ::std::array<bool, 3> output_mask) {
  return compat_detail::python_three(
      compat_detail::LAYER_BACK, grad_out, input, normalized_shape, mean, rstd, weight, bias,
      ArrayRef<bool>(output_mask));
}

inline Tensor instance_norm(
    const Tensor& input, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias,
    const ::std::optional<Tensor>& running_mean, const ::std::optional<Tensor>& running_var,
    bool use_input_stats, double momentum, double eps, bool) {
  return compat_detail::python(
      compat_detail::NORMED, input, weight, bias, running_mean, running_var, use_input_stats,
      momentum, eps, true);
}

inline ::std::tuple<Tensor, Tensor, Tensor> native_layer_norm(
    const Tensor& input, IntArrayRef normalized_shape, const ::std::optional<Tensor>& weight,
    const ::std::optional<Tensor>& bias, double eps) {
  return compat_detail::python_three(
      compat_detail::LAYER, input, normalized_shape, weight, bias, eps);
}

inline Tensor layer_norm(
    const Tensor& input, IntArrayRef normalized_shape, const ::std::optional<Tensor>& weight = {},
    const ::std::optional<Tensor>& bias = {}, double eps = 1e-05, bool = true) {
  return ::std::get<0>(native_layer_norm(input, normalized_shape, weight, bias, eps));
}

inline Tensor group_norm(
    const Tensor& input, int64_t num_groups, const ::std::optional<Tensor>& weight = {},
    const ::std::optional<Tensor>& bias = {}, double eps = 1e-05, bool = true) {
  return compat_detail::python(compat_detail::GROUPS, input, num_groups, weight, bias, eps);
}

inline ::std::tuple<Tensor, Tensor, Tensor> native_group_norm(
    const Tensor& input, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias,
    int64_t, int64_t, int64_t, int64_t group, double eps) {
  TORCH_CHECK(input.is_contiguous(), "native_group_norm: expected contiguous input");
  return compat_detail::python_three(compat_detail::GROUPS, input, group, weight, bias, eps);
}

inline Tensor rms_norm(
    const Tensor& input, IntArrayRef normalized_shape, const ::std::optional<Tensor>& weight = {},
    ::std::optional<double> eps = ::std::nullopt) {
  return compat_detail::python(R"py(def rms(x, shape, w, eps):
    n = len(shape)
    checked(n and x.shape[-n:] == list(shape), f"a shape of {x.shape}")
    checked(w is None or w.shape == list(shape), "a shape of weights")
    eps = paddle.finfo(x.dtype).eps if eps is None else eps
    y = x * (x.square().mean(list(range(x.ndim - n, x.ndim)), True) + eps).rsqrt()
    return y if w is None else y * w
)py", input, normalized_shape, weight, eps);
}

inline Tensor dropout(const Tensor& input, double p, bool train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || input.numel() == 0) return input;
  return compat_detail::python("F.dropout", input, p);
}

inline Tensor& dropout_(Tensor& self, double p, bool train) {
  return self.copy_(dropout(compat_detail::before_write(self), p, train));
}

inline ::std::tuple<Tensor, Tensor> native_dropout(
    const Tensor& input, double p, ::std::optional<bool> train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  const Tensor mask = input.new_ones(input.sizes(), TensorOptions().dtype(kBool));
  if (!train.value_or(true)) return {input.clone(), mask};
  const Tensor kept = mask.bernoulli_(1 - p);
  return {input.mul(kept).mul(p == 1 ? 0.0 : 1 / (1 - p)), kept};
}

// Whole channels are dropped.
inline Tensor feature_dropout(const Tensor& input, double p, bool train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul(0);
  TORCH_CHECK(input.dim() >= 2, "feature dropout: input has to have at least 2 dimensions");
  return compat_detail::python("lambda x, p: F.dropout(x, p, axis=[0, 1])", input, p);
}

namespace compat_detail {

// Noise in place of what is dropped, so that mean and variance stay: of elements, or of whole channels.
inline Tensor alpha_dropped(const Tensor& input, double p, bool train, bool channels) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul(0);
  auto shape = input.sizes().vec();
  TORCH_CHECK(!channels || shape.size() > 1, "feature dropout: input has to have at least 2 dimensions");
  for (size_t d = 2; channels && d < shape.size(); ++d) shape[d] = 1;
  const double alpha = 1.7580993408473766, a = 1 / ::std::sqrt((alpha * alpha * p + 1) * (1 - p));
  const Tensor kept = input.new_ones(shape).bernoulli_(1 - p);
  return input.mul(kept.mul(a)).add(kept.add(-1).mul(alpha * a).add(alpha * a * p));
}

}  // namespace compat_detail

inline Tensor alpha_dropout(const Tensor& input, double p, bool train) {
  return compat_detail::alpha_dropped(input, p, train, false);
}

inline Tensor& alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(alpha_dropout(compat_detail::before_write(self), p, train));
}

inline Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) {
  return compat_detail::alpha_dropped(input, p, train, true);
}

inline Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_alpha_dropout(compat_detail::before_write(self), p, train));
}

inline Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_dropout(compat_detail::before_write(self), p, train));
}

}  // namespace at
