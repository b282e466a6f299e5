// Values of Python as IValues and back, and calls from Python by a schema.
#pragma once

#include <ATen/core/ivalue.h>
#include <porter_compat/eager.h>
#include "paddle/utils/pybind.h"
#include "pybind11/eval.h"
#include "pybind11/functional.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace torch::compat_detail {

// How Python calls what has a schema: each argument found by name or place, and made its type.
inline const char* const CALLS = R"py(
import ast, collections.abc, functools, operator, re
import paddle

ALIAS = re.compile(r"(?<=\w)\([a-z*|]+!?(?: *-> *[a-z*|]+)?\)")
ITEM = re.compile(r"""(?:[^,()[\]'"]|'[^']*'|"[^"]*"|\[[^]]*\]|\((?:[^()]|\([^()]*\))*\))+""")
PARAMETER = re.compile(r"(.+?) *\b(\w+) *(?:= *(.*?))?", re.S)

class Mismatch(RuntimeError):
    "Arguments that are not those of a schema."

@functools.lru_cache(None)
def parsed(schema):
    "(type, name, default or None, whether by name only) of each parameter, and the result."
    text = ALIAS.sub("", schema)
    inside, result = re.fullmatch(r"[^(]*\((.*?)\)\s*(?:->\s*(.*))?", text, re.S).groups()
    named, found = False, []
    for item in ITEM.findall(inside):
        if item.strip() == "*":
            named = True
        else:
            found.append((*PARAMETER.fullmatch(item.strip()).groups(), named))
    return found, result or ""

def literal(kind, text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):  # a name, of a dtype for example
        return 0 if kind.startswith(("int", "MemoryFormat")) else text

def convert(kind, value):
    if kind.endswith("?"):
        return None if value is None else convert(kind[:-1], value)
    if kind.endswith("]"):
        kind, _, count = kind[:-1].rpartition("[")
        if count and isinstance(value, (int, float)):
            value = [value] * int(count)
        return [convert(kind, item) for item in checked(value, collections.abc.Sequence, str)]
    if kind.startswith("Dict("):
        kinds = [item.strip() for item in ITEM.findall(kind[5:-1])]
        items = checked(value, dict).items()
        return {convert(kinds[0], k): convert(kinds[1], v) for k, v in items}
    if kind == "Tensor":
        return checked(value, paddle.Tensor)
    if kind == "str":
        return checked(value, str)
    if kind == "bool":
        return bool(checked(value, (bool, paddle.Tensor)))
    if kind in ("int", "SymInt"):
        return int(value) if isinstance(value, paddle.Tensor) else operator.index(value)
    if kind == "float" or (kind == "Scalar" and not isinstance(value, int)):
        return float(checked(value, object, str))
    if kind == "Device":
        index = getattr(value, "index", None)
        named = getattr(value, "type", value)
        text = str(named) if index is None or callable(index) else f"{named}:{index}"
        return re.sub("^gpu", "cuda", re.sub(r"^Place\((.*)\)$", r"\1", text))
    if kind == "Object" or "." in kind:
        return value if hasattr(value, "_value") else checked(value, ())
    return value

def checked(value, kinds, but=()):
    if isinstance(value, but) or not isinstance(value, kinds):
        raise TypeError(f"unexpected type {type(value).__name__!r}")
    return value

def bound(name, parameters, args, kwargs):
    given, named, found = list(args), dict(kwargs), []
    for kind, key, default, by_name in parameters:
        try:
            if given and not by_name:
                value = given.pop(0)
            elif key in named:
                value = named.pop(key)
            elif isinstance(default, str):
                value = literal(kind, default)
            else:
                raise TypeError("it is missing")
            found.append(convert(kind, value))
        except (TypeError, ValueError) as error:
            raise Mismatch(f"{name}(): argument {key!r} of type {kind!r}: {error}") from None
    if given or named:
        raise Mismatch(f"{name}() takes {len(parameters)} arguments, not {[*given, *named]} as well")
    return found

class Operator:
    "torch.ops.ns.name, and each of its overloads."

    def __init__(self, name):
        self.__name__ = name.rpartition("::")[2]
        self._name = self._qualified_op_name = name
        self._calls = {}

    def __repr__(self):
        return self._name.replace("::", ".")

    def __call__(self, *args, **kwargs):
        for name, (schema, call) in self._calls.items():
            parameters, result = parsed(schema(name))
            try:
                values = bound(name, parameters, args, kwargs)
            except Mismatch as error:
                refused = error
                continue
            made = call(name, values)
            return dict(made) if result.startswith("Dict(") else made
        raise refused

    def overloads(self):
        return [key for key, value in vars(self).items() if isinstance(value, Operator)]

def strict(base, schema):
    class Namespace(base):
        "torch.ops.ns, which has what is registered and nothing else."

        def __getattr__(self, name):
            full = f"{self.name}::{name}"
            if name != "__file__" and not paddle._ops.PYTHON_OP_REGISTRY.has_operator(full):
                try:
                    schema(full)
                except RuntimeError:
                    text = f"'_OpNamespace' {self.name!r} object has no attribute {name!r}"
                    raise AttributeError(text) from None
            return super().__getattr__(name)

    return Namespace

def publish(name, *calls):
    base, _, overload = name.partition(".")
    space, _, attribute = base.partition("::")
    namespace = getattr(paddle.ops, space)
    if type(namespace).__name__ != "Namespace":
        namespace.__class__ = strict(type(namespace), calls[0])
    all = vars(namespace).setdefault(attribute, Operator(base))
    one = vars(all).setdefault(overload or "default", Operator(name))
    one._calls[name] = all._calls[name] = calls
)py";

// What CALLS defines under a name.
inline py::object python(const char* name) {
  static py::handle made;  // never freed: Python may be gone before this library is
  if (!made) {
    py::dict scope;
    py::exec(CALLS, scope);
    made = scope.release();
  }
  return made[name];
}

// What makes objects of Python of those of torch::class_, by the name that their IValues have.
inline std::map<std::string, std::function<py::object(const IValue&)>>& makers() {
  static std::map<std::string, std::function<py::object(const IValue&)>> found;
  return found;
}

inline IValue from_python(py::handle value) {
  PyObject* object = value.ptr();
  if (value.is_none()) return IValue();
  if (PyBool_Check(object)) return IValue(value.cast<bool>());
  if (PyLong_Check(object)) return IValue(value.cast<int64_t>());
  if (PyFloat_Check(object)) return IValue(value.cast<double>());
  if (PyUnicode_Check(object)) return IValue(value.cast<std::string>());
  if (paddle::pybind::PyCheckTensor(object)) {
    auto& inner = paddle::pybind::CastPyArg2Tensor(object, 0);
    egr::EagerUtils::autograd_meta(&inner);  // so that what C++ does to it is seen in Python
    return IValue(at::Tensor(inner));
  }
  if (py::hasattr(value, "_value")) return *py::capsule(value.attr("_value")).get_pointer<IValue>();
  if (PyDict_Check(object)) return from_python(py::list(value.attr("items")()));
  if (PyList_Check(object) || PyTuple_Check(object)) {
    std::vector<IValue> items;
    for (auto item : value) items.push_back(from_python(item));
    if (PyList_Check(object)) return IValue(items);
    IValue tuple(std::make_tuple(IValue()));
    tuple.to_tuple() = GenericTuple(items);
    return tuple;
  }
  const auto dtype = py::int_(py::reinterpret_borrow<py::object>(value)).cast<int>();
  return IValue(compat::_PD_PhiDataTypeToAtenScalarType(static_cast<phi::DataType>(dtype)));
}

inline py::object to_python(const IValue& value) {
  if (value.is_bool()) return py::bool_(value.to_bool());
  if (value.is_int()) return py::int_(value.to_int());
  if (value.is_double()) return py::float_(value.to_double());
  if (value.is_string()) return py::str(value.to_string());
  if (value.is_tensor()) {
    auto* tensor = paddle::pybind::ToPyObject(value.to_tensor()._PD_GetInner(), true);
    return py::reinterpret_steal<py::object>(tensor);
  }
  if (value.is_custom_class()) return makers().at(value.get_custom_class_name())(value);
  if (!value.is_list() && !value.is_tuple()) return py::none();
  py::list found;
  for (const auto& item : value.is_list() ? value.to_list() : value.to_tuple().elements) {
    found.append(to_python(item));
  }
  return value.is_tuple() ? py::object(py::tuple(found)) : found;
}

inline std::vector<IValue> from_python(const py::list& values) {
  std::vector<IValue> found;
  for (auto value : values) found.push_back(from_python(value));
  return found;
}

}  // namespace torch::compat_detail
