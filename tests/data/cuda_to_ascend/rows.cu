// Kernels whose blocks go over rows, in the forms that they are written in.
constexpr int kThreads = 256;
#define WARP_SIZE 32

__device__ __forceinline__ float warp_sum(float value) {
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

template <typename T> __device__ __forceinline__ T warp_max(T value) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) value = max(value, __shfl_xor_sync(0xffffffffu, value, mask, 32));
    return value;
}

__device__ float block_sum(float value) {
    static __shared__ float sums[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    value = warp_sum(value);
    __syncthreads();
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? sums[lane] : 0.0f;
    if (warp == 0) value = warp_sum(value);
    return value;
}

// A block a row; shuffles, then shared memory; the first thread tells the others.
template <typename T>
__global__ void rms_norm(const T *__restrict__ x, const T *__restrict__ weight, T *__restrict__ out, int cols, float eps) {
    __shared__ float scale;
    const int64_t row = blockIdx.x;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        const float v = static_cast<float>(x[row * cols + i]);
        sum += v * v;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) scale = rsqrtf(sum / cols + eps);
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        out[row * cols + i] = static_cast<T>(static_cast<float>(x[row * cols + i]) * scale * static_cast<float>(weight[i]));
    }
}

// A tree in shared memory; what is written is read again; pointers to the row.
template <typename T>
__global__ void softmax(const T *x, const T *weight, T *out, int cols, float eps) {
    extern __shared__ float shared[];
    const int tid = threadIdx.x;
    const T *row = x + blockIdx.x * cols;
    T *to = out + blockIdx.x * cols;
    float top = -INFINITY;
    for (int i = tid; i < cols; i += blockDim.x) top = fmaxf(top, float(row[i]));
    shared[tid] = top;
    __syncthreads();
    for (int half_of = blockDim.x / 2; half_of > 0; half_of >>= 1) {
        if (tid < half_of) shared[tid] = fmaxf(shared[tid], shared[tid + half_of]);
        __syncthreads();
    }
    top = shared[0];
    __syncthreads();
    float sum = 0;
    for (int i = tid; i < cols; i += blockDim.x) {
        float e = expf(float(row[i]) - top);
        to[i] = T(e);
        sum += e;
    }
    shared[tid] = sum;
    __syncthreads();
    for (int half_of = blockDim.x >> 1; half_of >= 1; half_of = half_of / 2) {
        if (tid < half_of) {
            shared[tid] += shared[tid + half_of];
        }
        __syncthreads();
    }
    const float inverse = 1.0f / shared[0];
    for (int i = tid; i < cols; i += blockDim.x) to[i] = T(float(to[i]) * inverse);
}

// Mean and variance of one pass, a loop over rows, a size that the source says.
template <typename scalar_t>
__global__ void layer_norm(const scalar_t *x, const scalar_t *weight, scalar_t *out, int cols, float eps) {
    __shared__ float first[kThreads / 32], second[kThreads / WARP_SIZE];
    int warp = threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;
    float mean = 0.f, square = 0.f;
    for (int col = threadIdx.x; col < cols; col += kThreads) {
        int place = blockIdx.x * cols + col;
        float v = x[place];
        mean += v;
        square = fmaf(v, v, square);
    }
    for (int o = 16; o > 0; o >>= 1) {
        mean += __shfl_xor_sync(0xffffffff, mean, o);
        square += __shfl_xor_sync(0xffffffff, square, o);
    }
    if (lane == 0) { first[warp] = mean; second[warp] = square; }
    __syncthreads();
    mean = 0.f; square = 0.f;
    for (int w = 0; w < kThreads / WARP_SIZE; ++w) { mean += first[w]; square += second[w]; }
    mean /= cols;
    const float variance = square / cols - mean * mean;
    const float rstd = 1.0f / sqrtf(fmaxf(variance, 0.0f) + eps);
    for (int col = threadIdx.x; col < cols; col += kThreads) {
        int place = blockIdx.x * cols + col;
        out[place] = (static_cast<float>(x[place]) - mean) * rstd * static_cast<float>(weight[col]);
    }
}

// The greatest of each row, by a condition; one number a row is written, rows in a loop of the grid.
template <typename T>
__global__ void row_max(const T *x, const T *weight, T *out, int cols, float eps) {
    for (int row = blockIdx.x; row < 5; row += gridDim.x) {
        float best = -3.0e38f, least = INFINITY;
        for (int i = threadIdx.x; i < cols; i += blockDim.x) {
            const float v = x[row * cols + i];
            if (v > best) best = v;
            least = v < least ? v : least;
        }
        best = warp_max(best);
        for (int mask = 16; mask > 0; mask >>= 1) {
            float other = __shfl_xor_sync(0xffffffff, least, mask);
            if (other < least) least = other;
        }
        __shared__ float tops[32];
        __shared__ float bottoms[32];
        __syncthreads();
        if (threadIdx.x % 32 == 0) { tops[threadIdx.x / 32] = best; bottoms[threadIdx.x / 32] = least; }
        __syncthreads();
        for (int w = 0; w < (int)blockDim.x / 32; w++) {
            best = best > tops[w] ? best : tops[w];
            least = fminf(least, bottoms[w]);
        }
        if (threadIdx.x == 0) out[row] = T(best - least);
    }
}
