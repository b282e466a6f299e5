// Complex numbers in kernels.
#include <c10/util/complex.h>

template <typename T>
__global__ void computed(c10::complex<T>* x, T factor) {
  c10::complex<T>& z = x[threadIdx.x];
  z *= factor;
  z += c10::complex<T>(1, z.imag()) / (z + T(2));
  if (z != c10::complex<T>()) z = std::exp(z) - std::conj(std::sqrt(z)) * std::abs(z);
  z.real(std::norm(z) + std::arg(z) + std::real(std::pow(z, factor)));
  z = std::log(std::sin(z)) + std::tanh(-std::cos(z)) + c10::polar(factor, std::imag(z));
}

void launch(c10::complex<float>* x, c10::complex<double>* y) {
  computed<<<1, 32>>>(x, 2.0f);
  computed<<<1, 32>>>(y, 2.0);
}
