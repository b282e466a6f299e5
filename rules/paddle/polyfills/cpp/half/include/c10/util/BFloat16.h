#pragma once

#ifdef __CUDACC__
__device__ inline at::BFloat16 __ldg(const at::BFloat16* address) {
  return static_cast<at::BFloat16>(__ldg(reinterpret_cast<const __nv_bfloat16*>(address)));
}
#endif
