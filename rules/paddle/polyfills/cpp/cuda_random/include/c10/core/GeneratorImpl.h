#pragma once
#include <c10/core/Device.h>
#include "paddle/phi/core/generator.h"

#include <memory>
#include <mutex>
#include <utility>

namespace c10 {

// One of Paddle's generators.
struct GeneratorImpl {
  GeneratorImpl(::std::shared_ptr<phi::Generator> inner, Device device)
      : inner_(::std::move(inner)), device_(device) {}
  virtual ~GeneratorImpl() = default;

  void set_current_seed(uint64_t seed) { inner_->SetCurrentSeed(seed); }
  uint64_t current_seed() const { return inner_->GetCurrentSeed(); }
  uint64_t seed() { return inner_->Seed(); }
  void set_offset(uint64_t offset) {
    auto state = inner_->GetState();
    state.offset = offset;
    inner_->SetState(state);
  }
  uint64_t get_offset() const { return inner_->GetCurrentOffset(); }
  uint64_t random64() { return inner_->Random64(); }
  uint32_t random() { return static_cast<uint32_t>(inner_->Random64()); }
  Device device() const { return device_; }
  const ::std::shared_ptr<phi::Generator>& _PD_GetInner() const { return inner_; }

  ::std::mutex mutex_;

 protected:
  ::std::shared_ptr<phi::Generator> inner_;
  Device device_;
};

}  // namespace c10
