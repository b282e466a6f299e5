// Operators and classes, registered in every way that operator libraries use.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/op_registration/op_registration.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>
#include <torch/extension.h>
#include <torch/library.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

namespace {

at::Tensor scaled(const at::Tensor& x, double k) {
  auto source = x.contiguous();
  auto out = at::empty_like(source);
  for (int64_t i = 0; i < x.numel(); ++i) {
    out.data_ptr<double>()[i] = k * source.data_ptr<double>()[i];
  }
  return out;
}

std::string described(const at::Tensor& x, int64_t n, double s, std::string mode, bool flag,
                      std::optional<at::Tensor> other, std::optional<int64_t> k,
                      std::vector<int64_t> sizes, at::ArrayRef<int64_t> pair, std::vector<double> ws,
                      at::OptionalIntArrayRef maybe) {
  auto list = [](const auto& values) {
    std::string text = "[";
    for (auto v : values) text += std::to_string(v) + ",";
    return text + "]";
  };
  return std::to_string(x.numel()) + " " + std::to_string(n) + " " + std::to_string(s) + " " + mode +
         " " + (flag ? "yes" : "no") + " " +
         (other.has_value() ? std::to_string(other->numel()) : "none") + " " +
         (k.has_value() ? std::to_string(*k) : "none") + " " + list(sizes) + list(pair) + list(ws) +
         (maybe.has_value() ? list(*maybe) : "none");
}

std::tuple<at::Tensor, std::vector<at::Tensor>, int64_t, double> several(at::Tensor x,
                                                                         at::ArrayRef<at::Tensor> xs) {
  std::vector<at::Tensor> out(xs.begin(), xs.end());
  return {x, out, static_cast<int64_t>(out.size()), 0.5};
}

at::Tensor for_cpu(const at::Tensor& x) { return scaled(x, 2); }

at::Tensor for_autograd(const at::Tensor& x);

struct Twice : torch::autograd::Function<Twice> {
  static Variable forward(AutogradContext*, Variable x) {
    at::AutoDispatchBelowADInplaceOrView guard;
    static auto op = c10::Dispatcher::singleton()
                         .findSchemaOrThrow("ext_registration::differentiable", "")
                         .typed<decltype(for_autograd)>();
    return op.call(x);
  }
  static variable_list backward(AutogradContext*, variable_list grads) {
    return {scaled(grads[0], 2)};
  }
};

at::Tensor for_autograd(const at::Tensor& x) { return Twice::apply(x); }

at::Tensor composite(const at::Tensor& x) {
  static auto op = c10::Dispatcher::singleton()
                       .findSchemaOrThrow("ext_registration::differentiable", "")
                       .typed<at::Tensor(const at::Tensor&)>();
  return op.call(op.call(x));
}

at::Tensor& add_one(at::Tensor& x) {
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] += 1;
  return x;
}

struct Stack : torch::CustomClassHolder {
  std::vector<at::Tensor> items;
  int64_t limit;
  double rate = 0.25;
  std::string name = "stack";
  Stack(int64_t limit, std::vector<at::Tensor> items) : items(std::move(items)), limit(limit) {}
  void push(at::Tensor x) {
    TORCH_CHECK(static_cast<int64_t>(items.size()) < limit, "full");
    items.push_back(x);
  }
  at::Tensor pop() {
    auto last = items.back();
    items.pop_back();
    return last;
  }
  int64_t size() const { return items.size(); }
  std::tuple<int64_t, std::vector<at::Tensor>> state() const { return {limit, items}; }
};

int64_t total(const c10::intrusive_ptr<Stack>& stack, std::optional<c10::intrusive_ptr<Stack>> other) {
  return stack->size() + (other.has_value() ? (*other)->size() : 0);
}

int64_t fail(int64_t how) {
  TORCH_CHECK(how != 1, "told to: ", how);
  TORCH_CHECK_INDEX(how != 2, "index");
  TORCH_CHECK_VALUE(how != 3, "value");
  if (how == 4) throw std::runtime_error("standard");
  return how;
}

}  // namespace

TORCH_LIBRARY(ext_registration, m) {
  m.def(
      "described(Tensor x, int n=3, float s=1, str mode='sum', *, bool flag=False, "
      "Tensor? other=None, int? k=None, int[] sizes=[1, 2], int[2] pair=0, float[] ws=[], "
      "int[]? maybe=None) -> str");
  m.def("several(Tensor x, Tensor[] xs) -> (Tensor, Tensor[], int, float)");
  m.def("differentiable(Tensor x) -> Tensor");
  m.def("composite(Tensor x) -> Tensor", &composite);
  m.def("add_one_(Tensor(a!) x) -> Tensor(a!)");
  m.def("tagged(Tensor x) -> Tensor", {at::Tag::pt2_compliant_tag});
  m.def("nowhere(Tensor x) -> Tensor");
  m.def("plain", [](int64_t a, double b) { return a + b; });
  m.def("any", [](const c10::IValue& v, const at::Tensor& x) {
    return x.numel() + (v.isTensor() ? 100 : v.isInt() ? 200 : v.isNone() ? 300 : v.isObject() ? 400 : 500);
  });
  m.def("nothing() -> ()", [] {});
  m.def("fail(int how) -> int", &fail);
  m.def("dtype(ScalarType t) -> bool", [](at::ScalarType t) { return t == at::kHalf; });
  m.def("dtype_of(Tensor x, ScalarType? t=None) -> ScalarType",
        [](at::Tensor x, std::optional<at::ScalarType> t) { return t.value_or(x.scalar_type()); });
  m.def("device(Device d) -> str", [](c10::Device d) { return std::string(d.is_cpu() ? "cpu" : "other"); });
  m.def("scalar(Scalar s) -> float", [](const at::Scalar& s) { return s.to<double>() * 2; });
  m.def("lists(int[] a, float[] b, bool[] c, str[] d) -> (int[], float[], bool[], str[])",
        [](std::vector<int64_t> a, std::vector<double> b, c10::List<bool> c,
           std::vector<std::string> d) { return std::make_tuple(a, b, c, d); });
  m.def("dict(Dict(str, Tensor) d) -> Dict(str, Tensor)", [](c10::Dict<std::string, at::Tensor> d) {
    c10::Dict<std::string, at::Tensor> found;
    for (const auto& item : d) found.insert(item.key() + "!", scaled(item.value(), 2));
    return found;
  });
  m.def("viewed(str a, str? b=None) -> str",
        [](std::string_view a, std::optional<std::string_view> b) {
          return std::string(a) + std::string(b.value_or("!"));
        });
  m.def("length", [](std::string_view a) { return static_cast<int64_t>(a.size()); });
  m.def("maybe(Tensor?[] xs) -> int", [](std::vector<std::optional<at::Tensor>> xs) {
    int64_t count = 0;
    for (const auto& x : xs) count += x.has_value();
    return count;
  });
  m.def("give(bool yes) -> Tensor?",
        [](bool yes) { return yes ? std::optional<at::Tensor>(at::ones({2})) : std::nullopt; });
  m.def("over(Tensor x) -> str", [](at::Tensor) { return std::string("tensor"); });
  m.def("over.int(int x) -> str", [](int64_t) { return std::string("int"); });
  m.def("over.str(str x) -> str", [](std::string) { return std::string("str"); });
  m.class_<Stack>("Stack")
      .def(torch::init<int64_t, std::vector<at::Tensor>>())
      .def("push", &Stack::push)
      .def("pop", &Stack::pop)
      .def("size", &Stack::size)
      .def("state", &Stack::state)
      .def("limited", [](const c10::intrusive_ptr<Stack>& self, int64_t by) { return self->limit - by; })
      .def("clone", [](const c10::intrusive_ptr<Stack>& self) {
        return c10::make_intrusive<Stack>(self->limit, self->items);
      })
      .def("plus", [](const c10::intrusive_ptr<Stack>& self, int64_t a, int64_t b) {
        return self->limit + 10 * a + 100 * b;
      }, "", {torch::arg("a"), torch::arg("b") = 2})
      .def_static("empty", [](int64_t limit) {
        return c10::make_intrusive<Stack>(limit, std::vector<at::Tensor>());
      })
      .def_readwrite("rate", &Stack::rate)
      .def_readonly("name", &Stack::name)
      .def_property("limit", [](const c10::intrusive_ptr<Stack>& self) { return self->limit; },
                    [](const c10::intrusive_ptr<Stack>& self, int64_t v) { self->limit = v; })
      .def_pickle(
          [](const c10::intrusive_ptr<Stack>& self) { return self->state(); },
          [](std::tuple<int64_t, std::vector<at::Tensor>> state) {
            return c10::make_intrusive<Stack>(std::get<0>(state), std::get<1>(state));
          });
  m.def("total(__torch__.torch.classes.ext_registration.Stack a, "
        "__torch__.torch.classes.ext_registration.Stack? b=None) -> int", &total);
}

TORCH_LIBRARY_IMPL(ext_registration, CPU, m) {
  m.impl("described", &described);
  m.impl("several", TORCH_FN(several));
  m.impl("differentiable", &for_cpu);
  m.impl("add_one_", &add_one);
  m.impl("tagged", [](const at::Tensor& x) { return scaled(x, 3); });
}

TORCH_LIBRARY_IMPL(ext_registration, Autograd, m) {
  m.impl("differentiable", &for_autograd);
  m.impl("add_one_", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(ext_registration, Meta, m) {
  m.impl("tagged", [](const at::Tensor& x) { return at::empty_like(x); });
}

TORCH_LIBRARY_FRAGMENT(ext_registration, m) {
  m.def("ext_registration::later(Tensor x, float by=1.5) -> Tensor",
        torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(scaled)));
}

static auto registry =
    torch::RegisterOperators("ext_old::first", &for_cpu)
        .op("ext_old::second", [](const at::Tensor& x, double k) { return scaled(x, k); })
        .op("ext_old::third(Tensor x, float k=4) -> Tensor",
            torch::RegisterOperators::options().kernel<decltype(scaled), &scaled>(
                c10::DispatchKey::CPU))
        .op(torch::RegisterOperators::options()
                .schema("ext_old::fourth(Tensor x) -> Tensor")
                .catchAllKernel<decltype(for_cpu), &for_cpu>());

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("missing", [] {
    return c10::Dispatcher::singleton().findSchema({"ext_registration::no", ""}).has_value();
  });
  m.def("dtype_through", [](at::ScalarType t) { return t; });
  m.def("is_half", [](at::ScalarType t) { return t == at::kHalf; });
  m.def("answers", [](const std::string& module, const std::string& name) {
    return pybind11::hasattr(pybind11::module_::import(module.c_str()), name.c_str());
  });
  m.def("through", [](at::Tensor x) {
    return c10::Dispatcher::singleton()
        .findSchemaOrThrow("ext_registration::add_one_", "")
        .typed<at::Tensor&(at::Tensor&)>()
        .call(x);
  });
}
