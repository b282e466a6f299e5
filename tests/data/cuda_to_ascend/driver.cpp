// Each kernel of elementwise.cu, translated, against the CUDA source run as plain C++.
#include <algorithm>
#include <type_traits>

#include "common.h"

namespace cuda {  // what the names of CUDA are in plain C++: one thread at a time
struct Index {
    unsigned x;
};
Index blockIdx, threadIdx, blockDim, gridDim;
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
using std::isinf, std::isnan;
#define __device__
#define __forceinline__ inline
#define __global__
#include "elementwise.cu"
#undef __global__
#undef __device__
#undef LIMIT
}  // namespace cuda
#include "emulated_npu/language.h"
#ifndef __global__
#define __global__
#endif

namespace npu {
constexpr float kBeta = 0.7978845608f;
constexpr double kCubic = 0.044715;
#define LIMIT 1.5
}  // namespace npu
namespace translated {
using namespace ::npu;
#include "translated.inc"
}  // namespace translated

int wrong = 0;

template <class T, class Cuda, class Npu> void compare(const char *name, bool in_place, Cuda run, Npu launch) {
    const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-8f, 65504.0f};
    for (int n : {1, 7, 64, 2048, 2049, 5000}) {
        for (float a : {0.5f, 2.0f, -1.0f}) {
            Memory<T> x(n), y(n), out(n);
            std::vector<T> first(n), second(n), want(n);
            for (int k = 0; k < n; ++k) {
                first[k] = T(k % 13 == 5 ? special[k / 13 % 7] : float(k * 37 % 101) / 16 - 3);
                second[k] = T(k % 17 == 3 ? special[k / 17 % 7] : float(k * 53 % 89) / 16 - 2.5f);
                x[k] = first[k], y[k] = second[k];
                out[k] = want[k] = in_place ? first[k] : T(float(k % 5));
            }
            cuda::blockDim.x = 64, cuda::gridDim.x = (n + 63) / 64;
            for (unsigned b = 0; b < cuda::gridDim.x; ++b)
                for (unsigned t = 0; t < 64; ++t) {
                    cuda::blockIdx.x = b, cuda::threadIdx.x = t;
                    run(in_place ? want.data() : first.data(), second.data(), want.data(), a, n);
                }
            launch(in_place ? static_cast<uint8_t *>(out) : static_cast<uint8_t *>(x), y, out, a, n);
            if (aclrtSynchronizeStream(nullptr) != 0) {
                ++wrong;
                return;
            }
            for (int k = 0; k < n; ++k) {
                const float got = float(out[k]), should = float(want[k]);
                const float tolerance = (sizeof(T) == 4 ? 4e-6f : 1e-3f) * (1 + std::fabs(should));
                const bool same = std::isnan(should) ? std::isnan(got) : got == should || std::fabs(got - should) <= tolerance;
                if (!same) {
                    std::printf("WRONG %s n=%d a=%g [%d] x=%g y=%g: %.9g, not %.9g\n", name, n, a, k,
                                float(first[k]), float(second[k]), got, should);
                    ++wrong;
                    return;
                }
            }
        }
    }
    std::printf("ok %s\n", name);
}

#define CHECK(name, T, in_place)                                                                   \
    compare<T>(#name " " #T, in_place, [](auto... given) { cuda::name<T>(given...); },             \
               [](uint8_t *x, uint8_t *y, uint8_t *out, float a, int n) {                          \
                   auto stream = nullptr;                                                          \
                   const uint32_t blocks = n > 2048 ? 2 : 1;                                       \
                   translated::name<T><<<blocks, nullptr, stream>>>(x, y, out, a, n, int64_t(n));  \
               });
#define BOTH(name) CHECK(name, float, false) CHECK(name, half, false)

int main() {
    BOTH(gelu) BOTH(where_greater) BOTH(leaky) BOTH(guarded) BOTH(twice) BOTH(kept) BOTH(scalars) BOTH(functions)
    CHECK(leaky, float, true) CHECK(twice, float, true) CHECK(gelu, half, true)
    return wrong != 0;
}
