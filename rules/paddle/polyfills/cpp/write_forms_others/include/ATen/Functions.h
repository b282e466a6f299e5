#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

#include <string_view>
#include <tuple>
#include <utility>

namespace at {

namespace compat_detail {

template <class Outs, class Results, size_t... I>
Outs write_each(Outs outs, const Results& results, ::std::index_sequence<I...>) {
  (write_out(::std::get<I>(outs), ::std::get<I>(results)), ...);
  return outs;
}

// Results put into as many tensors.
template <class... Ts, class Results>
::std::tuple<Ts&...> write_all(::std::tuple<Ts&...> outs, const Results& results) {
  return write_each(outs, results, ::std::index_sequence_for<Ts...>());
}

}  // namespace compat_detail

inline Tensor& adaptive_avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size) {
  return compat_detail::write_out(out, at::adaptive_avg_pool3d(self, output_size));
}

inline ::std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& self,
    IntArrayRef output_size) {
  return compat_detail::write_all(::std::tie(out0, out1), at::adaptive_max_pool2d(self, output_size));
}

inline Tensor& adaptive_max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    const Tensor& indices) {
  return compat_detail::write_out(out, at::adaptive_max_pool2d_backward(grad_output, self, indices));
}

inline ::std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& self,
    IntArrayRef output_size) {
  return compat_detail::write_all(::std::tie(out0, out1), at::adaptive_max_pool3d(self, output_size));
}

inline Tensor& adaptive_max_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    const Tensor& indices) {
  return compat_detail::write_out(out, at::adaptive_max_pool3d_backward(grad_output, self, indices));
}

inline Tensor& avg_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef
    kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
    ::std::optional<int64_t> divisor_override) {
  return compat_detail::write_out(out, at::avg_pool2d_backward(grad_output, self, kernel_size, stride, padding,
      ceil_mode, count_include_pad, divisor_override));
}

inline Tensor& avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true, ::std::optional<int64_t>
    divisor_override = ::std::nullopt) {
  return compat_detail::write_out(out, at::avg_pool3d(self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, divisor_override));
}

inline Tensor& avg_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef
    kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
    ::std::optional<int64_t> divisor_override) {
  return compat_detail::write_out(out, at::avg_pool3d_backward(grad_output, self, kernel_size, stride, padding,
      ceil_mode, count_include_pad, divisor_override));
}

inline Tensor& binary_cross_entropy_out(Tensor& out, const Tensor& self, const Tensor& target, const
    ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::write_out(out, at::binary_cross_entropy(self, target, weight, reduction));
}

inline Tensor& binary_cross_entropy_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    const Tensor& target, const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::write_out(out, at::binary_cross_entropy_backward(grad_output, self, target, weight,
      reduction));
}

inline Tensor& chain_matmul_out(Tensor& out, ArrayRef<Tensor> matrices) {
  return compat_detail::write_out(out, at::chain_matmul(matrices));
}

inline Tensor& cholesky_inverse_out(Tensor& out, const Tensor& self, bool upper = false) {
  return compat_detail::write_out(out, at::cholesky_inverse(self, upper));
}

inline Tensor& cholesky_solve_out(Tensor& out, const Tensor& self, const Tensor& input2, bool upper = false) {
  return compat_detail::write_out(out, at::cholesky_solve(self, input2, upper));
}

inline Tensor& col2im_out(Tensor& out, const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
    IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  return compat_detail::write_out(out, at::col2im(self, output_size, kernel_size, dilation, padding, stride));
}

inline Tensor& conj_physical_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::conj_physical(self));
}

inline Tensor& elu_backward_out(Tensor& out, const Tensor& grad_output, const Scalar& alpha, const Scalar&
    scale, const Scalar& input_scale, bool is_result, const Tensor& self_or_result) {
  return compat_detail::write_out(out, at::elu_backward(grad_output, alpha, scale, input_scale, is_result,
      self_or_result));
}

inline Tensor& fft_fft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_fft(self, n, dim, norm));
}

inline Tensor& fft_fft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt, IntArrayRef
    dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_fft2(self, s, dim, norm));
}

inline Tensor& fft_fftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_fftn(self, s, dim, norm));
}

inline Tensor& fft_hfft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_hfft(self, n, dim, norm));
}

inline Tensor& fft_hfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    IntArrayRef dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_hfft2(self, s, dim, norm));
}

inline Tensor& fft_hfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_hfftn(self, s, dim, norm));
}

inline Tensor& fft_ifft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ifft(self, n, dim, norm));
}

inline Tensor& fft_ifft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    IntArrayRef dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ifft2(self, s, dim, norm));
}

inline Tensor& fft_ifftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ifftn(self, s, dim, norm));
}

inline Tensor& fft_ihfft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ihfft(self, n, dim, norm));
}

inline Tensor& fft_ihfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    IntArrayRef dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ihfft2(self, s, dim, norm));
}

inline Tensor& fft_ihfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_ihfftn(self, s, dim, norm));
}

inline Tensor& fft_irfft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_irfft(self, n, dim, norm));
}

inline Tensor& fft_irfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    IntArrayRef dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_irfft2(self, s, dim, norm));
}

inline Tensor& fft_irfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_irfftn(self, s, dim, norm));
}

inline Tensor& fft_rfft_out(Tensor& out, const Tensor& self, ::std::optional<c10::SymInt> n = ::std::nullopt,
    int64_t dim = -1, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_rfft(self, n, dim, norm));
}

inline Tensor& fft_rfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    IntArrayRef dim = {-2, -1}, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_rfft2(self, s, dim, norm));
}

inline Tensor& fft_rfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, ::std::optional<::std::string_view> norm = ::std::nullopt) {
  return compat_detail::write_out(out, at::fft_rfftn(self, s, dim, norm));
}

inline Tensor& float_power_out(Tensor& out, const Scalar& self, const Tensor& exponent) {
  return compat_detail::write_out(out, at::float_power(self, exponent));
}

inline ::std::tuple<Tensor&, Tensor&> frexp_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return compat_detail::write_all(::std::tie(out0, out1), at::frexp(self));
}

inline Tensor& frobenius_norm_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return compat_detail::write_out(out, at::frobenius_norm(self, dim, keepdim));
}

inline Tensor& gelu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, ::std::string_view
    approximate = "none") {
  return compat_detail::write_out(out, at::gelu_backward(grad_output, self, approximate));
}

inline Tensor& glu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, int64_t dim) {
  return compat_detail::write_out(out, at::glu_backward(grad_output, self, dim));
}

inline Tensor& hardshrink_backward_out(Tensor& out, const Tensor& grad_out, const Tensor& self, const Scalar& lambd) {
  return compat_detail::write_out(out, at::hardshrink_backward(grad_out, self, lambd));
}

inline Tensor& hardsigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return compat_detail::write_out(out, at::hardsigmoid_backward(grad_output, self));
}

inline Tensor& hardtanh_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar&
    min_val, const Scalar& max_val) {
  return compat_detail::write_out(out, at::hardtanh_backward(grad_output, self, min_val, max_val));
}

inline Tensor& histc_out(Tensor& out, const Tensor& self, int64_t bins = 100, const Scalar& min = 0, const
    Scalar& max = 0) {
  return compat_detail::write_out(out, at::histc(self, bins, min, max));
}

inline ::std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& self, const
    Tensor& bins, const ::std::optional<Tensor>& weight = {}, bool density = false) {
  return compat_detail::write_all(::std::tie(out0, out1), at::histogram(self, bins, weight, density));
}

inline ::std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t bins
    = 100, ::std::optional<ArrayRef<double>> range = ::std::nullopt, const ::std::optional<Tensor>& weight = {},
    bool density = false) {
  return compat_detail::write_all(::std::tie(out0, out1), at::histogram(self, bins, range, weight, density));
}

inline Tensor& huber_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor&
    target, int64_t reduction, double delta) {
  return compat_detail::write_out(out, at::huber_loss_backward(grad_output, self, target, reduction, delta));
}

inline Tensor& igamma_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::igamma(self, other));
}

inline Tensor& igammac_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::igammac(self, other));
}

inline Tensor& im2col_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation,
    IntArrayRef padding, IntArrayRef stride) {
  return compat_detail::write_out(out, at::im2col(self, kernel_size, dilation, padding, stride));
}

inline Tensor& index_reduce_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor&
    source, ::std::string_view reduce, bool include_self = true) {
  return compat_detail::write_out(out, at::index_reduce(self, dim, index, source, reduce, include_self));
}

inline Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique =
    false, bool invert = false) {
  return compat_detail::write_out(out, at::isin(element, test_elements, assume_unique, invert));
}

inline Tensor& ldexp_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::ldexp(self, other));
}

inline Tensor& leaky_relu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar&
    negative_slope, bool other3) {
  return compat_detail::write_out(out, at::leaky_relu_backward(grad_output, self, negative_slope, other3));
}

inline Tensor& linalg_cond_out(Tensor& out, const Tensor& self, const ::std::optional<Scalar>& p = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_cond(self, p));
}

inline Tensor& linalg_cond_out(Tensor& out, const Tensor& self, ::std::string_view p) {
  return compat_detail::write_out(out, at::linalg_cond(self, p));
}

inline Tensor& linalg_cond_out(Tensor& out, const Tensor& self, const char* p) {
  return compat_detail::write_out(out, at::linalg_cond(self, p));
}

inline ::std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return compat_detail::write_all(::std::tie(out0, out1), at::linalg_eig(self));
}

inline ::std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& self,
    ::std::string_view UPLO = "L") {
  return compat_detail::write_all(::std::tie(out0, out1), at::linalg_eigh(self, UPLO));
}

inline Tensor& linalg_eigvals_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::linalg_eigvals(self));
}

inline Tensor& linalg_eigvalsh_out(Tensor& out, const Tensor& self, ::std::string_view UPLO = "L") {
  return compat_detail::write_out(out, at::linalg_eigvalsh(self, UPLO));
}

inline Tensor& linalg_householder_product_out(Tensor& out, const Tensor& input, const Tensor& tau) {
  return compat_detail::write_out(out, at::linalg_householder_product(input, tau));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(Tensor& out0, Tensor& out1, Tensor&
    out2, Tensor& out3, const Tensor& self, const Tensor& b, ::std::optional<double> rcond = ::std::nullopt,
    ::std::optional<::std::string_view> driver = ::std::nullopt) {
  return compat_detail::write_all(::std::tie(out0, out1, out2, out3), at::linalg_lstsq(self, b, rcond, driver));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(Tensor& out0, Tensor& out1, Tensor& out2, const
    Tensor& A, bool pivot = true) {
  return compat_detail::write_all(::std::tie(out0, out1, out2), at::linalg_lu(A, pivot));
}

inline ::std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool
    pivot = true) {
  return compat_detail::write_all(::std::tie(out0, out1), at::linalg_lu_factor(A, pivot));
}

inline Tensor& linalg_lu_solve_out(Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool
    left = true, bool adjoint = false) {
  return compat_detail::write_out(out, at::linalg_lu_solve(LU, pivots, B, left, adjoint));
}

inline Tensor& linalg_matmul_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::linalg_matmul(self, other));
}

inline Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& self, ::std::string_view ord = "fro",
    IntArrayRef dim = {-2, -1}, bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_matrix_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2,
    -1}, bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_matrix_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& self, const char* ord, IntArrayRef dim = {-2,
    -1}, bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_matrix_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& input, const ::std::optional<Tensor>& atol =
    {}, const ::std::optional<Tensor>& rtol = {}, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_matrix_rank(input, atol, rtol, hermitian));
}

inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& self, ::std::optional<double> atol,
    ::std::optional<double> rtol, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_matrix_rank(self, atol, rtol, hermitian));
}

inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& self, double tol, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_matrix_rank(self, tol, hermitian));
}

inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& input, const Tensor& tol, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_matrix_rank(input, tol, hermitian));
}

inline Tensor& linalg_multi_dot_out(Tensor& out, ArrayRef<Tensor> tensors) {
  return compat_detail::write_out(out, at::linalg_multi_dot(tensors));
}

inline Tensor& linalg_norm_out(Tensor& out, const Tensor& self, ::std::string_view ord, OptionalIntArrayRef dim
    = ::std::nullopt, bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_norm_out(Tensor& out, const Tensor& self, const char* ord, OptionalIntArrayRef dim =
    ::std::nullopt, bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_norm(self, ord, dim, keepdim, dtype));
}

inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, const ::std::optional<Tensor>& atol = {}, const
    ::std::optional<Tensor>& rtol = {}, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_pinv(self, atol, rtol, hermitian));
}

inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, ::std::optional<double> atol,
    ::std::optional<double> rtol, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_pinv(self, atol, rtol, hermitian));
}

inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, double rcond, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_pinv(self, rcond, hermitian));
}

inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, const Tensor& rcond, bool hermitian = false) {
  return compat_detail::write_out(out, at::linalg_pinv(self, rcond, hermitian));
}

inline ::std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& out0, Tensor& out1, const Tensor& A,
    ::std::string_view mode = "reduced") {
  return compat_detail::write_all(::std::tie(out0, out1), at::linalg_qr(A, mode));
}

inline ::std::tuple<Tensor&, Tensor&> linalg_slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return compat_detail::write_all(::std::tie(out0, out1), at::linalg_slogdet(A));
}

inline Tensor& linalg_solve_triangular_out(Tensor& out, const Tensor& self, const Tensor& B, bool upper, bool
    left = true, bool unitriangular = false) {
  return compat_detail::write_out(out, at::linalg_solve_triangular(self, B, upper, left, unitriangular));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const
    Tensor& A, bool full_matrices = true, ::std::optional<::std::string_view> other2 = ::std::nullopt) {
  return compat_detail::write_all(::std::tie(out0, out1, out2), at::linalg_svd(A, full_matrices, other2));
}

inline Tensor& linalg_svdvals_out(Tensor& out, const Tensor& A, ::std::optional<::std::string_view> driver =
    ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_svdvals(A, driver));
}

inline Tensor& linalg_tensorinv_out(Tensor& out, const Tensor& self, int64_t ind = 2) {
  return compat_detail::write_out(out, at::linalg_tensorinv(self, ind));
}

inline Tensor& linalg_tensorsolve_out(Tensor& out, const Tensor& self, const Tensor& other, OptionalIntArrayRef
    dims = ::std::nullopt) {
  return compat_detail::write_out(out, at::linalg_tensorsolve(self, other, dims));
}

inline Tensor& linalg_vecdot_out(Tensor& out, const Tensor& x, const Tensor& y, int64_t dim = -1) {
  return compat_detail::write_out(out, at::linalg_vecdot(x, y, dim));
}

inline Tensor& log_sigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const
    Tensor& other2) {
  return compat_detail::write_out(out, at::log_sigmoid_backward(grad_output, self, other2));
}

inline ::std::tuple<Tensor&, Tensor&> log_sigmoid_forward_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return compat_detail::write_all(::std::tie(out0, out1), at::log_sigmoid_forward(self));
}

inline Tensor& logit_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    ::std::optional<double> eps = ::std::nullopt) {
  return compat_detail::write_out(out, at::logit_backward(grad_output, self, eps));
}

inline Tensor& lu_solve_out(Tensor& out, const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return compat_detail::write_out(out, at::lu_solve(self, LU_data, LU_pivots));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(Tensor& out0, Tensor& out1, Tensor& out2, const
    Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true, bool unpack_pivots = true) {
  return compat_detail::write_all(::std::tie(out0, out1, out2), at::lu_unpack(LU_data, LU_pivots, unpack_data,
      unpack_pivots));
}

inline Tensor& max_pool2d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef other2, IntArrayRef other3, IntArrayRef other4, IntArrayRef other5, bool other6, const Tensor&
    indices) {
  return compat_detail::write_out(out, at::max_pool2d_with_indices_backward(grad_output, self, other2, other3,
      other4, other5, other6, indices));
}

inline ::std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor&
    self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool
    ceil_mode = false) {
  return compat_detail::write_all(::std::tie(out0, out1), at::max_pool3d_with_indices(self, kernel_size, stride,
      padding, dilation, ceil_mode));
}

inline Tensor& max_pool3d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef other2, IntArrayRef other3, IntArrayRef other4, IntArrayRef other5, bool other6, const Tensor&
    indices) {
  return compat_detail::write_out(out, at::max_pool3d_with_indices_backward(grad_output, self, other2, other3,
      other4, other5, other6, indices));
}

inline Tensor& max_unpool2d_out(Tensor& out, const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  return compat_detail::write_out(out, at::max_unpool2d(self, indices, output_size));
}

inline Tensor& max_unpool3d_out(Tensor& out, const Tensor& self, const Tensor& indices, IntArrayRef output_size,
    IntArrayRef other3, IntArrayRef other4) {
  return compat_detail::write_out(out, at::max_unpool3d(self, indices, output_size, other3, other4));
}

inline Tensor& mse_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor&
    target, int64_t reduction) {
  return compat_detail::write_out(out, at::mse_loss_backward(grad_output, self, target, reduction));
}

inline Tensor& multi_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p = 1,
    const Scalar& margin = 1, const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::write_out(out, at::multi_margin_loss(self, target, p, margin, weight, reduction));
}

inline Tensor& multilabel_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, int64_t
    reduction = Reduction::Mean) {
  return compat_detail::write_out(out, at::multilabel_margin_loss(self, target, reduction));
}

inline Tensor& mvlgamma_out(Tensor& out, const Tensor& self, int64_t p) {
  return compat_detail::write_out(out, at::mvlgamma(self, p));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
    const Tensor& input, const ::std::optional<Tensor>& weight, const ::std::optional<Tensor>& bias, const
    ::std::optional<Tensor>& running_mean, const ::std::optional<Tensor>& running_var, bool training, double
    momentum, double eps) {
  return compat_detail::write_all(::std::tie(out0, out1, out2), at::native_batch_norm(input, weight, bias,
      running_mean, running_var, training, momentum, eps));
}

inline Tensor& nll_loss2d_out(Tensor& out, const Tensor& self, const Tensor& target, const
    ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return compat_detail::write_out(out, at::nll_loss2d(self, target, weight, reduction, ignore_index));
}

inline ::std::tuple<Tensor&, Tensor&> nll_loss2d_forward_out(Tensor& out0, Tensor& out1, const Tensor& self,
    const Tensor& target, const ::std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index) {
  return compat_detail::write_all(::std::tie(out0, out1), at::nll_loss2d_forward(self, target, weight,
      reduction, ignore_index));
}

inline Tensor& nll_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor&
    target, const ::std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index, const Tensor&
    total_weight) {
  return compat_detail::write_out(out, at::nll_loss_backward(grad_output, self, target, weight, reduction,
      ignore_index, total_weight));
}

inline ::std::tuple<Tensor&, Tensor&> nll_loss_forward_out(Tensor& out0, Tensor& out1, const Tensor& self, const
    Tensor& target, const ::std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index) {
  return compat_detail::write_all(::std::tie(out0, out1), at::nll_loss_forward(self, target, weight, reduction,
      ignore_index));
}

inline Tensor& nonzero_static_out(Tensor& out, const Tensor& self, int64_t size, int64_t fill_value = -1) {
  return compat_detail::write_out(out, at::nonzero_static(self, size, fill_value));
}

inline Tensor& nuclear_norm_out(Tensor& out, const Tensor& self, bool keepdim = false) {
  return compat_detail::write_out(out, at::nuclear_norm(self, keepdim));
}

inline Tensor& nuclear_norm_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return compat_detail::write_out(out, at::nuclear_norm(self, dim, keepdim));
}

inline Tensor& orgqr_out(Tensor& out, const Tensor& self, const Tensor& input2) {
  return compat_detail::write_out(out, at::orgqr(self, input2));
}

inline Tensor& polar_out(Tensor& out, const Tensor& abs, const Tensor& angle) {
  return compat_detail::write_out(out, at::polar(abs, angle));
}

inline ::std::tuple<Tensor&, Tensor&> qr_out(Tensor& out0, Tensor& out1, const Tensor& self, bool some = true) {
  return compat_detail::write_all(::std::tie(out0, out1), at::qr(self, some));
}

inline Tensor& reflection_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad1d_backward(grad_output, self, padding));
}

inline Tensor& reflection_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad2d(self, padding));
}

inline Tensor& reflection_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad2d_backward(grad_output, self, padding));
}

inline Tensor& reflection_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad3d(self, padding));
}

inline Tensor& reflection_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::reflection_pad3d_backward(grad_output, self, padding));
}

inline Tensor& replication_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad1d_backward(grad_output, self, padding));
}

inline Tensor& replication_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad2d(self, padding));
}

inline Tensor& replication_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad2d_backward(grad_output, self, padding));
}

inline Tensor& replication_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad3d(self, padding));
}

inline Tensor& replication_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
    IntArrayRef padding) {
  return compat_detail::write_out(out, at::replication_pad3d_backward(grad_output, self, padding));
}

inline Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
    ::std::string_view reduce) {
  return compat_detail::write_out(out, at::scatter(self, dim, index, src, reduce));
}

inline Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return compat_detail::write_out(out, at::scatter(self, dim, index, value));
}

inline Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar&
    value, ::std::string_view reduce) {
  return compat_detail::write_out(out, at::scatter(self, dim, index, value, reduce));
}

inline ::std::tuple<Tensor&, Tensor&> slogdet_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return compat_detail::write_all(::std::tie(out0, out1), at::slogdet(self));
}

inline Tensor& slow_conv3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
    const ::std::optional<Tensor>& bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0) {
  return compat_detail::write_out(out, at::slow_conv3d(self, weight, kernel_size, bias, stride, padding));
}

inline Tensor& slow_conv_transpose2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef
    kernel_size, const ::std::optional<Tensor>& bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
    IntArrayRef output_padding = 0, IntArrayRef dilation = 1) {
  return compat_detail::write_out(out, at::slow_conv_transpose2d(self, weight, kernel_size, bias, stride,
      padding, output_padding, dilation));
}

inline Tensor& slow_conv_transpose3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef
    kernel_size, const ::std::optional<Tensor>& bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
    IntArrayRef output_padding = 0, IntArrayRef dilation = 1) {
  return compat_detail::write_out(out, at::slow_conv_transpose3d(self, weight, kernel_size, bias, stride,
      padding, output_padding, dilation));
}

inline Tensor& smooth_l1_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const
    Tensor& target, int64_t reduction, double beta) {
  return compat_detail::write_out(out, at::smooth_l1_loss_backward(grad_output, self, target, reduction, beta));
}

inline Tensor& soft_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, int64_t reduction =
    Reduction::Mean) {
  return compat_detail::write_out(out, at::soft_margin_loss(self, target, reduction));
}

inline Tensor& softplus_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar&
    beta, const Scalar& threshold) {
  return compat_detail::write_out(out, at::softplus_backward(grad_output, self, beta, threshold));
}

inline Tensor& softshrink_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar&
    lambd) {
  return compat_detail::write_out(out, at::softshrink_backward(grad_output, self, lambd));
}

inline Tensor& special_digamma_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_digamma(self));
}

inline Tensor& special_entr_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_entr(self));
}

inline Tensor& special_erf_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_erf(self));
}

inline Tensor& special_erfc_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_erfc(self));
}

inline Tensor& special_erfinv_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_erfinv(self));
}

inline Tensor& special_exp2_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_exp2(self));
}

inline Tensor& special_expit_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_expit(self));
}

inline Tensor& special_expm1_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_expm1(self));
}

inline Tensor& special_gammainc_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_gammainc(self, other));
}

inline Tensor& special_gammaincc_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_gammaincc(self, other));
}

inline Tensor& special_gammaln_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_gammaln(self));
}

inline Tensor& special_i0_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_i0(self));
}

inline Tensor& special_i0e_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_i0e(self));
}

inline Tensor& special_i1_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_i1(self));
}

inline Tensor& special_i1e_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_i1e(self));
}

inline Tensor& special_log1p_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_log1p(self));
}

inline Tensor& special_logit_out(Tensor& out, const Tensor& self, ::std::optional<double> eps = ::std::nullopt) {
  return compat_detail::write_out(out, at::special_logit(self, eps));
}

inline Tensor& special_logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return compat_detail::write_out(out, at::special_logsumexp(self, dim, keepdim));
}

inline Tensor& special_modified_bessel_i0_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_modified_bessel_i0(self));
}

inline Tensor& special_modified_bessel_i1_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_modified_bessel_i1(self));
}

inline Tensor& special_multigammaln_out(Tensor& out, const Tensor& self, int64_t p) {
  return compat_detail::write_out(out, at::special_multigammaln(self, p));
}

inline Tensor& special_ndtr_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_ndtr(self));
}

inline Tensor& special_polygamma_out(Tensor& out, int64_t n, const Tensor& self) {
  return compat_detail::write_out(out, at::special_polygamma(n, self));
}

inline Tensor& special_psi_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_psi(self));
}

inline Tensor& special_round_out(Tensor& out, const Tensor& self, int64_t decimals = 0) {
  return compat_detail::write_out(out, at::special_round(self, decimals));
}

inline Tensor& special_sinc_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_sinc(self));
}

inline Tensor& special_spherical_bessel_j0_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, at::special_spherical_bessel_j0(self));
}

inline Tensor& special_xlog1py_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_xlog1py(self, other));
}

inline Tensor& special_xlog1py_out(Tensor& out, const Scalar& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_xlog1py(self, other));
}

inline Tensor& special_xlog1py_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::special_xlog1py(self, other));
}

inline Tensor& special_xlogy_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_xlogy(self, other));
}

inline Tensor& special_xlogy_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, at::special_xlogy(self, other));
}

inline Tensor& special_xlogy_out(Tensor& out, const Scalar& self, const Tensor& other) {
  return compat_detail::write_out(out, at::special_xlogy(self, other));
}

inline ::std::tuple<Tensor&, Tensor&, Tensor&> svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor&
    self, bool some = true, bool compute_uv = true) {
  return compat_detail::write_all(::std::tie(out0, out1, out2), at::svd(self, some, compute_uv));
}

inline Tensor& thnn_conv2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
    const ::std::optional<Tensor>& bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0) {
  return compat_detail::write_out(out, at::thnn_conv2d(self, weight, kernel_size, bias, stride, padding));
}

inline ::std::tuple<Tensor&, Tensor&> triangular_solve_out(Tensor& out0, Tensor& out1, const Tensor& self, const
    Tensor& A, bool upper = true, bool transpose = false, bool unitriangular = false) {
  return compat_detail::write_all(::std::tie(out0, out1), at::triangular_solve(self, A, upper, transpose,
      unitriangular));
}

inline Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool
    align_corners, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w =
    ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_bicubic2d(self, output_size, align_corners, scales_h, scales_w));
}

inline Tensor& upsample_bicubic2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, bool align_corners, ::std::optional<double> scales_h = ::std::nullopt,
    ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_bicubic2d_backward(grad_output, output_size, input_size,
      align_corners, scales_h, scales_w));
}

inline Tensor& upsample_bilinear2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, bool align_corners, ::std::optional<double> scales_h = ::std::nullopt,
    ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_bilinear2d_backward(grad_output, output_size, input_size,
      align_corners, scales_h, scales_w));
}

inline Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool
    align_corners, ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_linear1d(self, output_size, align_corners, scales));
}

inline Tensor& upsample_linear1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, bool align_corners, ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_linear1d_backward(grad_output, output_size, input_size,
      align_corners, scales));
}

inline Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_nearest1d(self, output_size, scales));
}

inline Tensor& upsample_nearest1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_nearest1d_backward(grad_output, output_size, input_size, scales));
}

inline Tensor& upsample_nearest2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w =
    ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_nearest2d_backward(grad_output, output_size, input_size,
      scales_h, scales_w));
}

inline Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h = ::std::nullopt,
    ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_nearest3d(self, output_size, scales_d, scales_h, scales_w));
}

inline Tensor& upsample_nearest3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
    IntArrayRef input_size, ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h =
    ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_nearest3d_backward(grad_output, output_size, input_size,
      scales_d, scales_h, scales_w));
}

inline Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool
    align_corners, ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h =
    ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_trilinear3d(self, output_size, align_corners, scales_d,
      scales_h, scales_w));
}

inline Tensor& upsample_trilinear3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef
    output_size, IntArrayRef input_size, bool align_corners, ::std::optional<double> scales_d = ::std::nullopt,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::write_out(out, at::upsample_trilinear3d_backward(grad_output, output_size, input_size,
      align_corners, scales_d, scales_h, scales_w));
}

inline Tensor& fft_fftfreq_out(Tensor& out, int64_t n, double d = 1.0) {
  return compat_detail::write_out(out, at::fft_fftfreq(n, d, out.options()));
}

inline Tensor& fft_rfftfreq_out(Tensor& out, int64_t n, double d = 1.0) {
  return compat_detail::write_out(out, at::fft_rfftfreq(n, d, out.options()));
}

inline Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end) {
  return compat_detail::write_out(out, at::range(start, end, out.options()));
}

inline Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return compat_detail::write_out(out, at::range(start, end, step, out.options()));
}

inline Tensor& linspace_out(Tensor& out, const Tensor& start, const Tensor& end, int64_t steps) {
  return compat_detail::write_out(out, at::linspace(start, end, steps, out.options()));
}

inline Tensor& linspace_out(Tensor& out, const Tensor& start, const Scalar& end, int64_t steps) {
  return compat_detail::write_out(out, at::linspace(start, end, steps, out.options()));
}

inline Tensor& linspace_out(Tensor& out, const Scalar& start, const Tensor& end, int64_t steps) {
  return compat_detail::write_out(out, at::linspace(start, end, steps, out.options()));
}

inline Tensor& logspace_out(
    Tensor& out, const Tensor& start, const Tensor& end, int64_t steps, double base = 10.0) {
  return compat_detail::write_out(out, at::logspace(start, end, steps, base, out.options()));
}

inline Tensor& logspace_out(
    Tensor& out, const Tensor& start, const Scalar& end, int64_t steps, double base = 10.0) {
  return compat_detail::write_out(out, at::logspace(start, end, steps, base, out.options()));
}

inline Tensor& logspace_out(
    Tensor& out, const Scalar& start, const Tensor& end, int64_t steps, double base = 10.0) {
  return compat_detail::write_out(out, at::logspace(start, end, steps, base, out.options()));
}

inline Tensor& divide_out(
    Tensor& out, const Tensor& self, const Tensor& other, ::std::optional<::std::string_view> rounding_mode) {
  return compat_detail::write_out(out, self.div(other, rounding_mode));
}

inline Tensor& complex_out(Tensor& out, const Tensor& real, const Tensor& imag) {
  return compat_detail::write_out(out, at::complex(real, imag));
}

}  // namespace at
