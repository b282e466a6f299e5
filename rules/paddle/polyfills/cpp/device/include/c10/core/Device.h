#pragma once

namespace c10 {
// extends
struct Device {
  bool operator!=(const Device& other) const noexcept { return !(*this == other); }
  bool is_meta() const noexcept { return false; }
  bool is_mps() const noexcept { return false; }
  bool is_xpu() const noexcept { return false; }
  bool is_hip() const noexcept { return false; }
  bool is_privateuseone() const noexcept { return type() == kCUSTOM; }
  bool supports_as_strided() const noexcept { return true; }
};
}  // namespace c10
