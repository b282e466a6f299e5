// What Paddle's kernels draw from.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include <memory>
#include <mutex>
#include <optional>

namespace at::compat_detail {

// While it lives, what is drawn on a device comes from a generator, if one is given.
class Drawing {
 public:
  Drawing(const ::std::optional<Generator>& generator, const c10::Device& device) {
    if (!generator || !generator->defined()) return;
    PD_CHECK(generator->device().type() == device.type(), "Expected a generator of the tensor's device");
    const auto& own = generator->unsafeGetGeneratorImpl()->_PD_GetInner();
    const auto& drawn = device.type() == c10::DeviceType::CPU
                            ? phi::DefaultCPUGenerator()
                            : phi::DefaultCUDAGenerator(device.index());
    if (own == drawn) return;
    lock_ = ::std::unique_lock<::std::mutex>(mutex());
    given_ = own;
    drawn_ = drawn;
    kept_ = drawn->GetState();
    drawn->SetState(own->GetState());
  }
  ~Drawing() {
    if (!given_) return;
    given_->SetState(drawn_->GetState());
    drawn_->SetState(kept_);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

 private:
  static ::std::mutex& mutex() {
    static ::std::mutex made;
    return made;
  }
  ::std::unique_lock<::std::mutex> lock_;
  ::std::shared_ptr<phi::Generator> given_, drawn_;
  phi::Generator::GeneratorState kept_;
};

}  // namespace at::compat_detail
