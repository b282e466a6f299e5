#pragma once
#include <optional>
#include <utility>

namespace c10 {

// A value of its own, or a reference to another's.
template <typename T>
class MaybeOwned {
 public:
  MaybeOwned() : own_(std::in_place) {}
  static MaybeOwned borrowed(const T& value) { return MaybeOwned(&value); }
  static MaybeOwned owned(T&& value) { return MaybeOwned(std::move(value)); }
  template <class... Args>
  static MaybeOwned owned(std::in_place_t, Args&&... args) {
    return MaybeOwned(T(std::forward<Args>(args)...));
  }
  const T& operator*() const& { return own_ ? *own_ : *other_; }
  T operator*() && { return own_ ? std::move(*own_) : *other_; }
  const T* operator->() const { return &**this; }
  bool unsafeIsBorrowed() const { return !own_; }

 private:
  explicit MaybeOwned(const T* other) : other_(other) {}
  explicit MaybeOwned(T&& value) : own_(std::move(value)) {}
  std::optional<T> own_;
  const T* other_ = nullptr;
};

}  // namespace c10
