#pragma once
#include <cmath>
#include <complex>
#include <type_traits>

#include "paddle/phi/common/bfloat16.h"
#include "paddle/phi/common/float16.h"

namespace c10 {

// instead of the one with: using complex = ::phi::dtype::complex<T>;
template <typename T>
struct complex : ::phi::dtype::complex<T> {
  using Base = ::phi::dtype::complex<T>;
  HOSTDEVICE constexpr complex(T re = T(), T im = T()) : Base(re, im) {}
  HOSTDEVICE constexpr complex(const Base& other) : Base(other) {}
  template <typename U>
  HOSTDEVICE explicit constexpr complex(const ::std::complex<U>& other)
      : Base(static_cast<T>(other.real()), static_cast<T>(other.imag())) {}
  template <typename U, ::std::enable_if_t<(sizeof(U) < sizeof(T)), int> = 0>
  HOSTDEVICE constexpr complex(const complex<U>& other) : Base(other.real(), other.imag()) {}
  template <typename U, ::std::enable_if_t<(sizeof(U) > sizeof(T)), int> = 0>
  HOSTDEVICE explicit constexpr complex(const complex<U>& other)
      : Base(static_cast<T>(other.real()), static_cast<T>(other.imag())) {}
  // Of Paddle's own numbers, from which its Scalar makes them.
  template <typename U, ::std::enable_if_t<!::std::is_same_v<U, T>, int> = 0>
  HOSTDEVICE explicit constexpr complex(const ::phi::dtype::complex<U>& other)
      : Base(static_cast<T>(other.real), static_cast<T>(other.imag)) {}
  HOSTDEVICE explicit complex(const ::phi::dtype::float16& value) : Base(static_cast<T>(static_cast<float>(value)), T()) {}
  HOSTDEVICE explicit complex(const ::phi::dtype::bfloat16& value) : Base(static_cast<T>(static_cast<float>(value)), T()) {}
};

// extends
class complex {
  HOSTDEVICE constexpr T real() const { return Base::real; }
  HOSTDEVICE constexpr T imag() const { return Base::imag; }
  HOSTDEVICE constexpr void real(T value) { Base::real = value; }
  HOSTDEVICE constexpr void imag(T value) { Base::imag = value; }
  HOSTDEVICE complex& operator+=(const complex& other) { return *this = *this + other; }
  HOSTDEVICE complex& operator-=(const complex& other) { return *this = *this - other; }
  HOSTDEVICE complex& operator*=(const complex& other) { return *this = *this * other; }
  HOSTDEVICE complex& operator/=(const complex& other) { return *this = *this / other; }
  friend HOSTDEVICE complex operator+(const complex& a) { return a; }
  friend HOSTDEVICE complex operator-(const complex& a) { return {-a.real(), -a.imag()}; }
  friend HOSTDEVICE complex operator+(const complex& a, const complex& b) {
    return {a.real() + b.real(), a.imag() + b.imag()};
  }
  friend HOSTDEVICE complex operator-(const complex& a, const complex& b) {
    return {a.real() - b.real(), a.imag() - b.imag()};
  }
  friend HOSTDEVICE complex operator*(const complex& a, const complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.imag() * b.real() + a.real() * b.imag()};
  }
  friend HOSTDEVICE complex operator/(const complex& a, const complex& b) {
    return static_cast<const Base&>(a) / static_cast<const Base&>(b);
  }
  friend HOSTDEVICE bool operator==(const complex& a, const complex& b) {
    return a.real() == b.real() && a.imag() == b.imag();
  }
  friend HOSTDEVICE bool operator!=(const complex& a, const complex& b) { return !(a == b); }
  friend ::std::ostream& operator<<(::std::ostream& out, const complex& a) {
    return out << ::std::complex<T>(a);
  }
};

// The number of that length and angle.
template <typename T>
HOSTDEVICE complex<T> polar(const T& length, const T& angle = T()) {
  return {length * ::std::cos(angle), length * ::std::sin(angle)};
}

}  // namespace c10

namespace c10::compat_detail {

// What has functions of complex numbers for the host, or for the device.
#ifdef __CUDACC__
template <typename T>
using computed = thrust::complex<T>;
#else
template <typename T>
using computed = ::std::complex<T>;
#endif

template <typename T>
HOSTDEVICE computed<T> compute(const complex<T>& z) {
  return {z.real(), z.imag()};
}

template <typename T>
HOSTDEVICE complex<T> result(const computed<T>& z) {
  return {z.real(), z.imag()};
}

}  // namespace c10::compat_detail

namespace std {

template <typename T>
HOSTDEVICE constexpr T real(const ::c10::complex<T>& z) { return z.real(); }

template <typename T>
HOSTDEVICE constexpr T imag(const ::c10::complex<T>& z) { return z.imag(); }

template <typename T>
HOSTDEVICE T abs(const ::c10::complex<T>& z) { return hypot(z.real(), z.imag()); }

template <typename T>
HOSTDEVICE T arg(const ::c10::complex<T>& z) { return atan2(z.imag(), z.real()); }

template <typename T>
HOSTDEVICE constexpr T norm(const ::c10::complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}

template <typename T>
HOSTDEVICE constexpr ::c10::complex<T> conj(const ::c10::complex<T>& z) {
  return {z.real(), -z.imag()};
}

template <typename T>
HOSTDEVICE ::c10::complex<T> exp(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(exp(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> log(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(log(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> sqrt(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(sqrt(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> sin(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(sin(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> cos(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(cos(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> tanh(const ::c10::complex<T>& z) {
  return ::c10::compat_detail::result<T>(tanh(::c10::compat_detail::compute(z)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> pow(const ::c10::complex<T>& z, const ::c10::complex<T>& power) {
  using ::c10::compat_detail::compute;
  return ::c10::compat_detail::result<T>(pow(compute(z), compute(power)));
}

template <typename T>
HOSTDEVICE ::c10::complex<T> pow(const ::c10::complex<T>& z, const T& power) {
  return ::c10::compat_detail::result<T>(pow(::c10::compat_detail::compute(z), power));
}

}  // namespace std
