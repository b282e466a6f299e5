#pragma once
#include <c10/util/complex.h>

// Where Paddle's libraries have a tensor's data as numbers of Paddle's.
namespace paddle {

template <>
inline const ::c10::complex<float>* Tensor::data<::c10::complex<float>>() const {
  return static_cast<const ::c10::complex<float>*>(data<::phi::dtype::complex<float>>());
}

template <>
inline const ::c10::complex<double>* Tensor::data<::c10::complex<double>>() const {
  return static_cast<const ::c10::complex<double>*>(data<::phi::dtype::complex<double>>());
}

}  // namespace paddle

namespace at {

template <>
inline c10::complex<float>* TensorBase::mutable_data_ptr<c10::complex<float>>() const {
  return data_ptr<c10::complex<float>>();
}

template <>
inline c10::complex<double>* TensorBase::mutable_data_ptr<c10::complex<double>>() const {
  return data_ptr<c10::complex<double>>();
}

template <>
inline const c10::complex<float>* TensorBase::const_data_ptr<c10::complex<float>, 0>() const {
  return data_ptr<c10::complex<float>>();
}

template <>
inline const c10::complex<double>* TensorBase::const_data_ptr<c10::complex<double>, 0>() const {
  return data_ptr<c10::complex<double>>();
}

}  // namespace at
