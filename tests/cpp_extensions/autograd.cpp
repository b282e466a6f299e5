// Functions with a backward pass of their own, as operator libraries write them.
#include <torch/extension.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

namespace {

template <typename F>
at::Tensor map(const at::Tensor& a, F f) {
  auto source = a.contiguous();
  auto out = at::empty_like(source);
  for (int64_t i = 0; i < source.numel(); ++i) {
    out.data_ptr<double>()[i] = f(source.data_ptr<double>()[i], i);
  }
  return out;
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
  auto other = b.contiguous();
  return map(a, [&](double x, int64_t i) { return x * other.data_ptr<double>()[i]; });
}

at::Tensor scaled(const at::Tensor& a, double k) {
  return map(a, [&](double x, int64_t) { return x * k; });
}

struct Mul : torch::autograd::Function<Mul> {
  static Variable forward(AutogradContext* ctx, const Variable& a, const Variable& b) {
    ctx->save_for_backward({a, b});
    return product(a, b);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    return {Mul::apply(grads[0], saved[1]), Mul::apply(grads[0], saved[0])};
  }
};

struct Exp : torch::autograd::Function<Exp> {
  static Variable forward(AutogradContext* ctx, Variable x) {
    auto y = map(x, [](double v, int64_t) { return std::exp(v); });
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    return {Mul::apply(grads[0], ctx->get_saved_variables()[0])};
  }
};

// x ** power, and not differentiable twice.
struct Power : torch::autograd::Function<Power> {
  static Variable forward(AutogradContext* ctx, Variable x, int64_t power, std::string name,
                          double factor, bool flag, std::vector<int64_t> sizes) {
    ctx->save_for_backward({x});
    ctx->saved_data["power"] = power;
    ctx->saved_data["name"] = name;
    ctx->saved_data["factor"] = factor;
    ctx->saved_data["flag"] = flag;
    ctx->saved_data["sizes"] = sizes;
    return map(x, [&](double v, int64_t) { return factor * std::pow(v, power); });
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto x = ctx->get_saved_variables()[0];
    auto power = ctx->saved_data["power"].toInt();
    auto factor = ctx->saved_data["factor"].toDouble();
    TORCH_CHECK(ctx->saved_data["flag"].toBool(), "flag");
    TORCH_CHECK(ctx->saved_data["name"].toStringRef() == "power", "name");
    TORCH_CHECK(ctx->saved_data["sizes"].toIntVector().size() == 2, "sizes");
    auto slope = map(x, [&](double v, int64_t) { return factor * power * std::pow(v, power - 1); });
    return {product(grads[0], slope), Variable(), Variable(), Variable(), Variable(), Variable()};
  }
};

// The sum and the product of what is given, and the position of the largest.
struct Many : torch::autograd::Function<Many> {
  static variable_list forward(AutogradContext* ctx, Variable a, std::optional<Variable> b,
                               bool materialize) {
    ctx->saved_data["has"] = b.has_value();
    ctx->saved_data["materialize"] = materialize;
    ctx->set_materialize_grads(materialize);
    auto c = b.has_value() ? *b : a;
    ctx->save_for_backward({a, b.has_value() ? *b : Variable()});
    auto largest = at::zeros({}, at::TensorOptions().dtype(at::kLong));
    for (int64_t i = 0; i < a.numel(); ++i) {
      auto* at = largest.data_ptr<int64_t>();
      if (a.data_ptr<double>()[i] > a.data_ptr<double>()[*at]) *at = i;
    }
    auto constant = scaled(a, 5);
    ctx->mark_non_differentiable({constant});
    return {map(a, [&](double v, int64_t i) { return v + c.data_ptr<double>()[i]; }), product(a, c),
            largest, constant};
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto has = ctx->saved_data["has"].toBool();
    TORCH_CHECK(saved[1].defined() == has, "an undefined tensor is saved as one");
    TORCH_CHECK(grads.size() == 4, "as many gradients as outputs");
    if (!ctx->saved_data["materialize"].toBool()) {
      TORCH_CHECK(!grads[2].defined() && !grads[3].defined(), "not materialized");
      if (!grads[0].defined()) return {Variable(), Variable(), Variable()};
      return {has ? grads[0] : scaled(grads[0], 2), has ? grads[0] : Variable(), Variable()};
    }
    auto other = has ? saved[1] : scaled(saved[0], 2);
    auto both = [&](const Variable& x) {
      auto slope = product(grads[1], x);
      return map(grads[0], [&](double v, int64_t i) {
        return (has ? v : 2 * v) + slope.data_ptr<double>()[i];  // a + a without the other
      });
    };
    if (!has) return {both(other), Variable(), Variable()};
    return {both(other), both(saved[0]), Variable()};
  }
};

struct AddOne : torch::autograd::Function<AddOne> {
  static Variable forward(AutogradContext* ctx, Variable x) {
    for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] += 1;
    ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext*, variable_list grads) {
    return {scaled(grads[0], 3)};
  }
};

struct Same : torch::autograd::Function<Same> {
  static Variable forward(AutogradContext*, Variable x) { return x; }
  static variable_list backward(AutogradContext*, variable_list grads) {
    return {scaled(grads[0], 7)};
  }
};

// What backward gives is up to `how`.
struct Wrong : torch::autograd::Function<Wrong> {
  static Variable forward(AutogradContext* ctx, Variable x, std::string how) {
    ctx->saved_data["how"] = how;
    if (how == "forward") TORCH_CHECK(false, "told to");
    ctx->save_for_backward({x});
    return scaled(x, 1);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto how = ctx->saved_data["how"].toStringRef();
    auto x = ctx->get_saved_variables()[0];
    TORCH_CHECK(how != "backward", "told to");
    if (how == "few") return {grads[0]};
    if (how == "many") return {grads[0], Variable(), Variable()};
    if (how == "too many") return {grads[0], Variable(), grads[0]};
    if (how == "for a string") return {grads[0], grads[0]};
    if (how == "shape") return {at::ones({7}, grads[0].options()), Variable()};
    if (how == "broadcast") return {at::ones({4, 3}, grads[0].options()), Variable()};
    if (how == "float") return {grads[0].to(at::kFloat), Variable()};
    if (how == "none") return {Variable(), Variable()};
    return {grads[0], Variable()};
  }
};

struct Needs : torch::autograd::Function<Needs> {
  static std::vector<bool> told;
  static Variable forward(AutogradContext*, Variable a, Variable b) {
    return product(a, b);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    told = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    return {told[0] ? grads[0] : Variable(), told[1] ? grads[0] : Variable()};
  }
};

std::vector<bool> Needs::told;

struct Sum : torch::autograd::Function<Sum> {
  static Variable forward(AutogradContext* ctx, at::ArrayRef<at::Tensor> all) {
    ctx->saved_data["count"] = static_cast<int64_t>(all.size());
    auto sum = scaled(all[0], 1);
    for (size_t k = 1; k < all.size(); ++k) {
      for (int64_t i = 0; i < sum.numel(); ++i) {
        sum.data_ptr<double>()[i] += all[k].data_ptr<double>()[i] * (k + 1);
      }
    }
    return sum;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    variable_list out;
    for (int64_t k = 0; k < ctx->saved_data["count"].toInt(); ++k) {
      out.push_back(scaled(grads[0], k + 1));
    }
    return out;
  }
};

at::Tensor leaf(std::vector<double> values) {
  auto x = at::zeros({static_cast<int64_t>(values.size())}, at::TensorOptions().dtype(at::kDouble));
  for (size_t i = 0; i < values.size(); ++i) x.data_ptr<double>()[i] = values[i];
  x.set_requires_grad(true);
  return x;
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("mul", [](at::Tensor a, at::Tensor b) { return Mul::apply(a, b); });
  m.def("exp", [](at::Tensor x) { return Exp::apply(x); });
  m.def("power", [](at::Tensor x, int64_t power) {
    return Power::apply(x, power, "power", 2.0, true, std::vector<int64_t>{1, 2});
  });
  m.def("many", [](at::Tensor a, std::optional<at::Tensor> b, bool materialize) {
    return Many::apply(a, b, materialize);
  });
  m.def("add_one_", [](at::Tensor x) { return AddOne::apply(x); });
  m.def("same", [](at::Tensor x) { return Same::apply(x); });
  m.def("wrong", [](at::Tensor x, std::string how) { return Wrong::apply(x, how); });
  m.def("needs", [](at::Tensor a, at::Tensor b) { return Needs::apply(a, b); });
  m.def("told", [] { return Needs::told; });
  m.def("sum", [](std::vector<at::Tensor> all) { return Sum::apply(at::ArrayRef<at::Tensor>(all)); });
  m.def("leaf", &leaf);
  m.def("requires_grad", [](at::Tensor x) { return x.requires_grad(); });
  m.def("require_grad", [](at::Tensor x, bool yes) { x.requires_grad_(yes); });
  m.def("is_leaf", [](at::Tensor x) { return x.is_leaf(); });
  m.def("has_grad_fn", [](at::Tensor x) { return x.grad_fn() != nullptr; });
  m.def("grad", [](at::Tensor x) -> std::optional<at::Tensor> {
    if (!x.grad().defined()) return std::nullopt;
    return x.grad();
  });
  m.def("retain_grad", [](at::Tensor x) { x.retain_grad(); });
  m.def("backward_in_cpp", [](at::Tensor y, std::optional<at::Tensor> grad) {
    y.backward(grad.has_value() ? *grad : at::Tensor(), /*retain_graph=*/true);
    torch::autograd::backward({y}, {grad.has_value() ? *grad : at::Tensor()});
  }, py::call_guard<py::gil_scoped_release>());
  m.def("grad_in_cpp", [](at::Tensor y, at::Tensor x, bool create) {
    return torch::autograd::grad({y}, {x}, {}, true, create)[0];
  }, py::call_guard<py::gil_scoped_release>());
  m.def("hooked", [](at::Tensor x) {
    auto y = Exp::apply(x);
    y.register_hook([](const at::Tensor& g) { return scaled(g, 10); });
    return y;
  });
  m.def("in_cpp", [](std::vector<double> values) {
    auto x = leaf(values);
    auto y = Mul::apply(Exp::apply(x), x);
    return std::make_tuple(x, y);
  });
}
