#pragma once

#include <torch/nn/module.h>

namespace torch::nn {

// A module that registers all that it has in `reset`, and so can be copied with its tensors.
template <typename Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  virtual void reset() = 0;

  std::shared_ptr<Module> clone(
      const std::optional<Device>& device = std::nullopt) const override {
    NoGradGuard none;
    auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    Module& made = *copy;
    made.parameters_.clear();
    made.buffers_.clear();
    made.children_.clear();
    copy->reset();
    take(made.parameters_, parameters_, device, "parameters", "register_parameter()");
    take(made.buffers_, buffers_, device, "buffers", "register_buffer()");
    check_count(made.children_, children_, "child modules", "register_module()");
    for (const auto& child : children_) {
      made.children_[child.key()]->clone_(*child.value(), device);
    }
    return copy;
  }

 private:
  using Tensors = OrderedDict<std::string, Tensor>;

  template <typename Dict>
  static void check_count(const Dict& made, const Dict& own, const char* what, const char* call) {
    TORCH_CHECK(
        made.size() == own.size(), "The cloned module does not have the same number of ", what,
        " as the original module after calling reset(). Are you sure you called ", call,
        " inside reset() and not the constructor?");
  }
  static void take(
      Tensors& made, const Tensors& own, const std::optional<Device>& device, const char* what,
      const char* call) {
    check_count(made, own, what, call);
    for (const auto& item : own) {
      if (!item->defined()) continue;
      const bool moved = device && item->device() != *device;
      made[item.key()].set_data(moved ? item->to(*device) : item->clone());
    }
  }
  void clone_(Module& other, const std::optional<Device>& device) final {
    auto copy = std::dynamic_pointer_cast<Derived>(other.clone(device));
    TORCH_CHECK(
        copy, "Attempted to clone submodule, but it is of a different type than the submodule it "
        "was to be cloned into");
    static_cast<Derived&>(*this) = *copy;
  }
};

}  // namespace torch::nn
