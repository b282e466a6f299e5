#pragma once

#include <porter_compat/type_names.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/any_value.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::nn {

// A module of any class, whose `forward` is called by its exact types.
class AnyModule {
 public:
  AnyModule() = default;
  template <typename M>
  explicit AnyModule(std::shared_ptr<M> module) : AnyModule(module, &M::forward) {}
  template <typename M, typename = torch::detail::enable_if_module_t<M>>
  explicit AnyModule(M&& module) :
      AnyModule(std::make_shared<std::decay_t<M>>(std::forward<M>(module))) {}
  template <typename M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}
  template <typename M>
  AnyModule& operator=(std::shared_ptr<M> module) {
    return *this = AnyModule(std::move(module));
  }

  AnyModule clone(std::optional<Device> device = std::nullopt) const {
    AnyModule copy(*this);
    if (module_) copy.module_ = module_->clone(device);
    return copy;
  }

  template <typename... Args>
  AnyValue any_forward(Args&&... args) {
    TORCH_CHECK(!is_empty(), "Cannot call forward() on an empty AnyModule");
    std::vector<AnyValue> values;
    values.reserve(sizeof...(Args));
    (values.push_back(AnyValue(std::forward<Args>(args))), ...);
    if (module_->_forward_has_default_args() && values.size() < count_) {
      TORCH_CHECK(
          values.size() >= module_->_forward_num_required_args(), module_->name(),
          "'s forward() method expects at least ", module_->_forward_num_required_args(),
          " argument(s), but received ", values.size(), ".");
      values = module_->_forward_populate_default_args(std::move(values));
    }
    TORCH_CHECK(
        values.size() == count_, module_->name(), "'s forward() method expects ", count_,
        " argument(s), but received ", values.size(),
        ". If ", module_->name(), "'s forward() method has default arguments, please make sure the "
        "forward() method is declared with a corresponding `FORWARD_HAS_DEFAULT_ARGS` macro.");
    return run_(*module_, values);
  }
  template <typename R = Tensor, typename... Args>
  R forward(Args&&... args) {
    return any_forward(std::forward<Args>(args)...).template get<R>();
  }

  template <typename T, typename = torch::detail::enable_if_module_t<T>>
  T& get() {
    TORCH_CHECK(!is_empty(), "Cannot call get() on an empty AnyModule");
    auto* found = module_->as<T>();
    TORCH_CHECK(
        found && typeid(*module_) == typeid(T), "Attempted to cast module of type ",
        module_ ? compat_detail::name_of(type_info()) : "", " to type ",
        compat_detail::name_of(typeid(T)));
    return *found;
  }
  template <typename T, typename = torch::detail::enable_if_module_t<T>>
  const T& get() const {
    return const_cast<AnyModule*>(this)->get<T>();
  }
  template <typename T, typename C = typename T::ContainedType>
  T get() const {
    return T(ptr<C>());
  }
  std::shared_ptr<Module> ptr() const {
    TORCH_CHECK(!is_empty(), "Cannot call ptr() on an empty AnyModule");
    return module_;
  }
  template <typename T, typename = torch::detail::enable_if_module_t<T>>
  std::shared_ptr<T> ptr() const {
    get<T>();
    return std::dynamic_pointer_cast<T>(module_);
  }
  const std::type_info& type_info() const {
    TORCH_CHECK(!is_empty(), "Cannot call type_info() on an empty AnyModule");
    return typeid(*module_);
  }
  bool is_empty() const noexcept { return module_ == nullptr; }

 private:
  using Run = AnyValue (*)(Module&, std::vector<AnyValue>&);

  template <typename M, typename R, typename C, typename... As>
  AnyModule(std::shared_ptr<M> module, R (C::*)(As...)) :
      module_(std::move(module)), count_(sizeof...(As)) {
    run_ = [](Module& module, std::vector<AnyValue>& values) {
      return called<M, R, As...>(module, values, std::index_sequence_for<As...>());
    };
  }
  template <typename M, typename R, typename C, typename... As>
  AnyModule(std::shared_ptr<M> module, R (C::*)(As...) const) :
      AnyModule(std::move(module), static_cast<R (C::*)(As...)>(nullptr)) {}

  template <typename M, typename R, typename... As, size_t... Is>
  static AnyValue called(
      Module& module, std::vector<AnyValue>& values, std::index_sequence<Is...>) {
    static_assert(!std::is_void_v<R>, "AnyModule cannot store modules that return void.");
    static_assert(
        ((!std::is_lvalue_reference_v<As> || std::is_const_v<std::remove_reference_t<As>>) && ...),
        "Modules stored inside AnyModule must not take references. Use pointers instead.");
    return AnyValue(dynamic_cast<M&>(module).forward(taken<std::decay_t<As>>(values, Is)...));
  }
  template <typename T>
  static T&& taken(std::vector<AnyValue>& values, size_t index) {
    auto* found = values[index].template try_get<T>();
    TORCH_CHECK(
        found, "Expected argument #", index, " to be of type ", compat_detail::name_of(typeid(T)),
        ", but received value of type ", compat_detail::name_of(values[index].type_info()));
    return std::move(*found);
  }

  std::shared_ptr<Module> module_;
  size_t count_ = 0;
  Run run_ = nullptr;
};

// An AnyModule with its name in what it is put into.
class NamedAnyModule {
 public:
  template <typename M>
  NamedAnyModule(std::string name, M&& module) :
      name_(std::move(name)), module_(std::forward<M>(module)) {}
  const std::string& name() const noexcept { return name_; }
  AnyModule& module() noexcept { return module_; }
  const AnyModule& module() const noexcept { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

namespace compat_detail {

// What was given, with the defaults of what was not: pairs of an argument's number and its value.
inline std::vector<AnyValue> with_defaults(
    std::vector<AnyValue>&& given, const std::vector<std::pair<unsigned int, AnyValue>>& defaults) {
  for (const auto& [index, value] : defaults) {
    if (index >= given.size()) given.push_back(value);
  }
  return std::move(given);
}

}  // namespace compat_detail

}  // namespace torch::nn

#define FORWARD_HAS_DEFAULT_ARGS(...)                                                       \
  bool _forward_has_default_args() override { return true; }                                \
  unsigned int _forward_num_required_args() override {                                      \
    const std::pair<unsigned int, torch::nn::AnyValue> args[] = {__VA_ARGS__};              \
    return args[0].first;                                                                   \
  }                                                                                         \
  std::vector<torch::nn::AnyValue> _forward_populate_default_args(                          \
      std::vector<torch::nn::AnyValue>&& arguments) override {                              \
    return torch::nn::compat_detail::with_defaults(std::move(arguments), {__VA_ARGS__});    \
  }
