#pragma once

namespace phi {

// extends
enum class AllocationType {
  HIP = 32,
  MPS = 33,
  Meta = 34,
  PrivateUse1 = CUSTOM,
  MKLDNN = 36,
  HPU = 37,
  Vulkan = 38
};

}  // namespace phi
