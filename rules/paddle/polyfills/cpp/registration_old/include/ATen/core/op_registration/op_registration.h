#pragma once

#include <torch/library.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

enum class AliasAnalysisKind { INTERNAL_SPECIAL_CASE, CONSERVATIVE, FROM_SCHEMA, PURE_FUNCTION };

}  // namespace c10

namespace torch::compat_detail {

// What RegisterOperators::options() gives: a schema, and functions for keys.
class OperatorOptions {
 public:
  OperatorOptions&& schema(const std::string& schema) && {
    schema_ = schema;
    return std::move(*this);
  }
  OperatorOptions&& aliasAnalysis(c10::AliasAnalysisKind) && { return std::move(*this); }
  template <class Func>
  OperatorOptions&& kernel(DispatchKey key, Func&& function) && {
    kernels_.push_back([key, function](const std::string& name) { implement(name, key, function); });
    return std::move(*this);
  }
  template <class FuncType, FuncType* function>
  OperatorOptions&& kernel(DispatchKey key) && {
    return std::move(*this).kernel(key, function);
  }
  template <class Functor, class... Args>
  std::enable_if_t<std::is_class_v<Functor>, OperatorOptions&&> kernel(
      DispatchKey key, Args... args) && {
    return std::move(*this).kernel(key, Functor(args...));
  }
  template <class Func>
  OperatorOptions&& catchAllKernel(Func&& function) && {
    return std::move(*this).kernel(DispatchKey::CatchAll, std::forward<Func>(function));
  }
  template <class FuncType, FuncType* function>
  OperatorOptions&& catchAllKernel() && {
    return std::move(*this).kernel(DispatchKey::CatchAll, function);
  }
  // `text`: a name or a schema.
  void add(const std::string& text) const {
    const auto& schema = text.find('(') == std::string::npos ? schema_ : text;
    const auto name = qualified("", text);
    if (!schema.empty()) OperatorRegistry::instance().register_schema(name, schema);
    for (const auto& kernel : kernels_) kernel(name);
  }
  void add() const { add(schema_); }

 private:
  std::string schema_;
  std::vector<std::function<void(const std::string&)>> kernels_;
};

inline void add_operator(const std::string& text, const OperatorOptions& options) {
  options.add(text);
}

template <class Func>
void add_operator(const std::string& text, const Func& function) {
  const auto name = qualified("", text);
  if (name.size() < text.size()) OperatorRegistry::instance().register_schema(name, text);
  implement(name, DispatchKey::CatchAll, function);
}

}  // namespace torch::compat_detail

namespace c10 {

// Registers operators when it is made: the way of before TORCH_LIBRARY.
struct RegisterOperators {
  RegisterOperators() = default;
  // `what` is a function, or options with several.
  template <class T>
  RegisterOperators& op(const std::string& schema_or_name, const T& what) {
    torch::compat_detail::add_operator(schema_or_name, what);
    return *this;
  }
};

// extends
struct RegisterOperators {
  template <class T>
  RegisterOperators(const std::string& name, const T& function) {
    op(name, function);
  }
  static torch::compat_detail::OperatorOptions options() { return {}; }
  RegisterOperators& op(const torch::compat_detail::OperatorOptions& options) {
    options.add();
    return *this;
  }
};

}  // namespace c10

namespace torch {

using c10::RegisterOperators;

}  // namespace torch

namespace torch::jit {

using c10::RegisterOperators;

}  // namespace torch::jit
