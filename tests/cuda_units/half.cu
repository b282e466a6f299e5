#include <torch/extension.h>
template <typename T> __host__ __device__ T twice(T x) { return 2 * x + x * 2.0f; }
template <typename T> __global__ void k(T* p, float f) {
  T s = 0; T w = f; T z = 1.5; s += p[0] * w; s = f; s += f; s *= 2;
  float acc = p[1] * f + f * p[1]; acc += p[2]; double d = p[1] * 2.0; T i = p[3] * 2 + 1;
  if (p[0] > 0.f && p[1] == 0 && 1 < p[2] && p[0] < p[1]) p[4] = max(p[0], p[1]);
  p[5] = ::exp(p[0]) + std::abs(p[1]) + sqrt(p[2]) + fabs(p[1]) + 1.f / p[3];
  p[6] = static_cast<T>(f) + T(3) + static_cast<T>(d) - T(2.0);
  p[7] = -p[6]; int n = static_cast<int>(p[1]); p[8] = n; p[9] = twice(p[1]);
}
template __global__ void k<at::Half>(at::Half*, float); template __global__ void k<at::BFloat16>(at::BFloat16*, float); template __global__ void k<float>(float*, float);
__global__ void h(at::Half* p, __half* q, at::BFloat16* b, __nv_bfloat16* c) {
  atomicAdd(q, p[0]); __half x = p[1]; p[2] = x; p[3] = __hadd(p[0], x); float f = p[1]; at::Half y = *q; b[2] = *c; at::BFloat16 v = *c;
}
void host(at::Tensor x) { at::Half a = 1.0f, b = 2; float c = a + 1.f; double d = a; if (a < b || a == 0) c = std::max(a, b); std::cout << a << c10::BFloat16(1.f) + 2.f; static_assert(std::is_same_v<decltype(a * 1), at::Half>);  static_assert(std::is_same_v<decltype(a * 1.f), float>);}
