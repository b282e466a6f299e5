// Kernels in the forms that operator libraries write, each held against a plain loop.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

namespace cg = cooperative_groups;

static int failures = 0;
static void check(const char *name, double got, double want, double tolerance) {
    const bool good = std::fabs(got - want) <= tolerance;
    failures += !good;
    std::printf("%s %s %.9g %.9g\n", good ? "ok" : "WRONG", name, got, want);
}
static void check(const char *name, cudaError_t error) { check(name, error, cudaSuccess, 0); }

template <class T>
struct Array {  // on the device; read back at the end
    T *data = nullptr;
    std::vector<T> host;
    explicit Array(std::vector<T> values) : host(values) {
        cudaMalloc(&data, host.size() * sizeof(T));
        cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    Array(size_t n, T value) : Array(std::vector<T>(n, value)) {}
    ~Array() { cudaFree(data); }
    const std::vector<T> &back() {
        cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
};

static std::vector<float> numbers(size_t n, unsigned seed) {
    std::vector<float> values(n);
    for (float &v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = float(seed >> 8) / float(1 << 24) - 0.5f;
    }
    return values;
}
static double difference(const std::vector<float> &a, const std::vector<float> &b) {
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::fmax(worst, std::fabs(double(a[i]) - b[i]));
    return worst;
}

// A sum by shuffles within warps and shared memory between them; templates with commas.
template <typename T, int width>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
    for (int d = width / 2; d > 0; d >>= 1) value += __shfl_xor_sync(0xffffffffu, value, d, width);
    return value;
}
template <typename T, int threads>
__global__ void __launch_bounds__(threads) block_sum(const T *__restrict__ x, T *out, int n) {
    static_assert(threads % 32 == 0, "whole warps");
    static __shared__ T partial[threads / 32], total;
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += threads) sum += __ldg(x + i);
    sum = warp_sum<T, 32>(sum);
    if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        total = 0;
        for (T one : partial) total += one;
    }
    __syncthreads();
    out[threadIdx.x] = total;
}
#define SUM(T, threads, ...) \
    block_sum<T, threads><<<1, dim3(threads), 0, /* the legacy stream */ 0>>>(__VA_ARGS__)

static void sums() {
    const auto x = numbers(1003, 1);
    double want = 0;
    for (float v : x) want += v;
    Array<float> in(x), out(128, 0.f);
    SUM(float, 128, in.data, out.data, int(x.size()));
    check("block sum, first thread", out.back()[0], want, 1e-4);
    check("block sum, last thread", out.back()[127], want, 1e-4);
    Array<double> in64(std::vector<double>(x.begin(), x.end())), out64(64, 0.);
    SUM(double, 64, in64.data, out64.data, int(x.size()));
    check("block sum of doubles", out64.back()[63], want, 1e-12);
}

// Softmax of rows with dynamic shared memory, its size given at the launch.
template <class T>
__global__ void softmax(const T *x, T *y, int columns) {
    extern __shared__ __align__(16) unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    const T *row = x + size_t(blockIdx.x) * columns;
    T most = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) most = max(most, row[i]);
    s[threadIdx.x] = most;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half >>= 1) {
        if (threadIdx.x < half) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + half]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    T sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - most);
    s[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half >>= 1) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[size_t(blockIdx.x) * columns + i] = __fdividef(expf(row[i] - most), s[0]);
}
static void softmaxes() {
    const int rows = 3, columns = 77;
    const auto x = numbers(rows * columns, 2);
    std::vector<float> want(x.size());
    for (int r = 0; r < rows; ++r) {
        double most = -1, sum = 0;
        for (int c = 0; c < columns; ++c) most = std::fmax(most, x[r * columns + c]);
        for (int c = 0; c < columns; ++c) sum += std::exp(x[r * columns + c] - most);
        for (int c = 0; c < columns; ++c)
            want[r * columns + c] = float(std::exp(x[r * columns + c] - most) / sum);
    }
    Array<float> in(x), out(x.size(), 0.f);
    auto kernel = &softmax<float>;  // launched by a variable
    kernel<<<rows, 64, 64 * sizeof(float)>>>(in.data, out.data, columns);
    check("softmax", difference(out.back(), want), 0, 1e-7);
}

// A histogram: atomics on shared, then on global memory.
#define BINS(name) __shared__ unsigned name[16];
__global__ void histogram(const int *x, int n, unsigned *bins) {
    BINS(own) BINS(other)
    if (threadIdx.x < 16) own[threadIdx.x] = other[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[x[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(bins + threadIdx.x, own[threadIdx.x] + other[threadIdx.x]);
}
static void histograms() {
    std::vector<int> x(1000);
    std::vector<unsigned> want(16, 0);
    for (int i = 0; i < 1000; ++i) ++want[(x[i] = i * i % 61) & 15];
    Array<int> in(x);
    Array<unsigned> out(16, 0u);
    histogram<<<(1000 + 127) / 128, 128>>>(in.data, 1000, out.data);
    check("histogram", out.back() == want, 1, 0);
}

// A tiled product of matrices whose sizes are no multiples of the tile.
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
    constexpr int tile = 8;
    __shared__ float as[tile][tile + 1], bs[tile][tile + 1];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < k; t += tile) {
        const int along = t + int(threadIdx.x), down = t + int(threadIdx.y);
        as[threadIdx.y][threadIdx.x] = row < m && along < k ? a[row * k + along] : 0.f;
        bs[threadIdx.y][threadIdx.x] = down < k && column < n ? b[down * n + column] : 0.f;
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum = fmaf(as[threadIdx.y][i], bs[i][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
static void products() {
    const int m = 13, n = 21, k = 19;
    const auto a = numbers(m * k, 3), b = numbers(k * n, 4);
    std::vector<float> want(m * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l) sum += double(a[i * k + l]) * b[l * n + j];
            want[i * n + j] = float(sum);
        }
    Array<float> da(a), db(b), dc(m * n, 0.f);
    const dim3 block(8, 8);
    const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    product<<<grid, block>>>(da.data, db.data, dc.data, m, n, k);
    check("product", difference(dc.back(), want), 0, 1e-6);
}

// A transpose with an odd tail; `extern __shared__` as an array of arrays.
__global__ void transpose(const short *x, short *y, int rows, int columns) {
    extern __shared__ short tile[][17];
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c];
    __syncthreads();
    r = blockIdx.y * 16 + threadIdx.x;
    c = blockIdx.x * 16 + threadIdx.y;
    if (r < rows && c < columns) y[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}
static void transposes() {
    const int rows = 37, columns = 19;
    std::vector<short> x(rows * columns), want(rows * columns);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) want[c * rows + r] = x[r * columns + c] = short(r * 100 + c);
    Array<short> in(x), out(x.size(), short(0));
    transpose<<<dim3(2, 3), dim3(16, 16), 16 * 17 * sizeof(short)>>>(in.data, out.data, rows, columns);
    check("transpose", out.back() == want, 1, 0);
}

// Constant memory, and a variable of the device.
__constant__ float coefficients[4];
__device__ int calls;
__global__ void polynomial(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) atomicAdd(&calls, 1);
    if (i >= n) return;
    float value = 0.f;
    for (int k = 3; k >= 0; --k) value = __fmaf_rn(value, x[i], coefficients[k]);
    y[i] = value;
}
static void polynomials() {
    const float c[] = {1.f, -2.f, 0.5f, 3.f};
    check("cudaMemcpyToSymbol", cudaMemcpyToSymbol(coefficients, c, sizeof c));
    const auto x = numbers(50, 5);
    std::vector<float> want;
    for (float v : x) want.push_back(1.f - 2.f * v + 0.5f * v * v + 3.f * v * v * v);
    Array<float> in(x), out(x.size(), 0.f);
    polynomial<<<2, 32>>>(in.data, out.data, 50);
    check("polynomial", difference(out.back(), want), 0, 1e-6);
    int count = -1;
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    check("variable of the device", count, 1, 0);
}

// half2 and bfloat16: every operation is rounded.
__global__ void halves(const half2 *x, half2 *y, __nv_bfloat16 *z, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const half2 scaled = __hmul2(x[i], __float2half2_rn(1.0f / 3.0f));
    y[i] = __hfma2(scaled, scaled, __halves2half2(__low2half(x[i]), __float2half(2.f)));
    z[i] = __hadd(__float2bfloat16(__low2float(x[i])), __float2bfloat16(1.f / 3.f));
}
static void half_types() {
    const int n = 20;
    std::vector<half2> x;
    for (int i = 0; i < n; ++i) x.push_back(__floats2half2_rn(0.37f * i, 100.f - 7.3f * i));
    Array<half2> in(x), out(n, __float2half2_rn(0.f));
    Array<__nv_bfloat16> third(n, __float2bfloat16(0.f));
    halves<<<1, 32>>>(in.data, out.data, third.data, n);
    double worst = 0, worst16 = 0;
    for (int i = 0; i < n; ++i) {
        const float third16 = __half2float(__float2half(1.0f / 3.0f));
        for (int part = 0; part < 2; ++part) {
            const float v = part ? __high2float(x[i]) : __low2float(x[i]);
            const double scaled = __half2float(__float2half(v * third16));
            const double exact = scaled * scaled + (part ? 2.0 : double(v));
            const float got = part ? __high2float(out.back()[i]) : __low2float(out.back()[i]);
            worst = std::fmax(worst, std::fabs(got - __half2float(__float2half(float(exact)))));
        }
        const float b = __bfloat162float(__float2bfloat16(__low2float(x[i])));
        const float want = __bfloat162float(__float2bfloat16(b + __bfloat162float(__float2bfloat16(1.f / 3.f))));
        worst16 = std::fmax(worst16, std::fabs(__bfloat162float(third.back()[i]) - want));
    }
    check("half2", worst, 0, 0);
    check("bfloat16", worst16, 0, 0);
}

// Cooperative groups: tiles, their reductions, lanes that are active together, the block.
__global__ void groups(int *out) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    __shared__ int sums[8];
    const int rank = int(block.thread_rank());
    const int sum = cg::reduce(tile, rank, cg::plus<int>());
    if (tile.thread_rank() == 0) sums[rank / 8] = sum;
    block.sync();
    int odd = -1;
    if (rank % 2) {
        const cg::coalesced_group active = cg::coalesced_threads();
        odd = int(active.size() * 100 + active.thread_rank()) + active.shfl(rank, 1);
    }
    out[rank] = sums[(rank / 8 + 1) % 8] * 10000 + odd + int(tile.any(rank == 5));
}
static void cooperative() {
    Array<int> out(64, 0);
    groups<<<1, 64>>>(out.data);
    bool good = true;
    for (int i = 0; i < 64; ++i) {
        const int next = (i / 8 + 1) % 8, sum = 8 * (8 * next) + 28;
        const int first_odd = i / 32 * 32 + 3;
        const int odd = i % 2 ? 16 * 100 + i % 32 / 2 + first_odd : -1;
        good = good && out.back()[i] == sum * 10000 + odd + (i < 8);
    }
    check("cooperative groups", good, 1, 0);
}

// Warp functions in forms that use masks, widths and lanes out of reach.
__global__ void warps(int *out) {
    const int lane = int(threadIdx.x);
    const unsigned even = 0x55555555u;
    int value = __shfl_up_sync(0xffffffffu, lane, 3, 8) + 100 * __shfl_sync(0xffffffffu, lane, 9, 8);
    if (lane % 2 == 0) {
        value += 10000 * __popc(__ballot_sync(even, lane < 10));
        value += __any_sync(even, lane == 30) ? 200000 : 0;
        __syncwarp(even);
    }
    value += __all_sync(0xffffffffu, lane < 32) ? 400000 : 0;
    value += __popc(__match_any_sync(0xffffffffu, lane / 5)) * 1000000;
    value += __syncthreads_count(lane < 7) * 10000000;
    value += __syncthreads_or(lane == 3) ? 1 : 0;
#if ARCH >= 800
    value += int(__reduce_max_sync(0xffffffffu, unsigned(lane)));
#endif
    out[lane] = value;
}
static void warp_functions() {
    Array<int> out(32, 0);
    warps<<<1, 32>>>(out.data);
    bool good = true;
    for (int lane = 0; lane < 32; ++lane) {
        int want = (lane % 8 >= 3 ? lane - 3 : lane) + 100 * (lane / 8 * 8 + 1);
        want += lane % 2 == 0 ? 10000 * 5 + 200000 : 0;
        want += 400000 + (lane < 30 ? 5 : 2) * 1000000 + 70000000 + 1 + 31;
        good = good && out.back()[lane] == want;
    }
    check("warp functions", good, 1, 0);
}

// A lock that threads take in turn, and an atomic maximum by compare and swap.
__device__ float atomic_most(float *p, float value) {
    int *bits = reinterpret_cast<int *>(p), old = *bits, expected;
    do {
        expected = old;
        old = atomicCAS(bits, expected, __float_as_int(fmaxf(value, __int_as_float(expected))));
    } while (expected != old);
    return __int_as_float(old);
}
__global__ void locks(int *lock, int *count, float *most) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *count += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
    atomic_most(most, float(threadIdx.x * 37 % 64));
}
// A thread that waits for a later one, as threads may since Volta.
__global__ void waits(int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        *out = atomicExch(flag, 0);
    } else if (threadIdx.x == 40) {
        atomicExch(flag, 7);
    }
}
static void atomic_loops() {
    Array<int> lock(1, 0), count(1, 0);
    Array<float> most(1, -1.f);
    locks<<<4, 64>>>(lock.data, count.data, most.data);
    Array<int> flag(1, 0), seen(1, 0);
    waits<<<1, 64>>>(flag.data, seen.data);
    check("a thread waits for a later one", seen.back()[0], 7, 0);
    check("lock", count.back()[0], 256, 0);
    check("atomic maximum", most.back()[0], 63, 0);
}

// Streams, events, host functions; launches from a lambda and from a member of a template.
template <class T>
struct Filler {
    template <int factor>
    static void fill(T *p, int n, cudaStream_t stream);
};
template <class T, int factor>
__global__ void fill(T *p, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = T(i * factor);
}
template <class T>
template <int factor>
void Filler<T>::fill(T *p, int n, cudaStream_t stream) {
    constexpr int threads = 32;
    const auto launch = [&] { ::fill<T, factor><<<(n + threads - 1) / threads, threads, 0, stream>>>(p, n); };
    if (n > 0) launch();
}
static void streams() {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    check("cudaStreamCreate", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEventCreate(&begin), cudaEventCreate(&end);
    Array<long long> out(100, 0ll);
    cudaEventRecord(begin, stream);
    Filler<long long>::fill<3>(out.data, 100, stream);
    cudaEventRecord(end, stream);
    cudaStreamWaitEvent(stream, end, 0);
    check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
    float ms = -1;
    check("cudaEventElapsedTime", cudaEventElapsedTime(&ms, begin, end));
    check("elapsed", ms >= 0, 1, 0);
    check("fill", double(out.back()[99]), 297, 0);
    int n = 50;
    void *arguments[] = {&out.data, &n};
    check("cudaLaunchKernel", cudaLaunchKernel(&fill<long long, -1>, dim3(2), dim3(32), arguments, 0, stream));
    cudaStreamSynchronize(stream);
    check("fill by address", double(out.back()[49]), -49, 0);
    cudaEventDestroy(begin), cudaEventDestroy(end), cudaStreamDestroy(stream);
}

int main() {
    sums(), softmaxes(), histograms(), products(), transposes(), polynomials(), half_types();
    cooperative(), warp_functions(), atomic_loops(), streams();
    check("no error is left", cudaDeviceSynchronize());
    return failures != 0;
}
