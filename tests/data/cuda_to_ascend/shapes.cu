// Rows in other shapes than a block each, and elements that are in planes or read what all share.
#define WARP 32

__device__ inline float squared(float x, float scale = 2.0f) { return x * x * scale; }

// One thread a row; a greatest value that begins with the first column.
__global__ void softmax_naive(const float *x, float *y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float most = x[row * cols];
        for (int j = 1; j < cols; j++) {
            if (x[row * cols + j] > most) most = x[row * cols + j];
        }
        float sum = 0.0f;
        for (int j = 0; j < cols; j++) sum += expf(x[row * cols + j] - most);
        for (int j = 0; j < cols; j++) y[row * cols + j] = expf(x[row * cols + j] - most) / sum;
    }
}

// One warp a row, several in a block.
template <typename T>
__global__ void norm_of_warps(const T *__restrict__ x, T *__restrict__ y, int rows, int cols) {
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int row = blockIdx.x * (blockDim.x / WARP) + warp;
    if (row >= rows) return;
    const T *own = x + row * cols;
    float sum = 0;
    for (int c = lane; c < cols; c += WARP) sum += squared(float(own[c]), 1.0f / cols);
    for (int k = WARP / 2; k > 0; k /= 2) sum += __shfl_xor_sync(0xffffffff, sum, k);
    for (int c = lane; c < cols; c += WARP) y[row * cols + c] = T(float(own[c]) * rsqrtf(sum + 1e-6f));
}

// A plane, with a bias for each column.
__global__ void plane(const float *x, const float *bias, float *y, int width, int height) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height && col < width) {
        int idx = row * width + col;
        y[idx] = squared(x[idx] + bias[col]);
    }
}

// A batch in the second dimension of the grid.
__global__ void gate(const float *gates, float *y, int width) {
    const int n = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;
    y[n * width + c] = gates[n * 2 * width + c] / (1 + expf(-gates[n * 2 * width + width + c]));
}

// One weight for all elements.
__global__ void prelu(const float *x, const float *w, float *y, int n) {
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    while (tid < n) {
        y[tid] = x[tid] > 0 ? x[tid] : w[0] * x[tid];
        tid += blockDim.x * gridDim.x;
    }
}

// Blocks of two dimensions, numbered through; functions that lose no digits near 0.
template <typename T>
__global__ void flat(const T *x, T *y, int n) {
    const int block = gridDim.x * blockIdx.y + blockIdx.x, size = blockDim.x * blockDim.y;
    const int i = block * size + threadIdx.y * blockDim.x + threadIdx.x;
    for (int j = i; j < n; j += gridDim.x * gridDim.y * size) {
        const float v = x[j], w = 1e-3f * v;
        y[j] = T(log1pf(w) + expm1f(w) + roundf(v * 2) + exp2f(v));
    }
}

// One dimension, of which the number of a row and of a column are told by division.
template <typename T>
__global__ void bias_act(const T *x, const T *bias, T *y, float slope, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const float v = float(x[i]) + float(bias[i % 7]);
        y[i] = T(v > 0 ? v : v * slope);
    }
}

__global__ void channels(const float *x, const float *scale, const float *batch, float *y, int c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int channel = (i / 5) % c;
    const int b = i / (c * 5);
    y[i] = x[i] * scale[channel] + batch[b];
}

// Four elements at a time, and the last ones by themselves.
__global__ void four(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
    const int n4 = n / 4;
    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    for (int k = i; k < n4; k += step) {
        float4 v = x4[k];
        v.x = tanhf(v.x) * a;
        v.y = tanhf(v.y) * a;
        v.z = tanhf(v.z) * a;
        v.w = tanhf(v.w) * a;
        reinterpret_cast<float4 *>(y)[k] = v;
    }
    for (int k = n4 * 4 + i; k < n; k += step) y[k] = tanhf(x[k]) * a;
}

__global__ void two(const half *x, half *y, int n) {
    const int k = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (k + 1 < n) {
        half2 v = *reinterpret_cast<const half2 *>(&x[k]);
        *reinterpret_cast<half2 *>(y + k) = __hmul2(v, __float2half2_rn(0.5f));
    } else if (k < n) {
        for (int j = k; j < n; ++j) y[j] = __hmul(x[j], __float2half(0.5f));
    }
}
