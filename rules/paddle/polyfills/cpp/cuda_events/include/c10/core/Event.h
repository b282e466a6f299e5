#pragma once
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAStream.h>

namespace c10 {

// extends
class Event {
  void record(const c10::cuda::CUDAStream& stream) {
    C10_CUDA_CHECK(cudaEventRecord(cuda_event_, stream.stream()));
  }

  void record(const Stream& stream) {
    C10_CUDA_CHECK(cudaEventRecord(cuda_event_, reinterpret_cast<cudaStream_t>(stream.id())));
  }

  // Later work on the stream waits for it.
  void block(const Stream& stream) const {
    const auto raw = reinterpret_cast<cudaStream_t>(stream.id());
    C10_CUDA_CHECK(cudaStreamWaitEvent(raw, cuda_event_, 0));
  }

  bool query() const {
    const auto result = cudaEventQuery(cuda_event_);
    if (result == cudaErrorNotReady) (void)cudaGetLastError();
    return result == cudaSuccess;
  }

  void synchronize() const { C10_CUDA_CHECK(cudaEventSynchronize(cuda_event_)); }
};

}  // namespace c10
