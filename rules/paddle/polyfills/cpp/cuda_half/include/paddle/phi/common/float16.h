#pragma once
#include <type_traits>

namespace phi::dtype {

// extends
class float16 {
#ifdef PADDLE_CUDA_FP16
  // Where no cast is written; a cast takes Paddle's constructor.
  template <typename... None, ::std::enable_if_t<sizeof...(None) == 0, int> = 0>
  HOSTDEVICE float16(const half& value, None...) : x(float16(value).x) {}
#endif

#ifdef PADDLE_CUDA_FP16
  HOSTDEVICE operator half() const { return to_half(); }
#endif
};

}  // namespace phi::dtype
