// Paddle's functions, recorded by its autograd engine where an input wants a gradient: those of
// paddle::experimental are not, and the ones that are (`multiply_ad_func`) have no installed header.
#pragma once

#include <porter_compat/eager.h>

#include <optional>
#include <tuple>
#include <type_traits>

namespace at::compat_detail {

// The engine takes numbers and lists by value that Paddle's functions take by reference.
template <class T>
struct Taken {
  using type = T;
};
template <class T>
struct Taken<const T&> {
  static constexpr bool whole = std::is_same_v<T, paddle::Tensor> ||
      std::is_same_v<T, std::vector<paddle::Tensor>> ||
      std::is_same_v<T, paddle::optional<paddle::Tensor>> ||
      std::is_same_v<T, paddle::optional<std::vector<paddle::Tensor>>>;
  using type = std::conditional_t<whole, const T&, T>;
};

// Where a result goes, the last parameter of most functions; always none here.
template <class T>
struct IsOut : std::false_type {};
template <class T>
struct IsOut<paddle::optional<T*>> : std::true_type {};
template <class... Ts>
struct IsOut<paddle::optional<std::tuple<Ts*...>>> : std::true_type {};

inline bool wants_gradient(const paddle::Tensor& x) {
  return x.defined() && requires_grad(x);
}

inline bool wants_gradient(const std::vector<paddle::Tensor>& xs) {
  for (const auto& x : xs) {
    if (wants_gradient(x)) return true;
  }
  return false;
}

template <class T>
bool wants_gradient(const paddle::optional<T>& x) {
  return x && wants_gradient(*x);
}

template <class T>
bool wants_gradient(const std::optional<T>& x);

template <class T, class = void>
struct IsTensor : std::false_type {};
template <class T>
struct IsTensor<T, std::void_t<decltype(std::declval<const T&>()._PD_GetInner().impl())>>
    : std::true_type {};

// Of an at::Tensor; what is no tensor wants none.
template <class T, class = std::enable_if_t<
    !std::is_convertible_v<const T&, const paddle::Tensor&> || IsTensor<T>::value>>
bool wants_gradient(const T& x) {
  if constexpr (IsTensor<T>::value) return wants_gradient(x._PD_GetInner());
  else return false;
}

template <class T>
bool wants_gradient(const std::optional<T>& x) {
  return x && wants_gradient(*x);
}

// Whether a function of these is recorded.
template <class... As>
bool is_recorded(const As&... as) {
  return (wants_gradient(as) || ...) && recording();
}

template <class Of, class R, class Out, class... As>
struct RecordedCall {
  R operator()(As... as, Out out = Out()) const {
    return Of::eager && is_recorded(as...) ? Of::eager(as..., out) : Of::plain(as..., out);
  }
};
template <class Of, class R, class... As>
struct RecordedCall<Of, R, void, As...> {
  R operator()(As... as) const {
    return Of::eager && is_recorded(as...) ? Of::eager(as...) : Of::plain(as...);
  }
};

template <class Of, class R, class F, class... As>
struct WithoutOut;
template <class Of, class R, class... Kept>
struct WithoutOut<Of, R, void(Kept...)> {
  using type = RecordedCall<Of, R, void, Kept...>;
};
template <class Of, class R, class... Kept, class A, class... As>
struct WithoutOut<Of, R, void(Kept...), A, As...> {
  using type = typename std::conditional_t<
      sizeof...(As) == 0 && IsOut<A>::value,
      std::enable_if<true, RecordedCall<Of, R, A, Kept...>>,
      WithoutOut<Of, R, void(Kept..., A), As...>>::type;
};

template <class F>
struct Signature;
template <class R, class... As>
struct Signature<R(As...)> {
  using eager = R(typename Taken<As>::type...);
  template <class Of>
  using call = typename WithoutOut<Of, R, void(), As...>::type;
};

}  // namespace at::compat_detail

#define PORTER_DECLARE_RECORDED(name)                                                       \
  extern ::at::compat_detail::Signature<decltype(::paddle::experimental::name)>::eager      \
      name##_ad_func __attribute__((weak));                                                 \
  namespace paddle::recorded {                                                              \
  struct name##_t {                                                                         \
    static constexpr auto* plain = &::paddle::experimental::name;                           \
    static constexpr auto* eager = &::name##_ad_func;                                       \
  };                                                                                        \
  inline constexpr                                                                          \
      typename ::at::compat_detail::Signature<decltype(::paddle::experimental::name)>::     \
          template call<name##_t> name{};                                                   \
  }

namespace paddle::recorded {

using namespace ::paddle::experimental;  // the others have no gradient

}  // namespace paddle::recorded

// Whole numbers and truths have no gradient.
extern ::paddle::Tensor cast_ad_func(
    const ::paddle::Tensor&, ::phi::DataType, ::paddle::optional<::paddle::Tensor*>)
    __attribute__((weak));

namespace paddle::recorded {

inline Tensor cast(const Tensor& x, DataType type) {
  const bool numbers = type == DataType::FLOAT64 || type == DataType::FLOAT32 ||
      type == DataType::FLOAT16 || type == DataType::BFLOAT16 || type == DataType::COMPLEX64 ||
      type == DataType::COMPLEX128;
  const bool recorded = numbers && cast_ad_func && ::at::compat_detail::is_recorded(x);
  return recorded ? cast_ad_func(x, type, ::paddle::none) : ::paddle::experimental::cast(x, type);
}

}  // namespace paddle::recorded

PORTER_DECLARE_RECORDED(abs)
PORTER_DECLARE_RECORDED(acos)
PORTER_DECLARE_RECORDED(acosh)
PORTER_DECLARE_RECORDED(add)
PORTER_DECLARE_RECORDED(angle)
PORTER_DECLARE_RECORDED(argsort)
PORTER_DECLARE_RECORDED(as_complex)
PORTER_DECLARE_RECORDED(as_real)
PORTER_DECLARE_RECORDED(asin)
PORTER_DECLARE_RECORDED(asinh)
PORTER_DECLARE_RECORDED(assign)
PORTER_DECLARE_RECORDED(atan)
PORTER_DECLARE_RECORDED(atan2)
PORTER_DECLARE_RECORDED(atanh)
PORTER_DECLARE_RECORDED(binomial)
PORTER_DECLARE_RECORDED(broadcast_tensors)
PORTER_DECLARE_RECORDED(ceil)
PORTER_DECLARE_RECORDED(cholesky)
PORTER_DECLARE_RECORDED(cholesky_solve)
PORTER_DECLARE_RECORDED(clip)
PORTER_DECLARE_RECORDED(complex)
PORTER_DECLARE_RECORDED(concat)
PORTER_DECLARE_RECORDED(conj)
PORTER_DECLARE_RECORDED(conv2d)
PORTER_DECLARE_RECORDED(conv3d)
PORTER_DECLARE_RECORDED(copysign)
PORTER_DECLARE_RECORDED(cos)
PORTER_DECLARE_RECORDED(cosh)
PORTER_DECLARE_RECORDED(cross)
PORTER_DECLARE_RECORDED(cummax)
PORTER_DECLARE_RECORDED(cummin)
PORTER_DECLARE_RECORDED(cumprod)
PORTER_DECLARE_RECORDED(cumsum)
PORTER_DECLARE_RECORDED(det)
PORTER_DECLARE_RECORDED(diag)
PORTER_DECLARE_RECORDED(diag_embed)
PORTER_DECLARE_RECORDED(diagonal)
PORTER_DECLARE_RECORDED(digamma)
PORTER_DECLARE_RECORDED(divide)
PORTER_DECLARE_RECORDED(eigh)
PORTER_DECLARE_RECORDED(einsum)
PORTER_DECLARE_RECORDED(elementwise_pow)
PORTER_DECLARE_RECORDED(erf)
PORTER_DECLARE_RECORDED(erfinv)
PORTER_DECLARE_RECORDED(exp)
PORTER_DECLARE_RECORDED(expand)
PORTER_DECLARE_RECORDED(expm1)
PORTER_DECLARE_RECORDED(fft_c2c)
PORTER_DECLARE_RECORDED(fft_c2r)
PORTER_DECLARE_RECORDED(fft_r2c)
PORTER_DECLARE_RECORDED(flip)
PORTER_DECLARE_RECORDED(floor)
PORTER_DECLARE_RECORDED(fmax)
PORTER_DECLARE_RECORDED(fmin)
PORTER_DECLARE_RECORDED(gammaincc)
PORTER_DECLARE_RECORDED(gather)
PORTER_DECLARE_RECORDED(gelu)
PORTER_DECLARE_RECORDED(i0)
PORTER_DECLARE_RECORDED(i0e)
PORTER_DECLARE_RECORDED(i1)
PORTER_DECLARE_RECORDED(i1e)
PORTER_DECLARE_RECORDED(imag)
PORTER_DECLARE_RECORDED(index_add)
PORTER_DECLARE_RECORDED(index_put)
PORTER_DECLARE_RECORDED(index_select)
PORTER_DECLARE_RECORDED(inverse)
PORTER_DECLARE_RECORDED(kron)
PORTER_DECLARE_RECORDED(leaky_relu)
PORTER_DECLARE_RECORDED(lgamma)
PORTER_DECLARE_RECORDED(log)
PORTER_DECLARE_RECORDED(log10)
PORTER_DECLARE_RECORDED(log1p)
PORTER_DECLARE_RECORDED(log2)
PORTER_DECLARE_RECORDED(logcumsumexp)
PORTER_DECLARE_RECORDED(logsigmoid)
PORTER_DECLARE_RECORDED(logsumexp)
PORTER_DECLARE_RECORDED(masked_select)
PORTER_DECLARE_RECORDED(matmul)
PORTER_DECLARE_RECORDED(matrix_power)
PORTER_DECLARE_RECORDED(max)
PORTER_DECLARE_RECORDED(maximum)
PORTER_DECLARE_RECORDED(min)
PORTER_DECLARE_RECORDED(minimum)
PORTER_DECLARE_RECORDED(mode)
PORTER_DECLARE_RECORDED(multiply)
PORTER_DECLARE_RECORDED(overlap_add)
PORTER_DECLARE_RECORDED(pad)
PORTER_DECLARE_RECORDED(polygamma)
PORTER_DECLARE_RECORDED(pow)
PORTER_DECLARE_RECORDED(prod)
PORTER_DECLARE_RECORDED(put_along_axis)
PORTER_DECLARE_RECORDED(qr)
PORTER_DECLARE_RECORDED(reciprocal)
PORTER_DECLARE_RECORDED(remainder)
PORTER_DECLARE_RECORDED(repeat_interleave_with_tensor_index)
PORTER_DECLARE_RECORDED(reshape)
PORTER_DECLARE_RECORDED(roll)
PORTER_DECLARE_RECORDED(round)
PORTER_DECLARE_RECORDED(rsqrt)
PORTER_DECLARE_RECORDED(scale)
PORTER_DECLARE_RECORDED(sigmoid)
PORTER_DECLARE_RECORDED(sign)
PORTER_DECLARE_RECORDED(silu)
PORTER_DECLARE_RECORDED(sin)
PORTER_DECLARE_RECORDED(sinh)
PORTER_DECLARE_RECORDED(slice)
PORTER_DECLARE_RECORDED(slogdet)
PORTER_DECLARE_RECORDED(softmax)
PORTER_DECLARE_RECORDED(softplus)
PORTER_DECLARE_RECORDED(solve)
PORTER_DECLARE_RECORDED(sqrt)
PORTER_DECLARE_RECORDED(square)
PORTER_DECLARE_RECORDED(squeeze)
PORTER_DECLARE_RECORDED(strided_slice)
PORTER_DECLARE_RECORDED(subtract)
PORTER_DECLARE_RECORDED(sum)
PORTER_DECLARE_RECORDED(svd)
PORTER_DECLARE_RECORDED(take_along_axis)
PORTER_DECLARE_RECORDED(tan)
PORTER_DECLARE_RECORDED(tanh)
PORTER_DECLARE_RECORDED(trace)
PORTER_DECLARE_RECORDED(transpose)
PORTER_DECLARE_RECORDED(triangular_solve)
PORTER_DECLARE_RECORDED(tril)
PORTER_DECLARE_RECORDED(triu)
PORTER_DECLARE_RECORDED(trunc)
PORTER_DECLARE_RECORDED(unbind)
PORTER_DECLARE_RECORDED(unsqueeze)
PORTER_DECLARE_RECORDED(where)
