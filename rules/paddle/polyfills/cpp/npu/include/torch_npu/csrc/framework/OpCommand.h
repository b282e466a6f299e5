#pragma once
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>
#include <torch_npu/csrc/core/npu/NPUStream.h>

#include <functional>
#include <string>
#include <utility>

namespace at_npu::native {

// What puts launches into torch_npu's queue; Paddle has none, they are made in order at the call.
class OpCommand {
 public:
  OpCommand& Name(const std::string& name) {
    name_ = name;
    return *this;
  }
  OpCommand& SetCustomHandler(std::function<int()> function) {
    function_ = std::move(function);
    return *this;
  }
  void Run() {
    TORCH_CHECK(function_, name_, ": operators by their name (aclop) are torch_npu's own");
    RunOpApi(name_, function_);
  }

  template <typename F>
  static void RunOpApi(const std::string& name, F&& function, bool = false) {
    const int status = function();
    TORCH_CHECK(status == 0, name, ": the launch failed with error ", status);
  }
  template <typename F>
  static void RunOpApiV2(const std::string& name, F&& function, bool = false) {
    RunOpApi(name, std::forward<F>(function));
  }

 private:
  std::string name_;
  std::function<int()> function_;
};

}  // namespace at_npu::native
