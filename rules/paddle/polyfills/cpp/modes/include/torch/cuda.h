#pragma once
#include <exception>

namespace torch::cuda {

// On a CPU build Paddle's own raises an error.
// instead of the one with: c10::DeviceIndex device_count();
static inline c10::DeviceIndex device_count() {
  extern c10::DeviceIndex counted() asm("_ZN5torch4cuda12device_countEv");
  try {
    return counted();
  } catch (const std::exception&) {
    return 0;
  }
}

// instead of the one with: bool is_available();
static inline bool is_available() { return device_count() > 0; }

}  // namespace torch::cuda
