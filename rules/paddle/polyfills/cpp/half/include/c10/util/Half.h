#pragma once

#ifdef __CUDACC__
__device__ inline at::Half __ldg(const at::Half* address) {
  return static_cast<at::Half>(__ldg(reinterpret_cast<const __half*>(address)));
}
#endif
