#pragma once
#include <c10/core/Stream.h>

#include <type_traits>

namespace at {

// extends
class Tensor {
#ifdef PADDLE_WITH_CUDA
  // Of a stream of any device; a CUDAStream becomes the raw one.
  template <class S, class = ::std::enable_if_t<::std::is_same_v<S, c10::Stream>>>
  void record_stream(const S& s) const {
    record_stream(reinterpret_cast<cudaStream_t>(s.id()));
  }
#endif
};

}  // namespace at
