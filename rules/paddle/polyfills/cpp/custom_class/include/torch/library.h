#pragma once

#include <porter_compat/boxing.h>
#include <porter_compat/custom_class.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch {
// extends
class class_ {
  // instead of the one with: ClassRegistry::instance().register_constructor(
  template <typename... Types>
  class_& def(torch::init_types<Types...>) {
    compat_detail::set_maker(python_class(), "__init__", [](Types... args) {
      return make_intrusive<CurClass>(std::forward<Types>(args)...);
    });
    return *this;
  }
  // A constructor that is a function which makes the object.
  template <typename Func>
  class_& def(compat_detail::InitFunction<Func> init) {
    compat_detail::set_maker(python_class(), "__init__", init.function);
    return *this;
  }
  // instead of the one with: // TODO(SigureMo): Handle generic callable (e.g., lambda, std::function)
  template <typename Func>
  class_& def(const std::string& name, Func&& f) {
    compat_detail::set_method(python_class(), name, bind(std::forward<Func>(f)));
    return *this;
  }
  template <typename Func>
  class_& def(const std::string& name, Func&& f, const std::string&,
              std::initializer_list<arg> default_args = {}) {
    std::vector<compat_detail::Named> last;
    for (const auto& each : default_args) last.push_back({each.name_, each.value_});
    compat_detail::set_method(python_class(), name, bind(std::forward<Func>(f)), last);
    return *this;
  }
  // instead of the one with: ClassRegistry::instance().register_static_method(
  template <typename Func>
  class_& def_static(const std::string& name, Func&& f) {
    compat_detail::set_static(python_class(), name, std::decay_t<Func>(f));
    return *this;
  }
  template <typename T>
  class_& def_readwrite(const std::string& name, T CurClass::*field) {
    compat_detail::set_property(
        python_class(), name, [field](const intrusive_ptr<CurClass>& self) { return (*self).*field; },
        [field](const intrusive_ptr<CurClass>& self, T value) { (*self).*field = std::move(value); });
    return *this;
  }
  template <typename T>
  class_& def_readonly(const std::string& name, T CurClass::*field) {
    compat_detail::set_property(
        python_class(), name, [field](const intrusive_ptr<CurClass>& self) { return (*self).*field; });
    return *this;
  }
  template <typename Getter, typename... Setter>
  class_& def_property(const std::string& name, Getter getter, Setter... setter) {
    compat_detail::set_property(python_class(), name, bind(getter), bind(setter)...);
    return *this;
  }
  template <typename GetState, typename SetState>
  class_& def_pickle(GetState&& get_state, SetState&& set_state) {
    compat_detail::set_method(python_class(), "__getstate__", std::decay_t<GetState>(get_state));
    compat_detail::set_maker(python_class(), "__setstate__", std::decay_t<SetState>(set_state));
    return *this;
  }
  // The class in Python, made when something of it is defined.
  pybind11::handle python_class() {
    return compat_detail::python_class<CurClass>(namespace_name_, class_name_);
  }
  // A member as a function of a pointer to the object; other functions as they are.
  template <typename Func>
  static auto bind(Func&& f) {
    if constexpr (std::is_member_function_pointer_v<std::decay_t<Func>>) {
      return compat_detail::bound_member<CurClass>(f);
    } else {
      return std::decay_t<Func>(f);
    }
  }
};
}  // namespace torch

namespace torch {

template <class Func>
compat_detail::InitFunction<std::decay_t<Func>> init(Func&& function) {
  return {std::forward<Func>(function)};
}

}  // namespace torch

namespace torch::jit {

using torch::class_;

}  // namespace torch::jit
