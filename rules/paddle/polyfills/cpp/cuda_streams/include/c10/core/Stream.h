#pragma once
#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <ostream>

namespace c10 {

using StreamId = int64_t;

// A stream of any device; for CUDA its id is the raw stream.
class Stream final {
 public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };

  Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
  Stream(Default, Device device) : device_(device), id_(0) {}

  bool operator==(const Stream& other) const { return device_ == other.device_ && id_ == other.id_; }
  bool operator!=(const Stream& other) const { return !(*this == other); }

  Device device() const { return device_; }
  DeviceType device_type() const { return device_.type(); }
  DeviceIndex device_index() const { return device_.index(); }
  StreamId id() const { return id_; }
  void* native_handle() const { return reinterpret_cast<void*>(id_); }

  template <typename Event>
  void wait(const Event& event) const { event.block(*this); }

#ifdef PADDLE_WITH_CUDA
  bool query() const {
    const auto result = cudaStreamQuery(reinterpret_cast<cudaStream_t>(id_));
    if (result == cudaErrorNotReady) (void)cudaGetLastError();
    return result == cudaSuccess;
  }
  void synchronize() const { cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(id_)); }
#endif

 private:
  Device device_;
  StreamId id_;
};

inline ::std::ostream& operator<<(::std::ostream& out, const Stream& stream) {
  return out << "stream " << stream.id() << " on device " << stream.device();
}

}  // namespace c10

namespace at {

using Stream = c10::Stream;

using StreamId = c10::StreamId;

}  // namespace at

namespace torch {

using Stream = c10::Stream;

using StreamId = c10::StreamId;

}  // namespace torch
