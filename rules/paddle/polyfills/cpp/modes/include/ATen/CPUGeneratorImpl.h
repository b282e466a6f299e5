#pragma once
#include <ATen/core/Generator.h>

#include <random>

namespace at {

struct CPUGeneratorImpl : c10::GeneratorImpl {
  explicit CPUGeneratorImpl(uint64_t seed)
      : CPUGeneratorImpl(std::make_shared<phi::Generator>(seed)) {}
  explicit CPUGeneratorImpl(std::shared_ptr<phi::Generator> inner)
      : GeneratorImpl(std::move(inner), Device(kCPU)) {}
  static DeviceType device_type() { return kCPU; }
  // Drawn from the engine that Paddle's operators on the CPU use.
  uint64_t random64() { return (*inner_->GetCPUEngine())(); }
  uint32_t random() { return static_cast<uint32_t>(random64()); }
};

namespace detail {

inline const Generator& getDefaultCPUGenerator() {
  static const Generator generator = make_generator<CPUGeneratorImpl>(phi::DefaultCPUGenerator());
  return generator;
}

inline Generator createCPUGenerator(uint64_t seed = 67280421310721) {
  return make_generator<CPUGeneratorImpl>(seed);
}

}  // namespace detail

}  // namespace at
