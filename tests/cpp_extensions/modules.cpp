// Modules of its own, bound to Python.
#include <torch/extension.h>

#include <sstream>

namespace {

namespace nn = torch::nn;

// A cell that keeps its state, with a layer inside.
struct CellImpl : nn::Cloneable<CellImpl> {
  CellImpl(int64_t inputs, int64_t size, double clip) : inputs(inputs), size(size), clip(clip) {
    reset();
  }
  void reset() override {
    input = register_module("input", nn::Linear(nn::LinearOptions(inputs, size).bias(false)));
    weight = register_parameter("weight", torch::zeros({size, size}));
    bias = torch::zeros({size});
    register_parameter("bias", bias);
    state = register_buffer("state", torch::zeros({1, size}));
    nn::init::orthogonal_(weight.detach(), 0.5);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto now = torch::tanh(input(x) + state.clone().matmul(weight) + bias).clamp(-clip, clip);
    torch::NoGradGuard none;
    state.copy_(now.detach().mean(0, true));
    return now;
  }
  void pretty_print(std::ostream& stream) const override { stream << "Cell(" << size << ")"; }

  int64_t inputs, size;
  double clip;
  nn::Linear input{nullptr};
  torch::Tensor weight, bias, state;
};

TORCH_MODULE(Cell);

// Layers around a cell.
struct Net : nn::Module {
  explicit Net(int64_t size, double dropout = 0) :
      cell(3, size, 0.9),
      head(nn::Linear(size, 4), nn::ReLU(), nn::Dropout(dropout),
           nn::LayerNorm(nn::LayerNormOptions({4})), nn::Linear(4, 2)) {
    register_module("cell", cell);
    register_module("head", head);
    scale = register_parameter("scale", torch::ones({2}));
  }
  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    auto hidden = cell(x);
    return {head->forward(hidden) * scale, hidden};
  }
  std::string text() const {
    std::ostringstream out;
    out << *this;
    return out.str();
  }
  double step(torch::Tensor x, double rate) {
    zero_grad();
    auto loss = std::get<0>(forward(x)).square().mean();
    {
      pybind11::gil_scoped_release free;
      loss.backward();
    }
    auto norm = nn::utils::clip_grad_norm_(parameters(), 0.5);
    torch::NoGradGuard none;
    for (auto& parameter : parameters()) parameter.sub_(parameter.grad(), rate);
    return norm;
  }

  Cell cell;
  nn::Sequential head;
  torch::Tensor scale;
};

// Without one `forward`: bound by its overloads.
struct Twice : nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x * 2; }
  torch::Tensor forward(torch::Tensor x, double by) { return x * by; }
};

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  torch::python::bind_module<Net>(m, "Net")
      .def(py::init<int64_t, double>(), py::arg("size"), py::arg("dropout") = 0.0)
      .def("text", &Net::text)
      .def("step", &Net::step)
      .def_readwrite("scale_of_net", &Net::scale);
  torch::python::bind_module<CellImpl>(m, "Cell")
      .def(py::init<int64_t, int64_t, double>(), py::arg("inputs"), py::arg("size"),
           py::arg("clip") = 1.0)
      .def_readonly("size", &CellImpl::size);
  torch::python::bind_module<Twice>(m, "Twice")
      .def(py::init<>())
      .def("forward", py::overload_cast<torch::Tensor>(&Twice::forward))
      .def("forward", py::overload_cast<torch::Tensor, double>(&Twice::forward));
}
