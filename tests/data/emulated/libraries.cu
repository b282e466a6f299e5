// What operator libraries use of CUB and Thrust, each held against a plain loop.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstdio>
#include <numeric>
#include <vector>

static int failures = 0;
static void check(const char *name, bool good) {
    failures += !good;
    std::printf("%s %s\n", good ? "ok" : "WRONG", name);
}
static unsigned seed = 1;
static int some() { return int((seed = seed * 1664525u + 1013904223u) >> 8) % 1000 - 500; }

struct Most {
    __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

// Three warps, the last one in part.
constexpr int threads = 80;
__global__ void in_blocks(const int *x, int *sum, int *most, int *inclusive, int *exclusive, int *total) {
    typedef cub::BlockReduce<int, threads> Reduce;
    using Scan = cub::BlockScan<int, threads>;
    __shared__ typename Reduce::TempStorage reducing;
    __shared__ union {
        Scan::TempStorage first;
        char room[4096];
    } scanning;
    const int i = blockIdx.x * threads + threadIdx.x;
    const int one = Reduce(reducing).Sum(x[i]);
    __syncthreads();
    const int two = Reduce(reducing).Reduce(x[i], Most(), 50);
    int whole;
    Scan(scanning.first).InclusiveSum(x[i], inclusive[i]);
    __syncthreads();
    Scan(scanning.first).ExclusiveSum(x[i], exclusive[i], whole);
    if (threadIdx.x == 0) sum[blockIdx.x] = one, most[blockIdx.x] = two;
    if (threadIdx.x == threads - 1) total[blockIdx.x] = whole;
}
__global__ void in_warps(const int *x, int *sums, int *before) {
    using Reduce = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<int>;
    __shared__ Reduce::TempStorage reducing[8];
    __shared__ Scan::TempStorage scanning[2];
    const int sum = Reduce(reducing[threadIdx.x / 8]).Sum(x[threadIdx.x]);
    if (threadIdx.x % 8 == 0) sums[threadIdx.x / 8] = sum;
    Scan(scanning[threadIdx.x / 32]).ExclusiveSum(x[threadIdx.x], before[threadIdx.x]);
}
__global__ void sorts(const float *x, float *y, int *places) {
    using Sort = cub::BlockRadixSort<float, 32, 2, int>;
    using Load = cub::BlockLoad<float, 32, 2>;
    __shared__ typename Sort::TempStorage sorting;
    float keys[2];
    int values[2] = {2 * int(threadIdx.x), 2 * int(threadIdx.x) + 1};
    Load().Load(x, keys);
    Sort(sorting).SortDescending(keys, values);
    for (int i = 0; i < 2; ++i) y[2 * threadIdx.x + i] = keys[i], places[2 * threadIdx.x + i] = values[i];
}

int main() {
    const int n = 4 * threads;
    int *x, *out;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&out, (4 * n + 64) * sizeof(int));
    for (int i = 0; i < n; ++i) x[i] = some();
    int *inclusive = out + 64, *exclusive = inclusive + n, *sorted = exclusive + n, *sums = sorted + n;

    in_blocks<<<4, threads>>>(x, out, out + 4, inclusive, exclusive, out + 8);
    check("blocks run", cudaDeviceSynchronize() == cudaSuccess);
    bool good = true;
    for (int b = 0; b < 4; ++b) {
        int running = 0, most = -1000;
        for (int i = b * threads; i < (b + 1) * threads; ++i) {
            good = good && exclusive[i] == running;
            good = good && inclusive[i] == (running += x[i]);
            if (i < b * threads + 50 && x[i] > most) most = x[i];
        }
        good = good && out[b] == running && out[8 + b] == running && out[4 + b] == most;
    }
    check("reductions and scans of blocks", good);

    in_warps<<<1, 64>>>(x, sums, exclusive);
    check("warps run", cudaDeviceSynchronize() == cudaSuccess);
    good = true;
    for (int i = 0; i < 64; ++i) {
        good = good && exclusive[i] == std::accumulate(x + i / 32 * 32, x + i, 0);
        if (i % 8 == 0) good = good && sums[i / 8] == std::accumulate(x + i, x + i + 8, 0);
    }
    check("reductions and scans of warps", good);

    float *f;
    cudaMallocManaged(&f, 128 * sizeof(float));
    for (int i = 0; i < 64; ++i) f[i] = float(some());
    sorts<<<1, 32>>>(f, f + 64, out);
    check("sort runs", cudaDeviceSynchronize() == cudaSuccess);
    good = true;
    for (int i = 0; i < 64; ++i) good = good && f[64 + i] == f[out[i]] && (i == 0 || f[64 + i] <= f[63 + i]);
    check("sort of a block", good);

    size_t bytes = 0;
    void *room = nullptr;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, x, inclusive, n);
    cudaMalloc(&room, bytes);
    check("DeviceScan", cub::DeviceScan::InclusiveSum(room, bytes, x, inclusive, n) == cudaSuccess);
    cudaFree(room);
    cub::DeviceReduce::Sum(nullptr, bytes, x, out, n);
    cudaMalloc(&room, bytes);
    cub::DeviceReduce::Sum(room, bytes, x, out, n);
    cudaFree(room);
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, x, sorted, n);
    cudaMalloc(&room, bytes);
    cub::DeviceRadixSort::SortKeys(room, bytes, x, sorted, n);
    cudaFree(room);
    cudaDeviceSynchronize();
    good = out[0] == std::accumulate(x, x + n, 0) && inclusive[n - 1] == out[0];
    for (int i = 1; i < n; ++i) good = good && sorted[i - 1] <= sorted[i];
    check("sums and sorts of the device", good);

    thrust::device_ptr<int> begin(x);
    thrust::inclusive_scan(thrust::device, begin, begin + n, thrust::device_ptr<int>(exclusive));
    thrust::sort(thrust::cuda::par.on(cudaStream_t(0)), x, x + n);
    cudaDeviceSynchronize();
    good = exclusive[n - 1] == inclusive[n - 1];
    for (int i = 0; i < n; ++i) good = good && x[i] == sorted[i];
    check("scan and sort of Thrust", good);
    return failures != 0;
}
