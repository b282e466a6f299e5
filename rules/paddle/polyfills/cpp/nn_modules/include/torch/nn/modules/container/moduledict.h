#pragma once

#include <porter_compat/type_names.h>
#include <torch/nn/cloneable.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torch::nn {

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
 public:
  using Modules = OrderedDict<std::string, std::shared_ptr<Module>>;
  using Iterator = Modules::Iterator;
  using ConstIterator = Modules::ConstIterator;

  ModuleDictImpl() = default;
  explicit ModuleDictImpl(
      const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    update(modules);
  }
  explicit ModuleDictImpl(const Modules& modules) { update(modules); }

  std::vector<std::pair<std::string, std::shared_ptr<Module>>> items() const {
    return modules_.pairs();
  }
  std::vector<std::string> keys() const { return modules_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return modules_.values(); }
  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  size_t size() const noexcept { return modules_.size(); }
  bool empty() const noexcept { return modules_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return modules_.contains(key); }
  void clear() { modules_.clear(); }

  std::shared_ptr<Module> clone(
      const std::optional<Device>& device = std::nullopt) const override {
    auto copy = std::make_shared<ModuleDictImpl>();
    for (const auto& item : modules_) copy->insert(item.key(), item.value()->clone(device));
    return copy;
  }
  void reset() override {}
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::ModuleDict"; }

  std::shared_ptr<Module> operator[](const std::string& key) const { return modules_[key]; }
  template <typename T>
  T& at(const std::string& key) {
    auto* found = modules_[key]->template as<T>();
    TORCH_CHECK(found, "Unable to cast module[", key, "] to ", compat_detail::name_of(typeid(T)));
    return *found;
  }
  template <typename T>
  const T& at(const std::string& key) const {
    return const_cast<ModuleDictImpl*>(this)->at<T>(key);
  }
  // The child stays registered, as in torch.
  std::shared_ptr<Module> pop(const std::string& key) {
    auto module = modules_[key];
    modules_.erase(key);
    return module;
  }
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    for (const auto& item : modules) insert(item.first, item.second);
  }
  template <typename Container>
  void update(const Container& container) {
    for (const auto& item : container) insert(item.key(), item.value());
  }

 private:
  void insert(const std::string& key, std::shared_ptr<Module> module) {
    if (contains(key)) {
      modules_[key] = replace_module(key, module);
    } else {
      modules_.insert(key, register_module(key, module));
    }
  }

  Modules modules_;
};

TORCH_MODULE(ModuleDict);

}  // namespace torch::nn
