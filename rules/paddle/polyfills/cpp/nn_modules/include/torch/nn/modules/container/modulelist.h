#pragma once

#include <porter_compat/type_names.h>
#include <torch/nn/cloneable.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torch::nn {

class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl() = default;
  template <typename... Modules>
  explicit ModuleListImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  std::shared_ptr<Module> clone(
      const std::optional<Device>& device = std::nullopt) const override {
    auto copy = std::make_shared<ModuleListImpl>();
    for (const auto& module : modules_) copy->push_back(module->clone(device));
    return copy;
  }
  void reset() override {}
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::ModuleList"; }

  void push_back(std::shared_ptr<Module> module) { insert(size(), std::move(module)); }
  template <typename M>
  void push_back(const ModuleHolder<M>& holder) {
    insert(size(), holder.ptr());
  }
  template <typename M, typename = torch::detail::enable_if_module_t<M>>
  void push_back(M&& module) {
    insert(size(), std::make_shared<std::decay_t<M>>(std::forward<M>(module)));
  }
  template <typename Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }
  void insert(size_t index, std::shared_ptr<Module> module) {
    TORCH_CHECK(index <= size(), "Index out of range");
    modules_.insert(modules_.begin() + index, std::move(module));
    register_module(std::to_string(size() - 1), modules_.back());
    for (; index + 1 < size(); ++index) replace_module(std::to_string(index), modules_[index]);
  }
  template <typename M>
  void insert(size_t index, const ModuleHolder<M>& holder) {
    insert(index, holder.ptr());
  }
  template <typename M, typename = torch::detail::enable_if_module_t<M>>
  void insert(size_t index, M&& module) {
    insert(index, std::make_shared<std::decay_t<M>>(std::forward<M>(module)));
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <typename T>
  T& at(size_t index) {
    auto* found = ptr(index)->template as<T>();
    TORCH_CHECK(
        found, "Unable to cast module[", index, "] to ", compat_detail::name_of(typeid(T)));
    return *found;
  }
  template <typename T>
  const T& at(size_t index) const {
    return const_cast<ModuleListImpl*>(this)->at<T>(index);
  }
  std::shared_ptr<Module> ptr(size_t index) const {
    TORCH_CHECK(index < size(), "Index out of range");
    return modules_[index];
  }
  template <typename T>
  std::shared_ptr<T> ptr(size_t index) const {
    return std::dynamic_pointer_cast<T>(ptr(index));
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  std::vector<std::shared_ptr<Module>> modules_;
};

TORCH_MODULE(ModuleList);

}  // namespace torch::nn
