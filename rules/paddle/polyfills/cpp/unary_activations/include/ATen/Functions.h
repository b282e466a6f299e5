#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

#include <string_view>
#include <tuple>

namespace at {

inline Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value) {
  return self.where(self.gt(threshold), value);
}

inline Tensor hardsigmoid(const Tensor& self) { return relu6(self.add(3)).div(6); }

inline Tensor hardswish(const Tensor& self) { return self.mul(hardsigmoid(self)); }

inline Tensor mish(const Tensor& self) { return self.mul(softplus(self).tanh()); }

inline Tensor selu(const Tensor& self) {
  return elu(self, 1.6732632423543772, 1.0507009873554805);
}

inline Tensor celu(const Tensor& self, const Scalar& alpha = 1.0) {
  return elu(self, alpha, 1, 1 / alpha.to<double>());
}

inline Tensor& threshold_(Tensor& self, const Scalar& threshold, const Scalar& value) {
  return compat_detail::write(self, at::threshold(compat_detail::before_write(self), threshold, value));
}

inline Tensor& hardsigmoid_(Tensor& self) {
  return compat_detail::write(self, hardsigmoid(compat_detail::before_write(self)));
}

inline Tensor& hardswish_(Tensor& self) {
  return compat_detail::write(self, hardswish(compat_detail::before_write(self)));
}

inline Tensor& mish_(Tensor& self) {
  return compat_detail::write(self, mish(compat_detail::before_write(self)));
}

inline Tensor& selu_(Tensor& self) {
  return compat_detail::write(self, selu(compat_detail::before_write(self)));
}

inline Tensor& celu_(Tensor& self, const Scalar& alpha = 1.0) {
  return compat_detail::write(self, celu(compat_detail::before_write(self), alpha));
}

inline Tensor& leaky_relu_(Tensor& self, const Scalar& negative_slope = 0.01) {
  return compat_detail::write(self, leaky_relu(compat_detail::before_write(self), negative_slope));
}

inline Tensor& elu_(Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1,
    const Scalar& input_scale = 1) {
  return compat_detail::write(self, elu(compat_detail::before_write(self), alpha, scale, input_scale));
}

inline Tensor& hardtanh_(Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1) {
  return compat_detail::write(self, hardtanh(compat_detail::before_write(self), min_val, max_val));
}

inline Tensor& relu6_(Tensor& self) {
  return compat_detail::write(self, relu6(compat_detail::before_write(self)));
}

inline Tensor& gelu_(Tensor& self, ::std::string_view approximate = "none") {
  return compat_detail::write(self, gelu(compat_detail::before_write(self), approximate));
}

inline ::std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  return {log_sigmoid(self), self.abs().neg().exp()};
}

inline Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output) {
  return grad_output.mul(output.neg().add(1).mul(output));
}

inline Tensor tanh_backward(const Tensor& grad_output, const Tensor& output) {
  return grad_output.mul(output.mul(output).neg().add(1));
}

inline Tensor threshold_backward(const Tensor& grad_output, const Tensor& self,
    const Scalar& threshold) {
  return grad_output.where(self.gt(threshold), 0);
}

inline Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self,
    const Scalar& negative_slope, bool) {
  return grad_output.where(self.gt(0), grad_output.mul(negative_slope));
}

inline Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self,
    const Scalar& min_val, const Scalar& max_val) {
  return grad_output.where(self.gt(min_val).logical_and(self.lt(max_val)), 0);
}

inline Tensor elu_backward(
    const Tensor& grad_output, const Scalar& alpha, const Scalar& scale,
        const Scalar& input_scale, bool is_result,
    const Tensor& self_or_result) {
  const Tensor& x = self_or_result;
  const double steep = input_scale.to<double>(), high = alpha.to<double>() * scale.to<double>();
  const Tensor slope = is_result ? x.add(high).mul(steep) : x.mul(steep).exp().mul(steep * high);
  return grad_output.mul(slope.where(x.le(0), scale));
}

inline Tensor silu_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor s = self.sigmoid();
  return grad_output.mul(s).mul(s.neg().add(1).mul(self).add(1));
}

inline Tensor softplus_backward(const Tensor& grad_output, const Tensor& self,
    const Scalar& beta, const Scalar& threshold) {
  const Tensor steep = self.mul(beta);
  return grad_output.where(steep.gt(threshold), grad_output.mul(steep.sigmoid()));
}

inline Tensor gelu_backward(const Tensor& grad_output, const Tensor& self,
    ::std::string_view approximate = "none") {
  const double root = 0.7978845608028654;  // sqrt(2 / pi)
  if (approximate == "tanh") {
    const Tensor square = self.mul(self);
    const Tensor t = square.mul(0.044715).add(1).mul(self).mul(root).tanh();
    const Tensor inner = square.mul(3 * 0.044715).add(1).mul(root).mul(self);
    const Tensor slope = t.mul(t).neg().add(1).mul(inner).add(t).add(1).mul(0.5);
    return grad_output.mul(slope);
  }
  const Tensor share = self.mul(0.7071067811865476).erf().add(1).mul(0.5);
  const Tensor density = self.mul(self).mul(-0.5).exp().mul(root / 2);
  return grad_output.mul(share.add(density.mul(self)));
}

inline Tensor _softmax_backward_data(
    const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  return output.mul(grad_output.sub(grad_output.mul(output).sum(dim,
      true))).toType(input_dtype);
}

inline Tensor _log_softmax_backward_data(
    const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  return grad_output.sub(output.exp().mul(grad_output.sum(dim, true))).toType(input_dtype);
}

}  // namespace at
