// Millions of threads a second, by the size of a block: see tests/benchmarks/test_emulated_speed.py
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void add_after_barrier(const float *a, const float *b, float *c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = i < n ? a[i] : 0.f;
    __syncthreads();
    if (i < n) c[i] = x + b[i];
}
__global__ void sum_of_warp(const float *a, float *c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? a[i] : 0.f;
    for (int d = 16; d; d >>= 1) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0 && i < n) c[i / 32] = x;
}
__attribute__((noinline)) void plain(const float *a, const float *b, float *c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
template <class F>
double rate(int n, F f) {
    double best = 0;
    for (int k = 0; k < 3; ++k) {
        const auto began = std::chrono::steady_clock::now();
        f();
        const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (n / s > best) best = n / s;
    }
    return best / 1e6;
}
int main() {
    const int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4), cudaMalloc(&c, n * 4);
    cudaMemset(a, 0, n * 4), cudaMemset(b, 0, n * 4), cudaMemset(c, 0, n * 4);
    const double loop = rate(n, [&] { plain(a, b, c, n); });
    for (int block : {128, 1024}) {
        const double one = rate(n, [&] { add<<<n / block, block>>>(a, b, c, n); });
        const double two = rate(n, [&] { add_after_barrier<<<n / block, block>>>(a, b, c, n); });
        const double three = rate(n / 8, [&] { sum_of_warp<<<n / 8 / block, block>>>(a, c, n); });
        printf("%d %.1f %.1f %.1f %.1f\n", block, loop, one, two, three);
    }
    return cudaGetLastError();
}
