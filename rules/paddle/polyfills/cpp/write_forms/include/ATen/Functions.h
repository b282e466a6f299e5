#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>
#include <ATen/core/Reduction.h>
#include <porter_compat/promotion.h>

#include <tuple>

namespace at {

inline Tensor& absolute_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::absolute(self));
}

inline Tensor& angle_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::angle(self));
}

inline Tensor& arctan_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arctan(self));
}

inline Tensor& arcsinh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arcsinh(self));
}

inline Tensor& clone_out(Tensor& out, const Tensor& self,
    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::write_out(out, at::clone(self, memory_format));
}

inline Tensor& deg2rad_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::deg2rad(self));
}

inline Tensor& rad2deg_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::rad2deg(self));
}

inline Tensor& fix_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::fix(self));
}

inline Tensor& isinf_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::isinf(self));
}

inline Tensor& isnan_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::isnan(self));
}

inline Tensor& isneginf_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::isneginf(self));
}

inline Tensor& isposinf_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::isposinf(self));
}

inline Tensor& logical_not_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::logical_not(self));
}

inline Tensor& negative_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::negative(self));
}

inline Tensor& relu_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::relu(self));
}

inline Tensor& sgn_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::sgn(self));
}

inline Tensor& signbit_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::signbit(self));
}

inline Tensor& sinc_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::sinc(self));
}

inline Tensor& arccos_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arccos(self));
}

inline Tensor& arcsin_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arcsin(self));
}

inline Tensor& arctanh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arctanh(self));
}

inline Tensor& logit_out(Tensor& out, const Tensor& self,
    ::std::optional<double> eps = ::std::nullopt) {
  return compat_detail::write_out(out, at::logit(self, eps));
}

inline Tensor& i0_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::i0(self));
}

inline Tensor& arccosh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::arccosh(self));
}

inline Tensor& hardsigmoid_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::hardsigmoid(self));
}

inline Tensor& hardswish_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::hardswish(self));
}

inline Tensor& log_sigmoid_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::log_sigmoid(self));
}

inline Tensor& mish_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::mish(self));
}

inline Tensor& silu_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::silu(self));
}

inline Tensor& gelu_out(Tensor& out, const Tensor& self,
    ::std::string_view approximate = "none") {
  return compat_detail::write_out(out, at::gelu(self, approximate));
}

inline Tensor& arctan2_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::arctan2(self, other));
}

inline Tensor& divide_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::divide(self, other));
}

inline Tensor& greater_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::greater(self, other));
}

inline Tensor& greater_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::greater(self, other));
}

inline Tensor& greater_equal_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::greater_equal(self, other));
}

inline Tensor& greater_equal_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::greater_equal(self, other));
}

inline Tensor& less_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::less(self, other));
}

inline Tensor& less_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::less(self, other));
}

inline Tensor& less_equal_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::less_equal(self, other));
}

inline Tensor& less_equal_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::less_equal(self, other));
}

inline Tensor& not_equal_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::not_equal(self, other));
}

inline Tensor& not_equal_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::not_equal(self, other));
}

inline Tensor& multiply_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::multiply(self, other));
}

inline Tensor& subtract_out(Tensor& out, const Tensor& self, const Tensor& other,
    const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::subtract(self, other, alpha));
}

inline Tensor& true_divide_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::true_divide(self, other));
}

inline Tensor& inner_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::inner(self, other));
}

inline Tensor& dist_out(Tensor& out, const Tensor& self, const Tensor& other,
    const Scalar& p = 2) {
  return compat_detail::write_out(out, at::dist(self, other, p));
}

inline Tensor& kron_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::kron(self, other));
}

inline Tensor& copysign_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::copysign(self, other));
}

inline Tensor& copysign_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::copysign(self, other));
}

inline Tensor& heaviside_out(Tensor& out, const Tensor& self, const Tensor& values) {
  return compat_detail::write_out(out, at::heaviside(self, values));
}

inline Tensor& hypot_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::hypot(self, other));
}

inline Tensor& logaddexp_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::logaddexp(self, other));
}

inline Tensor& logaddexp2_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::logaddexp2(self, other));
}

inline Tensor& nextafter_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::nextafter(self, other));
}

inline Tensor& xlogy_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::xlogy(self, other));
}

inline Tensor& xlogy_out(Tensor& out, const Scalar& self, const Tensor& other) {
  return compat_detail::write_out(out, at::xlogy(self, other));
}

inline Tensor& xlogy_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::xlogy(self, other));
}

inline Tensor& float_power_out(Tensor& out, const Tensor& self, const Tensor& exponent) {
  return compat_detail::write_out(out, at::float_power(self, exponent));
}

inline Tensor& float_power_out(Tensor& out, const Tensor& self, const Scalar& exponent) {
  return compat_detail::write_out(out, at::float_power(self, exponent));
}

inline Tensor& bitwise_and_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::bitwise_and(self, other));
}

inline Tensor& bitwise_and_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::bitwise_and(self, other));
}

inline Tensor& bitwise_or_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::bitwise_or(self, other));
}

inline Tensor& bitwise_or_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::bitwise_or(self, other));
}

inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::bitwise_xor(self, other));
}

inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::bitwise_xor(self, other));
}

inline Tensor& gcd_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::gcd(self, other));
}

inline Tensor& lcm_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::lcm(self, other));
}

inline Tensor& bitwise_not_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::bitwise_not(self));
}

inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::bitwise_left_shift(self, other));
}

inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::bitwise_left_shift(self, other));
}

inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::bitwise_right_shift(self, other));
}

inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::bitwise_right_shift(self, other));
}

inline Tensor& clamp_min_out(Tensor& out, const Tensor& self, const Scalar& min) {
  return compat_detail::write_out(out, at::clamp_min(self, min));
}

inline Tensor& clamp_min_out(Tensor& out, const Tensor& self, const Tensor& min) {
  return compat_detail::write_out(out, at::clamp_min(self, min));
}

inline Tensor& clamp_max_out(Tensor& out, const Tensor& self, const Scalar& max) {
  return compat_detail::write_out(out, at::clamp_max(self, max));
}

inline Tensor& clamp_max_out(Tensor& out, const Tensor& self, const Tensor& max) {
  return compat_detail::write_out(out, at::clamp_max(self, max));
}

inline Tensor& clip_out(Tensor& out, const Tensor& self, const ::std::optional<Scalar>& min,
    const ::std::optional<Scalar>& max = ::std::nullopt) {
  return compat_detail::write_out(out, at::clip(self, min, max));
}

inline Tensor& clip_out(Tensor& out, const Tensor& self, const ::std::optional<Tensor>& min = {},
    const ::std::optional<Tensor>& max = {}) {
  return compat_detail::write_out(out, at::clip(self, min, max));
}

inline Tensor& addcdiv_out(Tensor& out, const Tensor& self, const Tensor& tensor1,
    const Tensor& tensor2, const Scalar& value = 1) {
  return compat_detail::write_out(out, at::addcdiv(self, tensor1, tensor2, value));
}

inline Tensor& addcmul_out(Tensor& out, const Tensor& self, const Tensor& tensor1,
    const Tensor& tensor2, const Scalar& value = 1) {
  return compat_detail::write_out(out, at::addcmul(self, tensor1, tensor2, value));
}

inline Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1,
    const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::addbmm(self, batch1, batch2, beta, alpha));
}

inline Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
    const Scalar& beta = 1, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::addmv(self, mat, vec, beta, alpha));
}

inline Tensor& addr_out(Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2,
    const Scalar& beta = 1, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::addr(self, vec1, vec2, beta, alpha));
}

inline Tensor& argsort_out(Tensor& out, const Tensor& self, bool stable, int64_t dim = -1,
    bool descending = false) {
  return compat_detail::write_out(out, at::argsort(self, stable, dim, descending));
}

inline Tensor& bincount_out(Tensor& out, const Tensor& self,
    const ::std::optional<Tensor>& weights = {}, int64_t minlength = 0) {
  return compat_detail::write_out(out, at::bincount(self, weights, minlength));
}

inline Tensor& bucketize_out(Tensor& out, const Tensor& self, const Tensor& boundaries,
    bool out_int32 = false, bool right = false) {
  return compat_detail::write_out(out, at::bucketize(self, boundaries, out_int32, right));
}

inline Tensor& bucketize_out(Tensor& out, const Scalar& self, const Tensor& boundaries,
    bool out_int32 = false, bool right = false) {
  return compat_detail::write_out(out, at::bucketize(self, boundaries, out_int32, right));
}

inline Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Tensor& self,
    bool out_int32 = false, bool right = false,
    ::std::optional<::std::string_view> side = ::std::nullopt,
    const ::std::optional<Tensor>& sorter = {}) {
  return compat_detail::write_out(out,
      at::searchsorted(sorted_sequence, self, out_int32, right, side, sorter));
}

inline Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Scalar& self,
    bool out_int32 = false, bool right = false,
    ::std::optional<::std::string_view> side = ::std::nullopt,
    const ::std::optional<Tensor>& sorter = {}) {
  return compat_detail::write_out(out,
      at::searchsorted(sorted_sequence, self, out_int32, right, side, sorter));
}

inline Tensor& cat_out(Tensor& out, ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::write_out(out, at::cat(tensors, dim));
}

inline Tensor& concat_out(Tensor& out, ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::write_out(out, at::concat(tensors, dim));
}

inline Tensor& concatenate_out(Tensor& out, ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::write_out(out, at::concatenate(tensors, dim));
}

inline Tensor& stack_out(Tensor& out, ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::write_out(out, at::stack(tensors, dim));
}

inline Tensor& hstack_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::hstack(tensors));
}

inline Tensor& vstack_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::vstack(tensors));
}

inline Tensor& dstack_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::dstack(tensors));
}

inline Tensor& row_stack_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::row_stack(tensors));
}

inline Tensor& column_stack_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::column_stack(tensors));
}

inline Tensor& celu_out(Tensor& out, const Tensor& self, const Scalar& alpha = 1.0) {
  return compat_detail::write_out(out, at::celu(self, alpha));
}

inline Tensor& elu_out(Tensor& out, const Tensor& self, const Scalar& alpha = 1,
    const Scalar& scale = 1, const Scalar& input_scale = 1) {
  return compat_detail::write_out(out, at::elu(self, alpha, scale, input_scale));
}

inline Tensor& leaky_relu_out(Tensor& out, const Tensor& self,
    const Scalar& negative_slope = 0.01) {
  return compat_detail::write_out(out, at::leaky_relu(self, negative_slope));
}

inline Tensor& softplus_out(Tensor& out, const Tensor& self, const Scalar& beta = 1,
    const Scalar& threshold = 20) {
  return compat_detail::write_out(out, at::softplus(self, beta, threshold));
}

inline Tensor& hardshrink_out(Tensor& out, const Tensor& self, const Scalar& lambd = 0.5) {
  return compat_detail::write_out(out, at::hardshrink(self, lambd));
}

inline Tensor& softshrink_out(Tensor& out, const Tensor& self, const Scalar& lambd = 0.5) {
  return compat_detail::write_out(out, at::softshrink(self, lambd));
}

inline Tensor& hardtanh_out(Tensor& out, const Tensor& self, const Scalar& min_val = -1,
    const Scalar& max_val = 1) {
  return compat_detail::write_out(out, at::hardtanh(self, min_val, max_val));
}

inline Tensor& glu_out(Tensor& out, const Tensor& self, int64_t dim = -1) {
  return compat_detail::write_out(out, at::glu(self, dim));
}

inline Tensor& threshold_out(Tensor& out, const Tensor& self, const Scalar& threshold,
    const Scalar& value) {
  return compat_detail::write_out(out, at::threshold(self, threshold, value));
}

inline Tensor& count_nonzero_out(Tensor& out, const Tensor& self, IntArrayRef dim) {
  return compat_detail::write_out(out, at::count_nonzero(self, dim));
}

inline Tensor& count_nonzero_out(Tensor& out, const Tensor& self,
    ::std::optional<int64_t> dim = ::std::nullopt) {
  return compat_detail::write_out(out, at::count_nonzero(self, dim));
}

inline Tensor& cross_out(Tensor& out, const Tensor& self, const Tensor& other,
    ::std::optional<int64_t> dim = ::std::nullopt) {
  return compat_detail::write_out(out, at::cross(self, other, dim));
}

inline ::std::tuple<Tensor&, Tensor&> cummax_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t dim) {
  const auto found = at::cummax(self, dim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline ::std::tuple<Tensor&, Tensor&> cummin_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t dim) {
  const auto found = at::cummin(self, dim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline Tensor& diag_out(Tensor& out, const Tensor& self, int64_t diagonal = 0) {
  return compat_detail::write_out(out, at::diag(self, diagonal));
}

inline Tensor& diff_out(Tensor& out, const Tensor& self, int64_t n = 1, int64_t dim = -1,
    const ::std::optional<Tensor>& prepend = {}, const ::std::optional<Tensor>& append = {}) {
  return compat_detail::write_out(out, at::diff(self, n, dim, prepend, append));
}

inline Tensor& diag_embed_out(Tensor& out, const Tensor& self, int64_t offset = 0,
    int64_t dim1 = -2, int64_t dim2 = -1) {
  return compat_detail::write_out(out, at::diag_embed(self, offset, dim1, dim2));
}

inline Tensor& dot_out(Tensor& out, const Tensor& self, const Tensor& tensor) {
  return compat_detail::write_out(out, at::dot(self, tensor));
}

inline Tensor& vdot_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::vdot(self, other));
}

inline Tensor& ger_out(Tensor& out, const Tensor& self, const Tensor& vec2) {
  return compat_detail::write_out(out, at::ger(self, vec2));
}

inline Tensor& outer_out(Tensor& out, const Tensor& self, const Tensor& vec2) {
  return compat_detail::write_out(out, at::outer(self, vec2));
}

inline Tensor& embedding_out(Tensor& out, const Tensor& weight, const Tensor& indices,
    int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false) {
  return compat_detail::write_out(out,
      at::embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse));
}

inline Tensor& flip_out(Tensor& out, const Tensor& self, IntArrayRef dims) {
  return compat_detail::write_out(out, at::flip(self, dims));
}

inline Tensor& full_out(Tensor& out, IntArrayRef size, const Scalar& fill_value) {
  return compat_detail::write_out(out, at::full(size, fill_value, out.options()));
}

inline Tensor& zeros_out(Tensor& out, IntArrayRef size) {
  return compat_detail::write_out(out, at::zeros(size, out.options()));
}

inline Tensor& ones_out(Tensor& out, IntArrayRef size) {
  return compat_detail::write_out(out, at::ones(size, out.options()));
}

inline Tensor& empty_out(Tensor& out, IntArrayRef size,
    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::write_out(out, at::empty(size, out.options(), memory_format));
}

inline Tensor& arange_out(Tensor& out, const Scalar& end) {
  return compat_detail::write_out(out, at::arange(end, out.options()));
}

inline Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end,
    const Scalar& step) {
  return compat_detail::write_out(out, at::arange(start, end, step, out.options()));
}

inline Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps) {
  return compat_detail::write_out(out, at::linspace(start, end, steps, out.options()));
}

inline Tensor& logspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
    double base = 10.0) {
  return compat_detail::write_out(out, at::logspace(start, end, steps, base, out.options()));
}

inline Tensor& eye_out(Tensor& out, int64_t n) {
  return compat_detail::write_out(out, at::eye(n, out.options()));
}

inline Tensor& eye_out(Tensor& out, int64_t n, int64_t m) {
  return compat_detail::write_out(out, at::eye(n, m, out.options()));
}

inline Tensor& rand_out(Tensor& out, IntArrayRef size) {
  return compat_detail::write_out(out, at::rand(size, out.options()));
}

inline Tensor& randn_out(Tensor& out, IntArrayRef size) {
  return compat_detail::write_out(out, at::randn(size, out.options()));
}

inline Tensor& randperm_out(Tensor& out, int64_t n) {
  return compat_detail::write_out(out, at::randperm(n, out.options()));
}

inline Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef size) {
  return compat_detail::write_out(out, at::randint(high, size, out.options()));
}

inline Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef size) {
  return compat_detail::write_out(out, at::randint(low, high, size, out.options()));
}

inline Tensor& tril_indices_out(Tensor& out, int64_t row, int64_t col, int64_t offset = 0) {
  return compat_detail::write_out(out, at::tril_indices(row, col, offset, out.options()));
}

inline Tensor& triu_indices_out(Tensor& out, int64_t row, int64_t col, int64_t offset = 0) {
  return compat_detail::write_out(out, at::triu_indices(row, col, offset, out.options()));
}

inline Tensor& index_out(Tensor& out, const Tensor& self,
    const List<::std::optional<Tensor>>& indices) {
  return compat_detail::write_out(out, at::index(self, indices));
}

inline Tensor& index_fill_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
    const Scalar& value) {
  return compat_detail::write_out(out, at::index_fill(self, dim, index, value));
}

inline Tensor& index_fill_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
    const Tensor& value) {
  return compat_detail::write_out(out, at::index_fill(self, dim, index, value));
}

inline Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements,
    bool assume_unique = false, bool invert = false) {
  return compat_detail::write_out(out, at::isin(elements, test_elements, assume_unique, invert));
}

inline Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element,
    bool assume_unique = false, bool invert = false) {
  return compat_detail::write_out(out, at::isin(elements, test_element, assume_unique, invert));
}

inline Tensor& inverse_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::inverse(self));
}

inline Tensor& linalg_inv_out(Tensor& out, const Tensor& A) {
  return compat_detail::write_out(out, at::linalg_inv(A));
}

inline Tensor& linalg_cholesky_out(Tensor& out, const Tensor& self, bool upper = false) {
  return compat_detail::write_out(out, at::linalg_cholesky(self, upper));
}

inline Tensor& cholesky_out(Tensor& out, const Tensor& self, bool upper = false) {
  return compat_detail::write_out(out, at::cholesky(self, upper));
}

inline Tensor& linalg_det_out(Tensor& out, const Tensor& A) {
  return compat_detail::write_out(out, at::linalg_det(A));
}

inline Tensor& matrix_power_out(Tensor& out, const Tensor& self, int64_t n) {
  return compat_detail::write_out(out, at::matrix_power(self, n));
}

inline Tensor& linalg_matrix_power_out(Tensor& out, const Tensor& self, int64_t n) {
  return compat_detail::write_out(out, at::linalg_matrix_power(self, n));
}

inline Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left = true) {
  return compat_detail::write_out(out, at::linalg_solve(A, B, left));
}

inline Tensor& linalg_cross_out(Tensor& out, const Tensor& self, const Tensor& other,
    int64_t dim = -1) {
  return compat_detail::write_out(out, at::linalg_cross(self, other, dim));
}

inline Tensor& linalg_norm_out(Tensor& out, const Tensor& self,
    const ::std::optional<Scalar>& ord = ::std::nullopt, OptionalIntArrayRef dim = ::std::nullopt,
    bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_vector_norm_out(Tensor& out, const Tensor& self, const Scalar& ord = 2,
    OptionalIntArrayRef dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_vector_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linear_out(Tensor& out, const Tensor& input, const Tensor& weight,
    const ::std::optional<Tensor>& bias = {}) {
  return compat_detail::write_out(out, at::linear(input, weight, bias));
}

inline Tensor& lerp_out(Tensor& out, const Tensor& self, const Tensor& end,
    const Scalar& weight) {
  return compat_detail::write_out(out, at::lerp(self, end, weight));
}

inline Tensor& lerp_out(Tensor& out, const Tensor& self, const Tensor& end,
    const Tensor& weight) {
  return compat_detail::write_out(out, at::lerp(self, end, weight));
}

inline Tensor& log_softmax_out(Tensor& out, const Tensor& self, int64_t dim,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::log_softmax(self, dim, dtype));
}

inline Tensor& softmax_out(Tensor& out, const Tensor& self, int64_t dim,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::softmax(self, dim, dtype));
}

inline Tensor& logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim) {
  return compat_detail::write_out(out, at::logcumsumexp(self, dim));
}

inline Tensor& logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim,
    bool keepdim = false) {
  return compat_detail::write_out(out, at::logsumexp(self, dim, keepdim));
}

inline Tensor& masked_fill_out(Tensor& out, const Tensor& self, const Tensor& mask,
    const Scalar& value) {
  return compat_detail::write_out(out, at::masked_fill(self, mask, value));
}

inline Tensor& masked_fill_out(Tensor& out, const Tensor& self, const Tensor& mask,
    const Tensor& value) {
  return compat_detail::write_out(out, at::masked_fill(self, mask, value));
}

inline ::std::tuple<Tensor&, Tensor&> median_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t dim, bool keepdim = false) {
  const auto found = at::median(self, dim, keepdim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline Tensor& median_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::median(self));
}

inline ::std::tuple<Tensor&, Tensor&> mode_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t dim = -1, bool keepdim = false) {
  const auto found = at::mode(self, dim, keepdim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline ::std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t k, int64_t dim = -1, bool keepdim = false) {
  const auto found = at::kthvalue(self, k, dim, keepdim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline Tensor& msort_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::msort(self));
}

inline Tensor& mse_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
    int64_t reduction = Reduction::Mean) {
  return compat_detail::write_out(out, at::mse_loss(self, target, reduction));
}

inline Tensor& huber_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
    int64_t reduction = Reduction::Mean, double delta = 1.0) {
  return compat_detail::write_out(out, at::huber_loss(self, target, reduction, delta));
}

inline Tensor& smooth_l1_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
    int64_t reduction = Reduction::Mean, double beta = 1.0) {
  return compat_detail::write_out(out, at::smooth_l1_loss(self, target, reduction, beta));
}

inline Tensor& mv_out(Tensor& out, const Tensor& self, const Tensor& vec) {
  return compat_detail::write_out(out, at::mv(self, vec));
}

inline Tensor& nan_to_num_out(Tensor& out, const Tensor& self,
    ::std::optional<double> nan = ::std::nullopt, ::std::optional<double> posinf = ::std::nullopt,
    ::std::optional<double> neginf = ::std::nullopt) {
  return compat_detail::write_out(out, at::nan_to_num(self, nan, posinf, neginf));
}

inline Tensor& nanmean_out(Tensor& out, const Tensor& self,
    OptionalIntArrayRef dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::nanmean(self, dim, keepdim, dtype));
}

inline Tensor& nansum_out(Tensor& out, const Tensor& self,
    OptionalIntArrayRef dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::nansum(self, dim, keepdim, dtype));
}

inline ::std::tuple<Tensor&, Tensor&> nanmedian_out(Tensor& values, Tensor& indices,
    const Tensor& self, int64_t dim, bool keepdim = false) {
  const auto found = at::nanmedian(self, dim, keepdim);
  compat_detail::write_out(values, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {values, indices};
}

inline Tensor& nanmedian_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::nanmedian(self));
}

inline Tensor& nll_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
    const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean,
    int64_t ignore_index = -100) {
  return compat_detail::write_out(out, at::nll_loss(self, target, weight, reduction, ignore_index));
}

inline Tensor& norm_out(Tensor& out, const Tensor& self, const ::std::optional<Scalar>& p,
    IntArrayRef dim, bool keepdim, ScalarType dtype) {
  return compat_detail::write_out(out, at::norm(self, p, dim, keepdim, dtype));
}

inline Tensor& norm_out(Tensor& out, const Tensor& self, const ::std::optional<Scalar>& p,
    IntArrayRef dim, bool keepdim = false) {
  return compat_detail::write_out(out, at::norm(self, p, dim, keepdim));
}

inline Tensor& norm_out(Tensor& out, const Tensor& self, const ::std::optional<Scalar>& p,
    ScalarType dtype) {
  return compat_detail::write_out(out, at::norm(self, p, dtype));
}

inline Tensor& norm_out(Tensor& out, const Tensor& self, const Scalar& p = 2) {
  return compat_detail::write_out(out, at::norm(self, p));
}

inline Tensor& polygamma_out(Tensor& out, int64_t n, const Tensor& self) {
  return compat_detail::write_out(out, at::polygamma(n, self));
}

inline Tensor& repeat_interleave_out(Tensor& out, const Tensor& repeats,
    ::std::optional<int64_t> output_size = ::std::nullopt) {
  return compat_detail::write_out(out, at::repeat_interleave(repeats, output_size));
}

inline Tensor& roll_out(Tensor& out, const Tensor& self, IntArrayRef shifts,
    IntArrayRef dims = {}) {
  return compat_detail::write_out(out, at::roll(self, shifts, dims));
}

inline Tensor& rot90_out(Tensor& out, const Tensor& self, int64_t k = 1,
    IntArrayRef dims = {0,1}) {
  return compat_detail::write_out(out, at::rot90(self, k, dims).contiguous());
}

inline Tensor& rsub_out(Tensor& out, const Tensor& self, const Tensor& other,
    const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::rsub(self, other, alpha));
}

inline Tensor& rsub_out(Tensor& out, const Tensor& self, const Scalar& other,
    const Scalar& alpha = 1) {
  return compat_detail::write_out(out, at::rsub(self, other, alpha));
}

inline Tensor& scalar_tensor_out(Tensor& out, const Scalar& s) {
  return compat_detail::write_out(out, at::scalar_tensor(s, out.options()));
}

inline Tensor& select_scatter_out(Tensor& out, const Tensor& self, const Tensor& src, int64_t dim,
    int64_t index) {
  return compat_detail::write_out(out, at::select_scatter(self, src, dim, index));
}

inline Tensor& slice_scatter_out(Tensor& out, const Tensor& self, const Tensor& src,
    int64_t dim = 0, ::std::optional<int64_t> start = ::std::nullopt,
    ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) {
  return compat_detail::write_out(out, at::slice_scatter(self, src, dim, start, end, step));
}

inline Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased,
    bool keepdim = false) {
  return compat_detail::write_out(out, at::std(self, dim, unbiased, keepdim));
}

inline Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  return compat_detail::write_out(out, at::std(self, dim, correction, keepdim));
}

inline Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased,
    bool keepdim = false) {
  return compat_detail::write_out(out, at::var(self, dim, unbiased, keepdim));
}

inline Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  return compat_detail::write_out(out, at::var(self, dim, correction, keepdim));
}

inline ::std::tuple<Tensor&, Tensor&> std_mean_out(Tensor& out0, Tensor& out1, const Tensor& self,
    OptionalIntArrayRef dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  const auto found = at::std_mean(self, dim, correction, keepdim);
  compat_detail::write_out(out0, ::std::get<0>(found));
  compat_detail::write_out(out1, ::std::get<1>(found));
  return {out0, out1};
}

inline ::std::tuple<Tensor&, Tensor&> var_mean_out(Tensor& out0, Tensor& out1, const Tensor& self,
    OptionalIntArrayRef dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  const auto found = at::var_mean(self, dim, correction, keepdim);
  compat_detail::write_out(out0, ::std::get<0>(found));
  compat_detail::write_out(out1, ::std::get<1>(found));
  return {out0, out1};
}

inline Tensor& trace_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::trace(self));
}

inline Tensor& tril_out(Tensor& out, const Tensor& self, int64_t diagonal = 0) {
  return compat_detail::write_out(out, at::tril(self, diagonal));
}

inline Tensor& triu_out(Tensor& out, const Tensor& self, int64_t diagonal = 0) {
  return compat_detail::write_out(out, at::triu(self, diagonal));
}

inline Tensor& take_along_dim_out(Tensor& out, const Tensor& self, const Tensor& indices,
    ::std::optional<int64_t> dim = ::std::nullopt) {
  return compat_detail::write_out(out, at::take_along_dim(self, indices, dim));
}

inline Tensor& tensordot_out(Tensor& out, const Tensor& self, const Tensor& other,
    IntArrayRef dims_self, IntArrayRef dims_other) {
  return compat_detail::write_out(out, at::tensordot(self, other, dims_self, dims_other));
}

inline Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& self,
    const Tensor& other) {
  return compat_detail::write_out(out, at::where(condition, self, other));
}

inline ::std::tuple<Tensor&, Tensor&> aminmax_out(Tensor& min, Tensor& max, const Tensor& self,
    ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false) {
  const auto found = at::aminmax(self, dim, keepdim);
  compat_detail::write_out(min, ::std::get<0>(found));
  compat_detail::write_out(max, ::std::get<1>(found));
  return {min, max};
}

inline Tensor& constant_pad_nd_out(Tensor& out, const Tensor& self, IntArrayRef pad,
    const Scalar& value = 0) {
  return compat_detail::write_out(out, at::constant_pad_nd(self, pad, value));
}

inline Tensor& reflection_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad1d(self, padding));
}

inline Tensor& replication_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad1d(self, padding));
}

inline Tensor& avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size,
    IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false,
    bool count_include_pad = true, ::std::optional<int64_t> divisor_override = ::std::nullopt) {
  return compat_detail::write_out(out,
      at::avg_pool2d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override));
}

inline ::std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Tensor& out, Tensor& indices,
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
    IntArrayRef dilation = 1, bool ceil_mode = false) {
  const auto found = at::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode);
  compat_detail::write_out(out, ::std::get<0>(found));
  compat_detail::write_out(indices, ::std::get<1>(found));
  return {out, indices};
}

inline Tensor& adaptive_avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size) {
  return compat_detail::write_out(out, at::adaptive_avg_pool2d(self, output_size));
}

inline Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales_h = ::std::nullopt,
    ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out,
      at::upsample_nearest2d(self, output_size, scales_h, scales_w));
}

inline Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& input,
    OptionalIntArrayRef output_size, ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::write_out(out, at::upsample_nearest2d(input, output_size, scale_factors));
}

inline Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
    bool align_corners, ::std::optional<double> scales_h = ::std::nullopt,
    ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out,
      at::upsample_bilinear2d(self, output_size, align_corners, scales_h, scales_w));
}

inline Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& input,
    OptionalIntArrayRef output_size, bool align_corners,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::write_out(out,
      at::upsample_bilinear2d(input, output_size, align_corners, scale_factors));
}

inline Tensor& sigmoid_backward_out(Tensor& grad_input, const Tensor& grad_output,
    const Tensor& output) {
  return compat_detail::write_out(grad_input, at::sigmoid_backward(grad_output, output));
}

inline Tensor& tanh_backward_out(Tensor& grad_input, const Tensor& grad_output,
    const Tensor& output) {
  return compat_detail::write_out(grad_input, at::tanh_backward(grad_output, output));
}

inline Tensor& silu_backward_out(Tensor& grad_input, const Tensor& grad_output,
    const Tensor& self) {
  return compat_detail::write_out(grad_input, at::silu_backward(grad_output, self));
}

inline Tensor& threshold_backward_out(Tensor& grad_input, const Tensor& grad_output,
    const Tensor& self, const Scalar& threshold) {
  return compat_detail::write_out(grad_input, at::threshold_backward(grad_output, self, threshold));
}

inline Tensor& renorm_out(Tensor& out, const Tensor& self, const Scalar& p, int64_t dim,
    const Scalar& maxnorm) {
  return compat_detail::write_out(out, at::renorm(self, p, dim, maxnorm));
}

inline Tensor& scatter_reduce_out(Tensor& out, const Tensor& self, int64_t dim,
    const Tensor& index, const Tensor& src, ::std::string_view reduce, bool include_self = true) {
  return compat_detail::write_out(out,
      at::scatter_reduce(self, dim, index, src, reduce, include_self));
}

}  // namespace at
