#pragma once

#include <porter_compat/type_names.h>
#include <torch/nn/modules/container/any.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::nn {

// Modules, each of which is given what the one before it returns.
class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl() = default;
  template <typename... Modules>
  explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule>&& modules) {
    for (auto& item : modules) push_back(item.key(), std::move(item.value()));
  }
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
    for (const auto& item : modules) push_back(item.name(), item.module());
  }

  std::shared_ptr<Module> clone(
      const std::optional<Device>& device = std::nullopt) const override {
    auto copy = std::make_shared<SequentialImpl>();
    for (const auto& module : modules_) copy->push_back(module.clone(device));
    return copy;
  }
  void reset() override {}
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::Sequential"; }

  template <typename R = Tensor, typename... Args>
  R forward(Args&&... args) {
    TORCH_CHECK(!is_empty(), "Cannot call forward() on an empty Sequential");
    auto value = modules_[0].any_forward(std::forward<Args>(args)...);
    for (size_t i = 1; i < size(); ++i) value = modules_[i].any_forward(std::move(value));
    if (auto* found = value.template try_get<R>()) return std::move(*found);
    TORCH_CHECK(
        false, "The type of the return value is ", compat_detail::name_of(value.type_info()),
        ", but you asked for type ", compat_detail::name_of(typeid(R)));
  }

  void push_back(std::string name, AnyModule module) {
    modules_.push_back(std::move(module));
    register_module(std::move(name), modules_.back().ptr());
  }
  template <typename M, typename = std::enable_if_t<!std::is_same_v<std::decay_t<M>, AnyModule>>>
  void push_back(std::string name, M&& module) {
    push_back(std::move(name), AnyModule(std::forward<M>(module)));
  }
  template <typename M>
  void push_back(M&& module) {
    push_back(std::to_string(size()), std::forward<M>(module));
  }
  template <typename Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <typename T>
  T& at(size_t index) {
    TORCH_CHECK(index < size(), "Index out of range");
    return modules_[index].get<T>();
  }
  template <typename T>
  const T& at(size_t index) const {
    return const_cast<SequentialImpl*>(this)->at<T>(index);
  }
  std::shared_ptr<Module> ptr(size_t index) const {
    TORCH_CHECK(index < size(), "Index out of range");
    return modules_[index].ptr();
  }
  template <typename T>
  std::shared_ptr<T> ptr(size_t index) const {
    TORCH_CHECK(index < size(), "Index out of range");
    return modules_[index].ptr<T>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  std::vector<AnyModule> modules_;
};

class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> modules) :
      ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

}  // namespace torch::nn
