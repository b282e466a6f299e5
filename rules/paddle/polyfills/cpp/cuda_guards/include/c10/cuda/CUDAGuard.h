#pragma once
#include <c10/cuda/CUDAStream.h>

#include <optional>

namespace c10::cuda {

// extends
class OptionalCUDAGuard {
  void reset() { guard_.reset(); }
};

// Makes a stream and its device current, until the end of the scope.
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream stream) : CUDAStreamGuard(stream, stream.device()) {}
  explicit CUDAStreamGuard(Stream stream)
      : CUDAStreamGuard(CUDAStream(stream), stream.device()) {}
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  ~CUDAStreamGuard() { setCurrentCUDAStream(before_); }

  void reset_stream(CUDAStream stream) {
    setCurrentCUDAStream(before_);
    guard_.set_device(stream.device());
    before_ = getCurrentCUDAStream();
    setCurrentCUDAStream(current_ = stream);
  }

  CUDAStream original_stream() const { return before_; }
  CUDAStream current_stream() const { return current_; }
  Device current_device() const { return current_.device(); }
  Device original_device() const { return original_; }

 private:
  CUDAStreamGuard(CUDAStream stream, Device device)
      : original_(kCUDA, phi::backends::gpu::GetCurrentDeviceId()),
        guard_(device),
        before_(getCurrentCUDAStream(device.index())),
        current_(stream) {
    setCurrentCUDAStream(stream);
  }

  Device original_;
  CUDAGuard guard_;
  CUDAStream before_;
  CUDAStream current_;
};

// A CUDAStreamGuard once it has a stream.
class OptionalCUDAStreamGuard {
 public:
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(CUDAStream stream) { guard_.emplace(stream); }
  explicit OptionalCUDAStreamGuard(::std::optional<CUDAStream> stream) {
    if (stream.has_value()) guard_.emplace(*stream);
  }

  void reset_stream(CUDAStream stream) {
    guard_.reset();
    guard_.emplace(stream);
  }
  void reset() { guard_.reset(); }

  ::std::optional<CUDAStream> original_stream() const {
    return guard_ ? ::std::make_optional(guard_->original_stream()) : ::std::nullopt;
  }
  ::std::optional<CUDAStream> current_stream() const {
    return guard_ ? ::std::make_optional(guard_->current_stream()) : ::std::nullopt;
  }

 private:
  ::std::optional<CUDAStreamGuard> guard_;
};

// Makes the streams current, each on its device, until the end of the scope.
class CUDAMultiStreamGuard {
 public:
  explicit CUDAMultiStreamGuard(const ::std::vector<CUDAStream>& streams) {
    for (const CUDAStream& stream : streams) {
      before_.push_back(getCurrentCUDAStream(stream.device_index()));
      setCurrentCUDAStream(stream);
    }
  }
  CUDAMultiStreamGuard(const CUDAMultiStreamGuard&) = delete;
  CUDAMultiStreamGuard& operator=(const CUDAMultiStreamGuard&) = delete;
  ~CUDAMultiStreamGuard() {
    for (; !before_.empty(); before_.pop_back()) setCurrentCUDAStream(before_.back());
  }

 private:
  ::std::vector<CUDAStream> before_;
};

}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}  // namespace at::cuda
