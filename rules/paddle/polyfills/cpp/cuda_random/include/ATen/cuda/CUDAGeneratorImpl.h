#pragma once
#include <ATen/core/Generator.h>
#include <c10/cuda/PhiloxCudaState.h>

namespace at {

struct CUDAGeneratorImpl : public c10::GeneratorImpl {
  CUDAGeneratorImpl(c10::DeviceIndex device = -1)
      : CUDAGeneratorImpl(::std::make_shared<phi::Generator>(67280421310721, index(device)), index(device)) {}
  CUDAGeneratorImpl(::std::shared_ptr<phi::Generator> inner, c10::DeviceIndex device)
      : GeneratorImpl(::std::move(inner), c10::Device(c10::kCUDA, device)) {}

  static c10::DeviceType device_type() { return c10::DeviceType::CUDA; }

  // Takes `increment` numbers of each thread's sequence, rounded up to a multiple of four.
  PhiloxCudaState philox_cuda_state(uint64_t increment) {
    const auto [seed, offset] = inner_->IncrementOffset((increment + 3) / 4 * 4);
    return PhiloxCudaState(seed, offset);
  }
  ::std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t increment) {
    return inner_->IncrementOffset((increment + 3) / 4 * 4);
  }
  void set_philox_offset_per_thread(uint64_t offset) { set_offset(offset); }
  uint64_t philox_offset_per_thread() const { return get_offset(); }

 private:
  static c10::DeviceIndex index(c10::DeviceIndex device) {
    return device == -1 ? static_cast<c10::DeviceIndex>(phi::backends::gpu::GetCurrentDeviceId()) : device;
  }
};

}  // namespace at

namespace at::cuda::detail {

inline const Generator& getDefaultCUDAGenerator(c10::DeviceIndex device = -1) {
  static ::std::mutex mutex;
  static Generator defaults[128];
  if (device == -1) device = static_cast<c10::DeviceIndex>(phi::backends::gpu::GetCurrentDeviceId());
  const ::std::lock_guard<::std::mutex> lock(mutex);
  if (!defaults[device].defined()) {
    defaults[device] = make_generator<CUDAGeneratorImpl>(phi::DefaultCUDAGenerator(device), device);
  }
  return defaults[device];
}

inline Generator createCUDAGenerator(c10::DeviceIndex device = -1) {
  return make_generator<CUDAGeneratorImpl>(device);
}

}  // namespace at::cuda::detail
