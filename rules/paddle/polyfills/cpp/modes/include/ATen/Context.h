#pragma once
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/Device.h>
#include <torch/cuda.h>

namespace at {

// What torch's context is asked for; Paddle answers where it has an answer.
class Context {
 public:
  const Generator& defaultGenerator(Device device);
  bool deterministicAlgorithms() const { return deterministic_; }
  bool deterministicAlgorithmsWarnOnly() const { return false; }
  void setDeterministicAlgorithms(bool deterministic, bool = false) {
    deterministic_ = deterministic;
  }
  bool deterministicFillUninitializedMemory() const { return false; }
  void alertNotDeterministic(const char* caller) const {
    if (deterministic_) {
      throw std::runtime_error(std::string(caller) + " does not have a deterministic implementation");
    }
  }
  bool userEnabledCuDNN() const { return true; }
  bool deterministicCuDNN() const { return false; }
  bool benchmarkCuDNN() const { return false; }
  bool userEnabledMkldnn() const { return true; }
  bool allowTF32CuBLAS() const { return false; }
  bool allowTF32CuDNN() const { return true; }
  bool allowFP16ReductionCuBLAS() const { return true; }
  bool allowBF16ReductionCuBLAS() const { return true; }
  static bool hasCUDA() { return torch::cuda::is_available(); }
  static bool hasCUDART() { return torch::cuda::is_available(); }
  static bool hasHIP() { return false; }
  static bool hasXPU() { return false; }
  static bool hasMPS() { return false; }
  static bool hasMKL() { return false; }
  static bool hasMKLDNN() { return false; }
  void lazyInitCUDA() {}

 private:
  bool deterministic_ = false;
};

inline Context& globalContext() {
  static Context context;
  return context;
}

inline const Generator& Context::defaultGenerator(Device) {
  return detail::getDefaultCPUGenerator();
}

inline bool hasCUDA() { return Context::hasCUDA(); }

inline bool hasHIP() { return false; }

inline bool hasXPU() { return false; }

inline bool hasMPS() { return false; }

inline bool hasMKL() { return false; }

inline bool hasMKLDNN() { return false; }

inline size_t getNumGPUs() { return hasCUDA() ? torch::cuda::device_count() : 0; }

inline void init() {}

inline void manual_seed(uint64_t seed) {
  phi::DefaultCPUGenerator()->SetCurrentSeed(seed);
#ifdef PADDLE_WITH_CUDA
  for (size_t i = 0; i < getNumGPUs(); ++i) phi::DefaultCUDAGenerator(i)->SetCurrentSeed(seed);
#endif
}

}  // namespace at
