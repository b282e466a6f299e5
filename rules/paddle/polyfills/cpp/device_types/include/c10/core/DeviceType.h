#pragma once

namespace c10 {

constexpr DeviceType kHIP = DeviceType::HIP;

constexpr DeviceType kMPS = DeviceType::MPS;

constexpr DeviceType kMeta = DeviceType::Meta;

constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;

constexpr DeviceType kHPU = DeviceType::HPU;

constexpr DeviceType kVulkan = DeviceType::Vulkan;

constexpr DeviceType kXPU = DeviceType::XPU;

inline std::string DeviceTypeName(DeviceType type, bool lower_case = false) {
  const bool cpu = type == kCPU, cuda = type == kCUDA;
  if (lower_case) return cpu ? "cpu" : cuda ? "cuda" : "other";
  return cpu ? "CPU" : cuda ? "CUDA" : "OTHER";
}

}  // namespace c10
