#pragma once

#include <c10/util/Exception.h>
#include <torch/detail/static.h>
#include <torch/serialize/archive.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <type_traits>
#include <utility>

namespace torch::nn {

// A module by reference: what is copied is the pointer to it.
template <typename Contained>
class ModuleHolder : torch::detail::ModuleHolderIndicator {
 protected:
  std::shared_ptr<Contained> impl_;

 public:
  using ContainedType = Contained;
  using Impl = Contained;

  ModuleHolder() {
    static_assert(
        std::is_default_constructible_v<Contained>,
        "You are trying to default construct a module which has no default constructor. Use = "
        "nullptr to give it the empty state (e.g. `Linear linear = nullptr;`).");
    if constexpr (std::is_default_constructible_v<Contained>) impl_.reset(new Contained());
  }
  ModuleHolder(std::nullptr_t) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  template <
      typename Head, typename... Tail,
      typename = std::enable_if_t<
          sizeof...(Tail) != 0 || !(torch::detail::is_module_holder<Head>::value &&
                                    std::is_base_of_v<ModuleHolder, std::decay_t<Head>>)>>
  explicit ModuleHolder(Head&& head, Tail&&... tail) :
      impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}

  explicit operator bool() const noexcept { return !is_empty(); }
  bool is_empty() const noexcept { return impl_ == nullptr; }
  const std::shared_ptr<Contained>& ptr() const {
    TORCH_CHECK(impl_, "Accessing empty ModuleHolder");
    return impl_;
  }
  Contained* get() { return ptr().get(); }
  const Contained* get() const { return ptr().get(); }
  Contained* operator->() { return get(); }
  const Contained* operator->() const { return get(); }
  Contained& operator*() { return *get(); }
  const Contained& operator*() const { return *get(); }

  // A template also in the module, which may be declared only when this is called.
  template <typename... Args, typename C = Contained>
  auto operator()(Args&&... args)
      -> decltype(std::declval<C&>().forward(std::forward<Args>(args)...)) {
    return ptr()->forward(std::forward<Args>(args)...);
  }
  template <typename Arg>
  auto operator[](Arg&& arg) {
    return (*get())[std::forward<Arg>(arg)];
  }
};

template <typename ModuleType>
std::ostream& operator<<(std::ostream& stream, const ModuleHolder<ModuleType>& module) {
  return stream << *module;
}

template <typename ModuleType>
serialize::OutputArchive& operator<<(
    serialize::OutputArchive& archive, const ModuleHolder<ModuleType>& module) {
  return archive << module.ptr();
}

template <typename ModuleType>
serialize::InputArchive& operator>>(
    serialize::InputArchive& archive, ModuleHolder<ModuleType>& module) {
  return archive >> module.ptr();
}

}  // namespace torch::nn

#define TORCH_MODULE_IMPL(Name, ImplType)                  \
  class Name : public torch::nn::ModuleHolder<ImplType> {  \
   public:                                                 \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder; \
    using Impl [[maybe_unused]] = ImplType;                \
  }

#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)
