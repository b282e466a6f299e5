// Kernels that are elementwise, in the forms that they are written in. Each is run as it stands, a
// thread after the other, and translated.
constexpr float kBeta = 0.7978845608f;
constexpr double kCubic = 0.044715;
#define LIMIT 1.5

template <typename T> __device__ __forceinline__ T tanh_gelu(T x) {
    const T inner = kBeta * (x + static_cast<T>(kCubic) * x * x * x);
    return T(0.5) * x * (T(1) + tanhf(inner));
}

__device__ inline float clipped(float v, const float low, float high) {
    if (v < low) return low;
    if (v > high) {
        return high;
    }
    return v;
}

// The guard around the body.
template <typename T>
__global__ void gelu(const T *__restrict__ x, const T *__restrict__ y, T *__restrict__ out, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = static_cast<T>(tanh_gelu(static_cast<float>(x[i])));
    }
}

// The guard that leaves; names of a pointer's values; two results of one condition.
template <typename scalar_t>
__global__ void where_greater(const scalar_t *x, const scalar_t *y, scalar_t *out, float a, int n) {
    const int64_t index = threadIdx.x + static_cast<int64_t>(blockDim.x) * blockIdx.x;
    if (index >= n) return;
    const float left = x[index], right = y[index];
    float first = left, second = 0.f;
    if (left > right) {
        first = right;
        second = left - right;
    } else if (left == right) {
        second = -1.0f;
    }
    out[index] = scalar_t(first * a + second);
}

// A loop with the stride of the grid.
template <typename T>
__global__ void leaky(const T *x, const T *y, T *out, float a, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float v = float(x[i]);
        if (v < 0 || !(v == v)) v *= a;
        out[i] = static_cast<T>(v > LIMIT ? LIMIT : v);
    }
}

// NaN and infinity: what is not chosen does not count.
template <typename T>
__global__ void guarded(const T *x, const T *y, T *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > i) {
        float v = x[i], w = y[i];
        float root = sqrtf(v);
        float ratio = 1.0f / w;
        bool fine = !isnan(root) && !isinf(ratio);
        out[i] = T(fine ? root * ratio : fminf(fmaxf(v / w, -3.0f), 4.0f));
    }
}

// In place, and a value read again after it was written.
template <typename T>
__global__ void twice(const T *x, const T *y, T *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        s += float(y[i]);
        out[i] = T(s);
        if (s > 0.0f) out[i] += T(a);
        float again = out[i];
        if (a > 1) out[i] = T(again - 1.0f);
    }
}

// What was there stays where nothing is written.
template <typename T>
__global__ void sometimes(const T *x, const T *y, T *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && true) out[i] = x[i];
}

template <typename T>
__global__ void kept(const T *x, const T *y, T *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) { return; }
    if (float(x[i]) > float(y[i])) out[i] = x[i];
}

// Scalars alone: computed once, as C++ computes them.
template <typename T>
__global__ void scalars(const T *x, const T *y, T *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float half_of = n / 2 * 0.001f;
    const float scale = a > 0 ? 1.0f / a : expf(a);
    if (i < n) out[i] = T(clipped(float(x[i]) * scale, -half_of, half_of) - 2.f * (a - float(y[i])));
}

// Counts of conditions, signs, functions.
template <typename T>
__global__ void functions(const T *x, const T *y, T *out, float a, int n) {
    for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i = i + blockDim.x * gridDim.x) {
        const float v = x[i];
        const float w = fabsf(float(y[i])) + 0.5f;
        float sign = (v > 0) - (v < 0);
        float sum = logf(w) + sign * erff(v) + rsqrtf(w) + powf(v, 2) + powf(w, 1.5f) + floorf(v);
        sum += __expf(-w) * cosf(v) - std::max(v, w) + fmaf(v, w, a) - (-v) / w;
        out[i] = static_cast<T>(sum);
    }
}
