#pragma once
#include <c10/core/GeneratorImpl.h>
#include <c10/util/Exception.h>

#include <optional>

namespace at {

class Generator {
 public:
  Generator() = default;
  explicit Generator(::std::shared_ptr<c10::GeneratorImpl> impl) : impl_(::std::move(impl)) {}

  bool defined() const { return impl_ != nullptr; }
  bool operator==(const Generator& other) const { return impl_ == other.impl_; }
  bool operator!=(const Generator& other) const { return impl_ != other.impl_; }
  c10::GeneratorImpl* unsafeGetGeneratorImpl() const { return impl_.get(); }

  void set_current_seed(uint64_t seed) { impl_->set_current_seed(seed); }
  uint64_t current_seed() const { return impl_->current_seed(); }
  uint64_t seed() { return impl_->seed(); }
  void set_offset(uint64_t offset) { impl_->set_offset(offset); }
  uint64_t get_offset() const { return impl_->get_offset(); }
  c10::Device device() const { return impl_->device(); }
  ::std::mutex& mutex() { return impl_->mutex_; }

  template <typename T>
  T* get() const { return static_cast<T*>(impl_.get()); }

 private:
  ::std::shared_ptr<c10::GeneratorImpl> impl_;
};

template <class Impl, class... Args>
Generator make_generator(Args&&... args) {
  return Generator(::std::make_shared<Impl>(::std::forward<Args>(args)...));
}

template <typename T>
T* check_generator(const ::std::optional<Generator>& generator) {
  PD_CHECK(generator.has_value() && generator->defined(), "Expected a Generator but received nullopt");
  PD_CHECK(generator->device().type() == T::device_type(), "Expected a generator of another device");
  return generator->get<T>();
}

template <typename T>
T* get_generator_or_default(const ::std::optional<Generator>& generator, const Generator& otherwise) {
  const bool given = generator.has_value() && generator->defined();
  return check_generator<T>(given ? generator : ::std::make_optional(otherwise));
}

}  // namespace at

namespace torch {

using Generator = at::Generator;

}  // namespace torch
