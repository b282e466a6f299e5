#pragma once

#include <type_traits>

namespace torch::nn {

class Module;

}  // namespace torch::nn

namespace torch::detail {

// Whether a class has a function `forward`, and only one.
template <typename T, typename = void>
struct has_forward : std::false_type {};

template <typename T>
struct has_forward<T, std::void_t<decltype(&T::forward)>> : std::true_type {};

template <typename M>
using is_module = std::is_base_of<torch::nn::Module, std::decay_t<M>>;

template <typename M, typename T = void>
using enable_if_module_t = std::enable_if_t<is_module<M>::value, T>;

struct ModuleHolderIndicator {};

template <typename T>
using is_module_holder = std::is_base_of<ModuleHolderIndicator, std::decay_t<T>>;

template <typename T>
using disable_if_module_holder_t = std::enable_if_t<!is_module_holder<T>::value>;

}  // namespace torch::detail
