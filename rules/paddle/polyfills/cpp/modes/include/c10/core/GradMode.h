#pragma once
#include <porter_compat/eager.h>

namespace c10 {

struct GradMode {
  static bool is_enabled() {
    const auto& tracer = paddle::imperative::GetCurrentTracer();
    return tracer && tracer->HasGrad();
  }
  static void set_enabled(bool enabled) {
    if (const auto& tracer = paddle::imperative::GetCurrentTracer()) tracer->SetHasGrad(enabled);
  }
};

class AutoGradMode {
 public:
  explicit AutoGradMode(bool enabled) : before_(GradMode::is_enabled()) {
    GradMode::set_enabled(enabled);
  }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

class NoGradGuard : public AutoGradMode {
 public:
  NoGradGuard() : AutoGradMode(false) {}
};

}  // namespace c10

namespace at {
using c10::AutoGradMode;
using c10::GradMode;
using c10::NoGradGuard;
}  // namespace at

namespace torch {
using c10::AutoGradMode;
using c10::GradMode;
using c10::NoGradGuard;
}  // namespace torch

namespace torch::autograd {
using c10::AutoGradMode;
using c10::GradMode;
}  // namespace torch::autograd
