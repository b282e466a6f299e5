#pragma once

// An option of a class: what sets it, which gives the class again, and what tells it.
#define TORCH_ARG(T, name)                              \
 public:                                                \
  auto name(const T& value) -> decltype(*this) {        \
    this->name##_ = value;                              \
    return *this;                                       \
  }                                                     \
  const T& name() const noexcept { return name##_; }    \
  T& name() noexcept { return name##_; }                \
                                                        \
 private:                                               \
  T name##_
