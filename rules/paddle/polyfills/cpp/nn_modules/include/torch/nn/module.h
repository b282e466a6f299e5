#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <porter_compat/type_names.h>
#include <torch/detail/static.h>
#include <torch/nn/modules/container/any_value.h>
#include <torch/nn/pimpl.h>
#include <torch/ordered_dict.h>
#include <torch/serialize/archive.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace torch::nn {

class AnyModule;

template <typename Derived>
class Cloneable;

std::ostream& operator<<(std::ostream& stream, const Module& module);

namespace compat_detail {

// What a module is. A template, so that only a source with modules compiles it; M is Module.
template <typename M>
class ModuleBase : public std::enable_shared_from_this<M> {
 public:
  using ModuleApplyFunction = std::function<void(M&)>;
  using ConstModuleApplyFunction = std::function<void(const M&)>;
  using NamedModuleApplyFunction = std::function<void(const std::string&, M&)>;
  using ConstNamedModuleApplyFunction = std::function<void(const std::string&, const M&)>;
  using ModulePointerApplyFunction = std::function<void(const std::shared_ptr<M>&)>;
  using NamedModulePointerApplyFunction =
      std::function<void(const std::string&, const std::shared_ptr<M>&)>;

  ModuleBase() : parameters_("Parameter"), buffers_("Buffer"), children_("Submodule") {}
  explicit ModuleBase(std::string name) : ModuleBase() { name_ = std::move(name); }
  ModuleBase(const ModuleBase&) = default;
  ModuleBase& operator=(const ModuleBase&) = default;
  ModuleBase(ModuleBase&&) noexcept = default;
  ModuleBase& operator=(ModuleBase&&) noexcept = default;
  virtual ~ModuleBase() = default;

  const std::string& name() const noexcept {
    if (!name_) name_ = name_of(typeid(*this));
    return *name_;
  }

  virtual std::shared_ptr<M> clone(const std::optional<Device>& = std::nullopt) const {
    TORCH_CHECK(
        false, "clone() has not been implemented for ", name(),
        ". Subclass torch::nn::Cloneable<", name(), "> instead of torch::nn::Module to inherit the "
        "ability to clone.");
  }

  void apply(const ModuleApplyFunction& function) {
    visit("", [&](const std::string&, M& module) { function(module); });
  }
  void apply(const ConstModuleApplyFunction& function) const {
    const_cast<ModuleBase*>(this)->visit(
        "", [&](const std::string&, M& module) { function(module); });
  }
  void apply(const NamedModuleApplyFunction& function, const std::string& name_prefix = {}) {
    visit(name_prefix, function);
  }
  void apply(
      const ConstNamedModuleApplyFunction& function, const std::string& name_prefix = {}) const {
    const_cast<ModuleBase*>(this)->visit(name_prefix, function);
  }
  void apply(const ModulePointerApplyFunction& function) const {
    apply([&](const std::string&, const std::shared_ptr<M>& module) { function(module); });
  }
  void apply(
      const NamedModulePointerApplyFunction& function, const std::string& name_prefix = {}) const {
    function(name_prefix, self());
    visit_children(name_prefix, function);
  }

  std::vector<Tensor> parameters(bool recurse = true) const {
    return named_parameters(recurse).values();
  }
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const {
    return tensors(&ModuleBase::parameters_, recurse);
  }
  std::vector<Tensor> buffers(bool recurse = true) const { return named_buffers(recurse).values(); }
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const {
    return tensors(&ModuleBase::buffers_, recurse);
  }
  std::vector<std::shared_ptr<M>> modules(bool include_self = true) const {
    return named_modules("", include_self).values();
  }
  OrderedDict<std::string, std::shared_ptr<M>> named_modules(
      const std::string& name_prefix = {}, bool include_self = true) const {
    OrderedDict<std::string, std::shared_ptr<M>> found;
    if (include_self) found.insert(name_prefix, self());
    visit_children(name_prefix, [&](const std::string& name, const std::shared_ptr<M>& module) {
      found.insert(name, module);
    });
    return found;
  }
  std::vector<std::shared_ptr<M>> children() const { return children_.values(); }
  OrderedDict<std::string, std::shared_ptr<M>> named_children() const { return children_; }

  virtual void train(bool on = true) {
    for (auto& child : children_) child.value()->train(on);
    is_training_ = on;
  }
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return is_training_; }

  virtual void to(Device device, Dtype dtype, bool non_blocking = false) {
    to_all(device, dtype, non_blocking);
  }
  virtual void to(Dtype dtype, bool non_blocking = false) { to_all(dtype, non_blocking); }
  virtual void to(Device device, bool non_blocking = false) { to_all(device, non_blocking); }

  virtual void zero_grad(bool set_to_none = true) {
    for (auto& child : children_) child.value()->zero_grad(set_to_none);
    for (auto& parameter : named_parameters(false)) {
      auto& gradient = parameter->mutable_grad();
      if (!gradient.defined()) continue;
      if (set_to_none) gradient = Tensor();
      else gradient.detach_().zero_();
    }
  }

  template <typename T>
  auto as() noexcept {
    return dynamic_cast<typename Inner<T>::type*>(this);
  }
  template <typename T>
  auto as() const noexcept {
    return dynamic_cast<const typename Inner<T>::type*>(this);
  }

  virtual void save(serialize::OutputArchive& archive) const {
    for (const auto& item : named_parameters(false)) archive.write(item.key(), *item);
    for (const auto& buffer : named_buffers(false)) archive.write(buffer.key(), *buffer, true);
    for (const auto& child : children_) {
      if (!child.value()->is_serializable()) continue;
      serialize::OutputArchive inner;
      child.value()->save(inner);
      archive.write(child.key(), inner);
    }
  }
  virtual void load(serialize::InputArchive& archive) {
    NoGradGuard none;
    for (auto* own : {&parameters_, &buffers_}) {
      for (auto& item : *own) {
        if (!item->defined()) continue;
        Tensor loaded;
        archive.read(item.key(), loaded, own == &buffers_);
        item->set_data(loaded.to(item->device()));
      }
    }
    for (auto& child : children_) {
      if (!child.value()->is_serializable()) continue;
      serialize::InputArchive inner;
      archive.read(child.key(), inner);
      child.value()->load(inner);
    }
  }
  virtual void pretty_print(std::ostream& stream) const { stream << name(); }
  virtual bool is_serializable() const { return true; }

  // By reference: the variable that is registered requires a gradient from then on, too.
  Tensor& register_parameter(std::string name, const Tensor& tensor, bool requires_grad = true) {
    check(name, "Parameter");
    if (tensor.defined()) tensor.set_requires_grad(requires_grad);
    else if (requires_grad) TORCH_WARN("An undefined tensor cannot require grad.");
    return parameters_.insert(std::move(name), tensor);
  }
  Tensor& register_buffer(std::string name, const Tensor& tensor) {
    check(name, "Buffer");
    return buffers_.insert(std::move(name), tensor);
  }
  template <typename T>
  std::shared_ptr<T> register_module(std::string name, std::shared_ptr<T> module) {
    check(name, "Submodule");
    children_.insert(std::move(name), std::shared_ptr<M>(module));
    return module;
  }
  template <typename T>
  std::shared_ptr<T> register_module(std::string name, ModuleHolder<T> holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <typename T>
  std::shared_ptr<T> replace_module(const std::string& name, std::shared_ptr<T> module) {
    children_[name] = module;
    return module;
  }
  template <typename T>
  std::shared_ptr<T> replace_module(const std::string& name, ModuleHolder<T> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name) {
    TORCH_CHECK(
        children_.contains(name), "No Module with name `", name, "` is registered");
    children_.erase(name);
  }

 protected:
  virtual bool _forward_has_default_args() { return false; }
  virtual unsigned int _forward_num_required_args() {
    TORCH_CHECK(false, "FORWARD_HAS_DEFAULT_ARGS is missing in ", name());
  }
  virtual std::vector<AnyValue> _forward_populate_default_args(std::vector<AnyValue>&&) {
    TORCH_CHECK(false, "FORWARD_HAS_DEFAULT_ARGS is missing in ", name());
  }

  OrderedDict<std::string, Tensor> parameters_;

 private:
  template <typename Derived>
  friend class ::torch::nn::Cloneable;
  friend class ::torch::nn::AnyModule;
  friend std::ostream& ::torch::nn::operator<<(std::ostream& stream, const M& module);

  // The module that a holder holds.
  template <typename T, typename = void>
  struct Inner {
    using type = T;
  };
  template <typename T>
  struct Inner<T, std::void_t<typename T::ContainedType>> {
    using type = typename T::ContainedType;
  };

  static void check(const std::string& name, const char* kind) {
    TORCH_CHECK(!name.empty(), kind, " name must not be empty");
    TORCH_CHECK(
        name.find('.') == std::string::npos, kind, " name must not contain a dot (got '", name,
        "')");
  }
  static std::string joined(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
  }

  std::shared_ptr<M> self() const {
    auto pointer = const_cast<ModuleBase*>(this)->weak_from_this().lock();
    TORCH_CHECK(
        pointer, "It looks like you attempted to retrieve your top-level module as a shared_ptr, but "
        "it is not stored in a shared_ptr. Use std::make_shared<", name(), "> instead of creating "
        "your module on the stack, or alternatively do not try to access your top-level module at "
        "all by passing /*include_self=*/false to modules() or named_modules()");
    return pointer;
  }

  // This module and all that are in it, outer ones first.
  template <typename Function>
  void visit(const std::string& prefix, const Function& function) {
    function(prefix, static_cast<M&>(*this));
    visit_children(prefix, [&](const std::string& name, const std::shared_ptr<M>& module) {
      function(name, *module);
    });
  }
  void visit_children(
      const std::string& prefix, const NamedModulePointerApplyFunction& function) const {
    for (const auto& child : children_) {
      const auto name = joined(prefix, child.key());
      function(name, child.value());
      child.value()->visit_children(name, function);
    }
  }

  OrderedDict<std::string, Tensor> tensors(
      OrderedDict<std::string, Tensor> ModuleBase::*own, bool recurse) const {
    OrderedDict<std::string, Tensor> found;
    const auto add = [&](const std::string& prefix, const M& module) {
      for (const auto& item : static_cast<const ModuleBase&>(module).*own) {
        if (item->defined()) found.insert(joined(prefix, item.key()), *item);
      }
    };
    if (recurse) const_cast<ModuleBase*>(this)->visit("", add);
    else add("", static_cast<const M&>(*this));
    return found;
  }

  template <typename... Ts>
  void to_all(Ts... to) {
    NoGradGuard none;
    for (auto& child : children_) child.value()->to(to...);
    for (auto* own : {&parameters_, &buffers_}) {
      for (auto& item : *own) {
        if (item->defined()) item->set_data(item->to(to...));
      }
    }
  }

  virtual void clone_(M&, const std::optional<Device>&) {}

  void print(std::ostream& stream, const std::string& indentation) const {
    pretty_print(stream);
    if (children_.is_empty()) return;
    stream << "(\n";
    for (const auto& child : children_) {
      stream << indentation << "  (" << child.key() << "): ";
      child.value()->print(stream, indentation + "  ");
      stream << '\n';
    }
    stream << indentation << ")";
  }

  OrderedDict<std::string, Tensor> buffers_;
  OrderedDict<std::string, std::shared_ptr<M>> children_;
  mutable std::optional<std::string> name_;
  bool is_training_ = true;
};

}  // namespace compat_detail

class Module : public compat_detail::ModuleBase<Module> {
 public:
  Module() = default;
  explicit Module(std::string name) : ModuleBase(std::move(name)) {}
};

inline std::ostream& operator<<(std::ostream& stream, const Module& module) {
  module.print(stream, "");
  return stream;
}

inline serialize::OutputArchive& operator<<(
    serialize::OutputArchive& archive, const std::shared_ptr<Module>& module) {
  TORCH_CHECK(module != nullptr, "Cannot serialize empty module");
  module->save(archive);
  return archive;
}

inline serialize::InputArchive& operator>>(
    serialize::InputArchive& archive, const std::shared_ptr<Module>& module) {
  TORCH_CHECK(module != nullptr, "Cannot deserialize empty module");
  module->load(archive);
  return archive;
}

}  // namespace torch::nn
