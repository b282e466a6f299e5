// What nvcc includes before everything else.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "emulated/atomics.h"
#include "emulated/core.h"
#include "emulated/math.h"
#include "emulated/warp.h"

namespace emulated {
template <class... P, size_t... k>
inline void launch_by_address(Place place, void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared,
                              cudaStream_t stream, std::index_sequence<k...>) {
    prepare(place, [=](auto &...a) { kernel(a...); }, grid, block, shared,
            stream)(*static_cast<std::remove_cv_t<P> *>(arguments[k])...);
}
}  // namespace emulated

// Of a kernel that still has its type: `(void *)kernel` has lost what its arguments are.
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                    cudaStream_t stream = nullptr, EMULATED_HERE) {
    emulated::launch_by_address({"cudaLaunchKernel", file, line}, kernel, grid, block, arguments, shared, stream,
                                std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}
#endif
