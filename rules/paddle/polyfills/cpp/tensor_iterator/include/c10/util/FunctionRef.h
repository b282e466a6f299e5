#pragma once
#include <type_traits>
#include <utility>

namespace c10 {

template <class Signature>
class function_ref;

// A function that lives elsewhere, which is called and not copied.
template <class R, class... Args>
class function_ref<R(Args...)> {
 public:
  function_ref() = default;
  template <class F, ::std::enable_if_t<
      !::std::is_same_v<::std::remove_cv_t<::std::remove_reference_t<F>>, function_ref> &&
      ::std::is_invocable_r_v<R, F&, Args...>, int> = 0>
  function_ref(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<::std::remove_reference_t<F>*>(object))(::std::forward<Args>(args)...);
        }) {}
  R operator()(Args... args) const { return call_(object_, ::std::forward<Args>(args)...); }
  explicit operator bool() const { return call_ != nullptr; }

 private:
  void* object_ = nullptr;
  R (*call_)(void*, Args...) = nullptr;
};

}  // namespace c10
