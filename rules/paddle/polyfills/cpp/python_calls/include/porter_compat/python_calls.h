// Functions of Paddle's Python API called from C++: slow, and recorded for autograd.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#if __has_include(<Python.h>) && !defined(PADDLE_NO_PYTHON)
#include <Python.h>
#define PORTER_PYTHON_CALLS
#endif

#include <chrono>
#include <future>
#include <iomanip>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

typedef struct _object PyObject;

namespace paddle::pybind {

// Of paddle/utils/pybind.h, which wants at::Tensor before it.
::paddle::Tensor& CastPyArg2Tensor(PyObject* object, long position);
PyObject* ToPyObject(const ::paddle::Tensor& value, bool none_if_not_initialized);

}  // namespace paddle::pybind

namespace at::compat_detail {

// A function as Python's source, its arguments too, and the tensors that they name.
struct PythonCall {
  std::string function;
  std::ostringstream text;
  std::vector<paddle::Tensor> tensors;
};

inline void spell(PythonCall& call, const TensorBase& x) {
  if (!x.defined()) {
    call.text << "None";
    return;
  }
  call.text << "t[" << call.tensors.size() << "]";
  call.tensors.push_back(x._PD_GetInner());
}

inline void spell(PythonCall& call, bool x) { call.text << (x ? "True" : "False"); }

inline void spell(PythonCall& call, int64_t x) { call.text << x; }

inline void spell(PythonCall& call, double x) { call.text << std::setprecision(17) << x; }

inline void spell(PythonCall& call, std::string_view x) {
  call.text << '"';
  for (char c : x) {
    if (c == '"' || c == '\\') call.text << '\\';
    call.text << (c == '\n' ? "\\n" : std::string(1, c));
  }
  call.text << '"';
}

inline void spell(PythonCall& call, const char* x) { spell(call, std::string_view(x)); }

inline void spell(PythonCall& call, const Scalar& x) {
  const auto type = compat::_PD_PhiDataTypeToAtenScalarType(x.dtype());
  if (type == ScalarType::Bool)
    spell(call, x.to<bool>());
  else if (c10::isIntegralType(type, false))
    spell(call, x.to<int64_t>());
  else
    spell(call, x.to<double>());
}

template <class T>
void spell(PythonCall& call, ArrayRef<T> xs) {
  call.text << "[";
  for (const auto& x : xs) {
    spell(call, x);
    call.text << ", ";
  }
  call.text << "]";
}

template <class T>
void spell(PythonCall& call, const std::optional<T>& x) {
  if (x)
    spell(call, *x);
  else
    call.text << "None";
}

inline void spell(PythonCall& call, const OptionalIntArrayRef& x) {
  if (x)
    spell(call, *x);
  else
    call.text << "None";
}

// How Python answers: with a list, of half precision on a CPU by way of float32.
inline const char* const PYTHON_CALLS = R"py(
from functools import lru_cache
from math import inf, nan, prod
import paddle
F = paddle.nn.functional

def each(numbers, count):
    "As many numbers as there are dimensions."
    return list(numbers) * count if len(numbers) == 1 else list(numbers)

def checked(good, what):
    if not good:
        raise ValueError(f"{what} is not as expected")
    return good

def batched(run, x, rank):
    "What is given for a batch of one, where it is no batch."
    if x.ndim == rank:
        return run(x)
    checked(x.ndim == rank - 1, f"a shape of {x.shape}")
    y = run(x.unsqueeze(0))
    return [v.squeeze(0) for v in y] if isinstance(y, (list, tuple)) else y.squeeze(0)

def gradients(function, grads, inputs, mask=None):
    "Of the inputs that the mask asks for; None for the others."
    wanted = [x is not None and (mask is None or mask[i]) for i, x in enumerate(inputs)]
    with paddle.enable_grad():
        inputs = [x if x is None else x.detach() for x in inputs]
        for x, asked in zip(inputs, wanted):
            if x is not None:
                x.stop_gradient = not asked
        chosen = [x for x, asked in zip(inputs, wanted) if asked]
        found = iter(paddle.grad([function(*inputs)], chosen, [grads], allow_unused=True))
    return [next(found) if asked else None for asked in wanted]

@lru_cache(None)
def made(source):
    "A function of an expression or a definition."
    scope = dict(globals())
    if not source.startswith("def "):
        return eval(source, scope)
    exec(source, scope)
    return scope[source[4 : source.index("(")]]

def answer(source, arguments, t):
    small = [x.dtype for x in t if x.place.is_cpu_place() and x.dtype in HALF]
    wide = [x.astype("float32") if x.dtype in small else x for x in t]
    given = made(source)(*eval(arguments, {"t": wide, "inf": inf, "nan": nan}))
    given = list(given) if isinstance(given, (list, tuple)) else [given]
    narrow = lambda x: small and x is not None and x.dtype == paddle.float32
    return [x.astype(small[0]) if narrow(x) else x for x in given]

HALF = (paddle.float16, paddle.bfloat16)
)py";

#ifdef PORTER_PYTHON_CALLS
// Raises where no thread gives Python's lock away for long: the one that has it waits for this one.
inline void await_python(const std::string& function) {
  const auto had = std::make_shared<std::promise<void>>();
  auto lock = had->get_future();
  std::thread([had] {
    const auto state = PyGILState_Ensure();
    had->set_value();
    PyGILState_Release(state);
  }).detach();
  if (lock.wait_for(std::chrono::seconds(60)) == std::future_status::ready) return;
  const size_t start = function.rfind("def ", 0) == 0 ? 4 : 0;
  throw std::runtime_error(
      "Paddle has " + function.substr(start, function.find('(') - start) +
      " in Python only, whose lock another thread has held for a minute: release it there "
      "(pybind11::gil_scoped_release) before it waits for this thread");
}
#endif

inline std::vector<paddle::Tensor> answers(const PythonCall& call) {
#ifdef PORTER_PYTHON_CALLS
  if (!PyGILState_Check()) await_python(call.function);
  struct Interpreter {
    PyGILState_STATE state = PyGILState_Ensure();
    ~Interpreter() { PyGILState_Release(state); }
  } held;
  const auto owned = [](PyObject* object) {
    if (object) return std::shared_ptr<PyObject>(object, Py_DecRef);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject* text = PyObject_Str(value);
    const std::string what = text ? PyUnicode_AsUTF8(text) : "a call of Python failed";
    for (auto* each : {type, value, trace, text}) Py_XDECREF(each);
    throw std::runtime_error(what);
  };
  static PyObject* answer = nullptr;  // never freed: Python may be gone before this library is
  if (!answer) {
    const auto scope = owned(PyDict_New());
    PyDict_SetItemString(scope.get(), "__builtins__", PyEval_GetBuiltins());
    const auto name = owned(PyUnicode_FromString("paddle.porter_compat"));  // code of Paddle's
    PyDict_SetItemString(scope.get(), "__name__", name.get());
    owned(PyRun_String(PYTHON_CALLS, Py_file_input, scope.get(), scope.get()));
    answer = PyDict_GetItemString(scope.get(), "answer");
    Py_INCREF(answer);
  }
  const auto tensors = owned(PyList_New(0));
  for (const auto& x : call.tensors) {
    PyList_Append(tensors.get(), owned(paddle::pybind::ToPyObject(x, true)).get());
  }
  const auto list = owned(PyObject_CallFunction(
      answer, "ssO", call.function.c_str(), call.text.str().c_str(), tensors.get()));
  std::vector<paddle::Tensor> found(PyList_Size(list.get()));
  for (size_t i = 0; i < found.size(); ++i) {
    auto* each = PyList_GetItem(list.get(), i);
    if (each != Py_None) found[i] = paddle::pybind::CastPyArg2Tensor(each, 0);
  }
  return found;
#else
  throw std::runtime_error("built without Python: " + call.function);
#endif
}

// What a function in Python gives for arguments.
template <class... As>
std::vector<paddle::Tensor> python_all(const std::string& function, const As&... as) {
  PythonCall call{function};
  call.text << "(";
  ((spell(call, as), call.text << ", "), ...);
  call.text << ")";
  return answers(call);
}

template <class... As>
paddle::Tensor python(const std::string& function, const As&... as) {
  return python_all(function, as...)[0];
}

template <class... As>
std::tuple<paddle::Tensor, paddle::Tensor> python_two(const std::string& function, const As&... as) {
  const auto found = python_all(function, as...);
  return {found[0], found[1]};
}

template <class... As>
std::tuple<paddle::Tensor, paddle::Tensor, paddle::Tensor> python_three(
    const std::string& function, const As&... as) {
  const auto found = python_all(function, as...);
  return {found[0], found[1], found[2]};
}

}  // namespace at::compat_detail
