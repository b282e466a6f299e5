// What threads of a block share with a barrier missing, and with all of them; each launched 16 times.
#include <cstdio>
#include <set>

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

template <bool Right>
__device__ int block_sum(int value, int *partial) {
    value = warp_sum(value);
    if (Right) __syncthreads();  // of an earlier sum everything was read
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? partial[threadIdx.x % 32] : 0;
    return warp_sum(value);
}

template <bool Right>
__global__ void summed_twice(int *out) {
    __shared__ int partial[32];
    const int first = block_sum<Right>(1, partial), second = block_sum<Right>(100, partial);
    out[threadIdx.x] = first + second;
}

template <bool Right>
__global__ void told_by_the_first(int *out) {
    __shared__ int told;
    if (threadIdx.x == 0) told = 7;
    if (Right) __syncthreads();
    out[threadIdx.x] = told;
}

template <bool Right>
__global__ void told_by_the_last(int *out) {
    __shared__ int told;
    if (threadIdx.x == blockDim.x - 1) told = 7;
    if (Right) __syncthreads();
    out[threadIdx.x] = told;
}

template <bool Right>
__global__ void told_after_a_barrier(int *out) {
    __shared__ int told;
    out[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) told = 7;
    if (Right) __syncthreads();
    out[threadIdx.x] = told;
}

// A warp waits for another one, which may begin later.
template <bool>
__global__ void waited_for(int *out) {
    __shared__ volatile int told;
    if (threadIdx.x == 0) told = 0;
    __syncthreads();
    if (threadIdx.x / 32 == 1) told = 3;
    while (told != 3) __syncwarp();
    out[threadIdx.x] = told;
}

template <bool>
__global__ void waited_for_from_the_start(int *out) {
    if (threadIdx.x / 32 == 1) out[256] = 3;
    while (*static_cast<volatile int *>(out + 256) != 3) __syncwarp();
    out[threadIdx.x] = 3;
}

template <class Kernel>
void show(const char *name, Kernel kernel) {
    int *out;
    cudaMallocManaged(&out, 257 * sizeof(int));
    std::set<int> wrong, values;
    for (int turn = 0; turn < 16; ++turn) {
        out[256] = 0;
        kernel<<<1, 256>>>(out);
        cudaDeviceSynchronize();
        std::set<int> seen(out, out + 256);
        if (seen.size() > 1) wrong.insert(turn);
        values.insert(seen.begin(), seen.end());
    }
    std::printf("%s %zu %s\n", name, wrong.size(), values.size() == 1 ? "same" : "different");
    cudaFree(out);
}

int main() {
    show("summed_twice", summed_twice<true>);
    show("told_by_the_first", told_by_the_first<true>);
    show("told_by_the_last", told_by_the_last<true>);
    show("told_after_a_barrier", told_after_a_barrier<true>);
    show("waited_for", waited_for<true>);
    show("waited_for_from_the_start", waited_for_from_the_start<true>);
    show("wrong:summed_twice", summed_twice<false>);
    show("wrong:told_by_the_first", told_by_the_first<false>);
    show("wrong:told_by_the_last", told_by_the_last<false>);
    show("wrong:told_after_a_barrier", told_after_a_barrier<false>);
    return 0;
}
