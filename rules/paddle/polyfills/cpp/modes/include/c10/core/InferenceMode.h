#pragma once
#include <c10/core/GradMode.h>

namespace c10 {

struct InferenceMode {
  explicit InferenceMode(bool enabled = true)
      : before_(depth()), mode_(!enabled && GradMode::is_enabled()) {
    depth() = enabled;
  }
  ~InferenceMode() { depth() = before_; }
  static bool is_enabled() { return depth(); }

 private:
  static bool& depth() {
    thread_local bool enabled = false;
    return enabled;
  }
  bool before_;
  AutoGradMode mode_;
};

}  // namespace c10

namespace at {
using c10::InferenceMode;
}  // namespace at

namespace torch {
using c10::InferenceMode;
}  // namespace torch
