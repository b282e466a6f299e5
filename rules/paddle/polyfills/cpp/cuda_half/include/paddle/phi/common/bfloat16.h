#pragma once
#include <type_traits>

namespace phi::dtype {

// extends
class bfloat16 {
#ifdef PADDLE_CUDA_BF16
  // Where no cast is written; a cast takes Paddle's constructor.
  template <typename... None, ::std::enable_if_t<sizeof...(None) == 0, int> = 0>
  HOSTDEVICE bfloat16(const __nv_bfloat16& value, None...) : x(bfloat16(value).x) {}
#endif

#ifdef PADDLE_CUDA_BF16
  HOSTDEVICE explicit operator __nv_bfloat16() const { return to_nv_bfloat16(); }
#endif
};

}  // namespace phi::dtype
