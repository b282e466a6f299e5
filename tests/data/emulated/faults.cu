// One fault each, by name: what the runtime says of it goes to standard error.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void divergent(int *out) {
    if (threadIdx.x < 16) __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void elsewhere(int *out) {
    if (threadIdx.x < 16) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
__global__ void lanes_missing(int *out) {
    int value = int(threadIdx.x);
    if (value < 20) value = __shfl_down_sync(0xffffffffu, value, 1);
    __syncthreads();
    out[threadIdx.x] = value;
}
__global__ void not_in_mask(int *out) { out[threadIdx.x] = __any_sync(0xffffu, 1); }
__global__ void fails(int *out) {
    assert(threadIdx.x != 3);
    out[threadIdx.x] = 1;
}
__global__ void traps(int *out) {
    if (out) __trap();
}
__global__ void no_pointer(int *out, int *none) { out[threadIdx.x] = *none; }
__global__ void misaligned(int *out, const char *bytes) {
    const float4 v = *reinterpret_cast<const float4 *>(bytes + 4);
    out[threadIdx.x] = int(v.x + v.y + v.z + v.w);
}
__global__ void divides(int *out) { out[threadIdx.x] = 5 / (int(threadIdx.x) - 2); }
__device__ int deep(volatile int *p, int n) {
    volatile int room[256];
    room[n % 256] = *p;
    return n > 0 ? deep(p, n - 1) + room[n % 256] : room[0];
}
__global__ void overflows(int *out) { out[0] = deep(out, 1000000); }
__global__ void writes_past(int *out, int n) {
    if (int(threadIdx.x) <= n) out[threadIdx.x] = 1;
}
__global__ void shared_past(int *out) {
    __shared__ int s[32];
    s[threadIdx.x + 1] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void dynamic_past(int *out) {
    extern __shared__ int d[];
    d[threadIdx.x + 1] = 1;
    __syncthreads();
    out[threadIdx.x] = d[threadIdx.x];
}
__global__ void reads_past(const int *x, int *out) {
    out[threadIdx.x] = x[threadIdx.x + 1];
}
__global__ void never_written(int *out) {
    __shared__ int s[32];
    if (threadIdx.x < 31) s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void race(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = int(threadIdx.x);
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}
__global__ void race_on_write(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = int(threadIdx.x);
    __syncwarp();
    const int value = s[(threadIdx.x + 1) % 32];
    s[threadIdx.x] = value;
    out[threadIdx.x] = value;
}
__global__ void no_race(int *out) {
    __shared__ int s[64], count;
    if (threadIdx.x == 0) count = 0;
    s[threadIdx.x] = int(threadIdx.x);
    __syncwarp();
    const int value = s[threadIdx.x ^ 1];
    __syncthreads();
    atomicAdd(&count, value);
    s[threadIdx.x ^ 32] = value;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + count;
}
__global__ void host_memory(int *out, const int *host) { out[threadIdx.x] = *host; }
__global__ void ptx(int *out) {
    int lane;
    asm volatile("mov.u32 %0, %%laneid;"
                 : "=r"(lane));
    out[threadIdx.x] = lane;
}
__global__ void too_much_shared(int *out) {
    __shared__ int s[8192];
    extern __shared__ int d[];
    s[threadIdx.x] = d[threadIdx.x] = 1;
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void waits_for_ever(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
__global__ void fine(int *out) { out[threadIdx.x] = 1; }

int main(int, char **arguments) {
    const char *name = arguments[1];
    int *out = nullptr, *x = nullptr, *host = new int(3);
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
#define CASE(kernel, threads, shared, ...) \
    if (!std::strcmp(name, #kernel)) kernel<<<2, threads, shared>>>(__VA_ARGS__)
    CASE(divergent, 32, 0, out);
    CASE(elsewhere, 32, 0, out);
    CASE(lanes_missing, 32, 0, out);
    CASE(not_in_mask, 32, 0, out);
    CASE(fails, 32, 0, out);
    CASE(traps, 32, 0, out);
    CASE(no_pointer, 32, 0, out, nullptr);
    CASE(misaligned, 1, 0, out, reinterpret_cast<const char *>(x));
    CASE(divides, 32, 0, out);
    CASE(overflows, 1, 0, out);
    CASE(writes_past, 64, 0, x, 32);
    CASE(shared_past, 32, 0, out);
    CASE(dynamic_past, 32, 128, out);
    CASE(reads_past, 32, 0, x, out);
    CASE(never_written, 32, 0, out);
    CASE(race, 64, 0, out);
    CASE(race_on_write, 32, 0, out);
    CASE(no_race, 64, 0, out);
    CASE(host_memory, 1, 0, out, host);
    CASE(ptx, 32, 0, out);
    CASE(too_much_shared, 32, 32768, out);
    if (!std::strcmp(name, "waits_for_ever")) {
        cudaMemset(x, 1, 32 * sizeof(int));
        waits_for_ever<<<1, 2>>>(x);
    }
    if (!std::strcmp(name, "threads")) fine<<<1, 1025>>>(out);
    if (!std::strcmp(name, "depth")) fine<<<1, dim3(1, 1, 65)>>>(out);
    if (!std::strcmp(name, "grid")) fine<<<dim3(1, 65536), 1>>>(out);
    if (!std::strcmp(name, "empty")) fine<<<0, 1>>>(out);
    if (!std::strcmp(name, "shared")) fine<<<1, 1, 49153>>>(out);
    if (!std::strcmp(name, "freed")) {
        cudaFree(x);
        fine<<<1, 1>>>(x);
    }
    const cudaError_t launch = cudaGetLastError(), later = cudaDeviceSynchronize();
    fine<<<1, 1>>>(out);
    std::printf("%s %s %s\n", cudaGetErrorName(launch), cudaGetErrorName(later),
                cudaGetErrorName(cudaGetLastError()));
    return 0;
}
