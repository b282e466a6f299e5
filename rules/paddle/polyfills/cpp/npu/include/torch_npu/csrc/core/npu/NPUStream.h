#pragma once
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <torch_npu/csrc/core/npu/NPUFunctions.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "paddle/phi/backends/context_pool.h"
#include "paddle/phi/backends/custom/custom_context.h"
#include "paddle/phi/backends/stream.h"

typedef void* aclrtStream;

namespace c10_npu::compat_detail {

// The streams that Paddle has, by their handles: a context wants them as objects.
class Streams {
 public:
  using Pointer = std::shared_ptr<phi::stream::Stream>;

  static Streams& all() {
    static auto* streams = new Streams;  // which outlive what is destroyed at the end
    return *streams;
  }

  static phi::CustomContext* context(const phi::Place& place) {
    return static_cast<phi::CustomContext*>(phi::DeviceContextPool::Instance().Get(place));
  }

  // The first one that was current, Paddle's own.
  Pointer first(const phi::Place& place) {
    std::lock_guard<std::mutex> held(lock_);
    return known(place);
  }

  Pointer next(const phi::Place& place) {
    std::lock_guard<std::mutex> held(lock_);
    auto& pool = pools_[place.GetDeviceId()];
    Pointer& stream = pool.streams[pool.next++ % pool.streams.size()];
    if (!stream) {
      stream = std::make_shared<phi::stream::Stream>();
      stream->Init(place);
    }
    return stream;
  }

  void make_current(const phi::Place& place, void* handle) {
    std::lock_guard<std::mutex> held(lock_);
    Pointer found = known(place);
    for (const auto& stream : pools_[place.GetDeviceId()].streams) {
      if (stream && stream->raw_stream() == handle) found = stream;
    }
    if (found->raw_stream() != handle) {
      found = std::make_shared<phi::stream::Stream>(place, handle);
    }
    context(place)->SetStream(found);
  }

 private:
  struct Pool {
    std::array<Pointer, 32> streams;
    size_t next = 0;
  };

  Pointer known(const phi::Place& place) {
    Pointer& stream = first_[place.GetDeviceId()];
    if (!stream) stream = context(place)->GetStream();
    return stream;
  }

  std::mutex lock_;
  std::map<int, Pointer> first_;
  std::map<int, Pool> pools_;
};

}  // namespace c10_npu::compat_detail

namespace c10_npu {

// A stream of an NPU: that of the runtime, which is Paddle's, too.
class NPUStream {
 public:
  enum Unchecked { UNCHECKED };

  explicit NPUStream(c10::Stream stream) : stream_(stream) {}
  NPUStream(Unchecked, c10::Stream stream) : stream_(stream) {}

  bool operator==(const NPUStream& other) const noexcept { return stream_ == other.stream_; }
  bool operator!=(const NPUStream& other) const noexcept { return stream_ != other.stream_; }

  // Nothing waits in a queue before it: with and without draining it is the same.
  aclrtStream stream() const { return stream_.native_handle(); }
  aclrtStream stream(bool) const { return stream_.native_handle(); }
  operator aclrtStream() const { return stream(); }
  operator c10::Stream() const { return stream_; }
  c10::Stream unwrap() const { return stream_; }

  c10::StreamId id() const { return stream_.id(); }
  c10::DeviceIndex device_index() const { return stream_.device_index(); }
  c10::Device device() const { return stream_.device(); }
  bool query() const { return object().Query(); }
  void synchronize() const { object().Synchronize(); }

 private:
  phi::stream::Stream object() const {
    return phi::stream::Stream(compat_detail::place_of(device_index()), stream());
  }

  c10::Stream stream_;
};

}  // namespace c10_npu

namespace c10_npu::compat_detail {

inline NPUStream as_stream(const phi::Place& place, void* handle) {
  const auto id = reinterpret_cast<c10::StreamId>(handle);
  return NPUStream(c10::Stream(c10::Stream::UNSAFE, c10::Device(place), id));
}

}  // namespace c10_npu::compat_detail

namespace c10_npu {

inline NPUStream getCurrentNPUStream(c10::DeviceIndex index = -1) {
  const phi::Place place = compat_detail::place_of(index);
  compat_detail::Streams::all().first(place);
  return compat_detail::as_stream(place, compat_detail::Streams::context(place)->stream());
}

inline NPUStream getDefaultNPUStream(c10::DeviceIndex index = -1) {
  const phi::Place place = compat_detail::place_of(index);
  return compat_detail::as_stream(place, compat_detail::Streams::all().first(place)->raw_stream());
}

inline NPUStream getNPUStreamFromPool(c10::DeviceIndex index = -1) {
  const phi::Place place = compat_detail::place_of(index);
  return compat_detail::as_stream(place, compat_detail::Streams::all().next(place)->raw_stream());
}

// For the whole process, where torch_npu does so for one thread.
inline void setCurrentNPUStream(NPUStream stream) {
  const phi::Place place = compat_detail::place_of(stream.device_index());
  compat_detail::Streams::all().make_current(place, stream.stream());
}

}  // namespace c10_npu
