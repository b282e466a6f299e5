#pragma once

#include <torch/library.h>
#include <porter_compat/boxing.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

struct OperatorName {
  std::string name, overload_name;
  OperatorName(std::string name, std::string overload)
      : name(std::move(name)), overload_name(std::move(overload)) {}
};

template <class F>
class TypedOperatorHandle;

// An operator with the signature that its caller knows.
template <class R, class... Args>
class TypedOperatorHandle<R(Args...)> {
 public:
  explicit TypedOperatorHandle(std::string name) : name_(std::move(name)) {}
  R call(Args... args) const {
    auto result = torch::compat_detail::dispatched(
        name_, torch::compat_detail::Stack{torch::IValue(std::forward<Args>(args))...});
    if constexpr (std::is_reference_v<R>) {
      return std::get<0>(std::tie(args...));  // what an in-place operator gives back
    } else if constexpr (!std::is_void_v<R>) {
      return generic_to(result, torch::_fake_type<std::decay_t<R>>());
    }
  }

 private:
  std::string name_;
};

class OperatorHandle {
 public:
  explicit OperatorHandle(std::string name) : name_(std::move(name)) {}
  template <class F>
  TypedOperatorHandle<F> typed() const {
    return TypedOperatorHandle<F>(name_);
  }
  void callBoxed(std::vector<torch::IValue>* stack) const {
    auto result = torch::compat_detail::dispatched(name_, *stack);
    stack->clear();
    if (!result.is_none()) stack->push_back(std::move(result));
  }

 private:
  std::string name_;
};

// Finds operators by name.
class Dispatcher {
 public:
  static Dispatcher& singleton() {
    static Dispatcher dispatcher;
    return dispatcher;
  }
  std::optional<OperatorHandle> findSchema(const OperatorName& name) {
    const auto full = name.name + (name.overload_name.empty() ? "" : "." + name.overload_name);
    if (!torch::OperatorRegistry::instance().has_operator(full)) return std::nullopt;
    return OperatorHandle(full);
  }
  std::optional<OperatorHandle> findOp(const OperatorName& name) { return findSchema(name); }
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload) {
    auto found = findSchema({name, overload});
    if (!found) throw std::runtime_error(std::string("Could not find schema for ") + name + ".");
    return *found;
  }
};

}  // namespace c10
