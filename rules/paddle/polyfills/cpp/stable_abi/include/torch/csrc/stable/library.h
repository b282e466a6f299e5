#pragma once
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <ATen/Functions.h>
#include <torch/library.h>
#include <porter_compat/boxing.h>

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::stable::compat_detail {

template <typename T>
constexpr bool is_tuple = false;

template <typename... T>
constexpr bool is_tuple<::std::tuple<T...>> = true;

// A stable value as Paddle's operators take it.
template <typename T>
auto outward(const T& value) {
  if constexpr (::std::is_same_v<T, Tensor>) {
    return at::Tensor(plain(value));
  } else if constexpr (::std::is_same_v<T, Device>) {
    return c10::Device(plain(value));
  } else if constexpr (is_optional<T>) {
    using Inner = decltype(outward(*value));
    return value ? ::std::optional<Inner>(outward(*value)) : ::std::optional<Inner>();
  } else if constexpr (is_list<T>) {
    ::std::vector<decltype(outward(value[0]))> items;
    for (const auto& item : value) items.push_back(outward(item));
    return items;
  } else if constexpr (is_tuple<T>) {
    return ::std::apply([](const auto&... items) { return ::std::make_tuple(outward(items)...); }, value);
  } else if constexpr (::std::is_same_v<T, ::std::string_view>) {
    return ::std::string(value);
  } else {
    return value;
  }
}

template <typename T>
using outward_t = decltype(outward(::std::declval<const T&>()));

// And back; an array or a view of text refers to what it is given.
template <typename T>
T inward(const outward_t<T>& value) {
  if constexpr (::std::is_same_v<T, Tensor> || ::std::is_same_v<T, Device>) {
    return stable(value);
  } else if constexpr (is_optional<T>) {
    return value ? T(inward<typename T::value_type>(*value)) : T();
  } else if constexpr (is_list<T> && !::std::is_constructible_v<T, const outward_t<T>&>) {
    T items;
    for (const auto& item : value) items.push_back(inward<typename T::value_type>(item));
    return items;
  } else {
    return T(value);
  }
}

inline at::Tensor turned(const at::Tensor& x, int64_t times, const ::std::vector<int64_t>& dims) {
  const int64_t quarters = (times % 4 + 4) % 4;
  if (quarters == 0) return x.clone();
  if (quarters == 2) return at::flip(x, dims);
  return at::flip(x, {dims[quarters == 1 ? 1 : 0]}).transpose(dims[0], dims[1]);
}

template <auto function>
struct Boxed;

template <typename R, typename... A, R (*function)(A...)>
struct Boxed<function> {
  static auto call(outward_t<::std::decay_t<A>>... arguments) {
    ::std::tuple<::std::decay_t<A>...> values{inward<::std::decay_t<A>>(arguments)...};
    const auto run = [](auto&... each) -> R { return function(static_cast<A>(each)...); };
    if constexpr (::std::is_void_v<R>) {
      ::std::apply(run, values);
    } else {
      return outward<::std::decay_t<R>>(::std::apply(run, values));
    }
  }
};

}  // namespace torch::stable::compat_detail

// The function over tensors of Paddle that calls the one over stable tensors.
#define TORCH_BOX(function) (&::torch::stable::compat_detail::Boxed<(function)>::call)

#define STABLE_TORCH_LIBRARY(ns, m) TORCH_LIBRARY(ns, m)

#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m) TORCH_LIBRARY_FRAGMENT(ns, m)

#define STABLE_TORCH_LIBRARY_IMPL(ns, key, m) TORCH_LIBRARY_IMPL(ns, key, m)

namespace torch::stable::compat_detail {

// Takes the arguments off a stack and puts the result there.
template <typename... A, typename F>
void on_stack(StableIValue* stack, const F& function) {
  size_t at = 0;
  ::std::tuple<A...> values{detail::to<A>(stack[at++])...};
  stack[0] = detail::from(stable(::std::apply(
      [&](const A&... each) { return function(outward(each)...); }, values)));
}

}  // namespace torch::stable::compat_detail

// The operators that sources call by name, as the stable functions are too few.
inline AOTITorchError torch_call_dispatcher(
    const char* name, const char* overload, StableIValue* stack, uint64_t version) {
  using torch::stable::compat_detail::on_stack;
  using torch::stable::compat_detail::turned;
  using T = torch::stable::Tensor;
  using Dims = ::std::vector<int64_t>;
  const ::std::string op = ::std::string(name) + (*overload ? "." : "") + overload;
  return torch::stable::compat_detail::guarded([&] {
    if (op == "aten::permute") on_stack<T, Dims>(stack, [](auto x, auto d) { return x.permute(d); });
    else if (op == "aten::flip") on_stack<T, Dims>(stack, [](auto x, auto d) { return at::flip(x, d); });
    else if (op == "aten::cat") on_stack<::std::vector<T>, int64_t>(stack, [](auto x, auto d) { return at::cat(x, d); });
    else if (op == "aten::stack") on_stack<::std::vector<T>, int64_t>(stack, [](auto x, auto d) { return at::stack(x, d); });
    else if (op == "aten::rot90") on_stack<T, int64_t, Dims>(stack, turned);
    else if (op == "aten::expand") on_stack<T, Dims, bool>(stack, [](auto x, auto d, auto i) { return x.expand(d, i); });
    else if (op == "aten::div.Tensor") on_stack<T, T>(stack, [](auto x, auto y) { return x / y; });
    else if (op == "aten::mul.Tensor") on_stack<T, T>(stack, [](auto x, auto y) { return x * y; });
    else if (op == "aten::t") on_stack<T>(stack, [](auto x) { return x.t(); });
    else throw ::std::runtime_error("torch_call_dispatcher does not know " + op);
  });
}

inline AOTITorchError aoti_torch_call_dispatcher(
    const char* name, const char* overload, StableIValue* stack) {
  return torch_call_dispatcher(name, overload, stack, TORCH_ABI_VERSION);
}

namespace torch::stable::compat_detail {

// The types in a list of a schema: "Tensor(a!) x, *, int[2] size=[1, 1]" has "Tensor" and "int[2]".
inline ::std::vector<::std::string> types_in(const ::std::string& list) {
  ::std::vector<::std::string> types;
  ::std::string type;
  int round = 0, square = 0;
  bool named = false, quoted = false;
  for (const char c : list + ",") {
    if (c == '"' || c == '\'') quoted = !quoted;
    round += (c == '(') - (c == ')');
    square += (c == '[') - (c == ']');
    if (quoted || round || c == ')') continue;
    if (c == ',' && square == 0) {
      if (!type.empty() && type != "*") types.push_back(type);
      type.clear();
      named = false;
    } else if (c == ' ') {
      named = !type.empty();
    } else if (!named) {
      type += c;
    }
  }
  return types;
}

// A value for a raw stack, of the type that a schema names.
inline StableIValue raw(const torch::IValue& value, const ::std::string& type) {
  if (type.back() == '?') {
    const auto inner = type.substr(0, type.size() - 1);
    return value.is_none() ? 0 : reinterpret_cast<StableIValue>(new StableIValue(raw(value, inner)));
  }
  if (type.back() == ']') {
    auto* list = new ::std::vector<StableIValue>;
    for (const auto& item : value.to_list()) list->push_back(raw(item, type.substr(0, type.rfind('['))));
    return reinterpret_cast<StableIValue>(list);
  }
  if (type == "Tensor") return detail::from(stable(value.to_tensor()));
  if (type == "float") return detail::from(value.is_int() ? double(value.to_int()) : value.to_double());
  if (type == "bool") return detail::from(value.to_bool());
  if (type == "str") return detail::from(::std::string(value.to_string()));
  if (type == "ScalarType") return detail::from(value.to_scalar_type());
  if (type == "int" || type == "SymInt") return detail::from(value.to_int());
  throw ::std::runtime_error("a stable operator takes no " + type);
}

inline torch::IValue cooked(StableIValue bits, const ::std::string& type) {
  if (type.back() == '?') {
    const ::std::unique_ptr<StableIValue> inner(reinterpret_cast<StableIValue*>(bits));
    return inner ? cooked(*inner, type.substr(0, type.size() - 1)) : torch::IValue();
  }
  if (type.back() == ']') {
    const ::std::unique_ptr<::std::vector<StableIValue>> list(
        reinterpret_cast<::std::vector<StableIValue>*>(bits));
    ::std::vector<torch::IValue> items;
    for (const auto item : *list) items.push_back(cooked(item, type.substr(0, type.rfind('['))));
    return torch::IValue(items);
  }
  if (type == "Tensor") return torch::IValue(at::Tensor(plain(detail::to<Tensor>(bits))));
  if (type == "float") return torch::IValue(detail::to<double>(bits));
  if (type == "bool") return torch::IValue(detail::to<bool>(bits));
  if (type == "str") return torch::IValue(detail::to<::std::string>(bits));
  if (type == "int" || type == "SymInt") return torch::IValue(detail::to<int64_t>(bits));
  throw ::std::runtime_error("a stable operator gives no " + type);
}

}  // namespace torch::stable::compat_detail

namespace torch {

// Registers a function over a raw stack, which is made as the operator's schema says.
template <typename Raw>
void implement_on_stack(const ::std::string& name, DispatchKey key, void (*function)(Raw*, uint64_t, uint64_t)) {
  const auto boxed = [name, function](const compat_detail::Stack& stack) {
    using stable::compat_detail::types_in;
    const ::std::string schema = OperatorRegistry::instance().find_operator(name)->schema;
    const size_t open = schema.find('('), arrow = schema.rfind("->"), tuple_of = schema.find('(', arrow);
    const auto takes = types_in(schema.substr(open + 1, schema.rfind(')', arrow) - open - 1));
    const auto gives = types_in(tuple_of == ::std::string::npos
                                    ? schema.substr(arrow + 2)
                                    : schema.substr(tuple_of + 1, schema.rfind(')') - tuple_of - 1));
    const size_t given = takes.size(), wanted = gives.size();
    ::std::vector<Raw> values(given > wanted ? given : wanted);
    for (size_t i = 0; i < given; ++i) values[i] = stable::compat_detail::raw(stack[i], takes[i]);
    function(values.data(), given, wanted);
    ::std::vector<IValue> results;
    for (size_t i = 0; i < wanted; ++i) results.push_back(stable::compat_detail::cooked(values[i], gives[i]));
    if (wanted < 2) return results.empty() ? IValue() : results[0];
    IValue tuple(::std::make_tuple(int64_t(0)));
    const_cast<GenericTuple&>(tuple.to_tuple()).elements = results;
    return tuple;
  };
  OperatorRegistry::instance().register_implementation(name, key, CppFunction::boxed(boxed));
  compat_detail::publish(name);
}

}  // namespace torch
