#pragma once

#include <torch/library.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

enum class AliasAnalysisKind { INTERNAL_SPECIAL_CASE, CONSERVATIVE, FROM_SCHEMA, PURE_FUNCTION };

// Registers operators when it is made: the way of before TORCH_LIBRARY.
class RegisterOperators {
 public:
  class Options {
   public:
    Options&& schema(const std::string& schema) && {
      schema_ = schema;
      return std::move(*this);
    }
    Options&& aliasAnalysis(AliasAnalysisKind) && { return std::move(*this); }
    template <class Func>
    Options&& kernel(DispatchKey key, Func&& function) && {
      add(key, std::forward<Func>(function));
      return std::move(*this);
    }
    template <class FuncType, FuncType* function>
    Options&& kernel(DispatchKey key) && {
      add(key, function);
      return std::move(*this);
    }
    template <class Functor, class... Args>
    std::enable_if_t<std::is_class_v<Functor>, Options&&> kernel(DispatchKey key, Args... args) && {
      add(key, Functor(args...));
      return std::move(*this);
    }
    template <class Func>
    Options&& catchAllKernel(Func&& function) && {
      return std::move(*this).kernel(DispatchKey::CatchAll, std::forward<Func>(function));
    }
    template <class FuncType, FuncType* function>
    Options&& catchAllKernel() && {
      return std::move(*this).template kernel<FuncType, function>(DispatchKey::CatchAll);
    }

   private:
    template <class Func>
    void add(DispatchKey key, Func function) {
      kernels_.push_back([key, function](const std::string& name) {
        torch::compat_detail::implement(name, key, function);
      });
    }

    std::string schema_;
    std::vector<std::function<void(const std::string&)>> kernels_;
    friend class RegisterOperators;
  };

  RegisterOperators() = default;
  template <class T>
  explicit RegisterOperators(const std::string& name, T&& function) {
    op(name, std::forward<T>(function));
  }

  static Options options() { return {}; }

  // `what` is a function, or options with several.
  template <class T>
  RegisterOperators& op(const std::string& schema_or_name, T&& what) & {
    if constexpr (std::is_same_v<std::decay_t<T>, Options>) {
      add(schema_or_name, what);
    } else {
      add(schema_or_name, options().catchAllKernel(std::forward<T>(what)));
    }
    return *this;
  }
  template <class T>
  RegisterOperators&& op(const std::string& schema_or_name, T&& what) && {
    op(schema_or_name, std::forward<T>(what));
    return std::move(*this);
  }
  RegisterOperators& op(const Options& options) & {
    add(options.schema_, options);
    return *this;
  }
  RegisterOperators&& op(const Options& options) && {
    add(options.schema_, options);
    return std::move(*this);
  }

 private:
  static void add(const std::string& text, const Options& options) {
    const auto& schema = text.find('(') == std::string::npos ? options.schema_ : text;
    const auto name = torch::compat_detail::qualified("", text);
    if (!schema.empty()) torch::OperatorRegistry::instance().register_schema(name, schema);
    for (const auto& kernel : options.kernels_) kernel(name);
  }
};

}  // namespace c10

namespace torch {

using c10::RegisterOperators;

}  // namespace torch

namespace torch::jit {

using c10::RegisterOperators;

}  // namespace torch::jit
