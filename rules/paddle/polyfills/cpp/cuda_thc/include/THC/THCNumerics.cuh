#pragma once
#include <ATen/cuda/NumericLimits.cuh>

// Arithmetic by name, for types that had no operators on the device.
template <typename T>
struct THCNumerics {
  static __host__ __device__ T min() { return ::std::numeric_limits<T>::lowest(); }
  static __host__ __device__ T max() { return ::std::numeric_limits<T>::max(); }
  static __host__ __device__ bool lt(T a, T b) { return a < b; }
  static __host__ __device__ bool le(T a, T b) { return a <= b; }
  static __host__ __device__ bool gt(T a, T b) { return a > b; }
  static __host__ __device__ bool ge(T a, T b) { return a >= b; }
  static __host__ __device__ bool eq(T a, T b) { return a == b; }
  static __host__ __device__ bool ne(T a, T b) { return a != b; }
  static __host__ __device__ T add(T a, T b) { return a + b; }
  static __host__ __device__ T sub(T a, T b) { return a - b; }
  static __host__ __device__ T mul(T a, T b) { return a * b; }
  static __host__ __device__ T div(T a, T b) { return a / b; }
  static __host__ __device__ T neg(T a) { return -a; }
  static __host__ __device__ bool isnan(T a) { return a != a; }
};
