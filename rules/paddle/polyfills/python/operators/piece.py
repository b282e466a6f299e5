import ast
import contextlib
import functools
import numbers
import operator
import re
import threading
from typing import NamedTuple

import paddle
from paddle._ops import PYTHON_OP_REGISTRY
from paddle.autograd import PyLayer

from .torchs_meaning import _torch

_BASE = (  # compiled when a schema is read
    r"(Tensor|(Sym)?(Int|Bool)|int|bool|float|complex|number|str|Scalar(Type)?|Device|Layout|Any|t"
    r"|MemoryFormat|Generator|Storage|Stream|QScheme|Dimname|__torch__\..+|(Dict|Future|RRef)\(.+\)"
    r"|\(.*\))"
)
_ALIAS = r"(?<=\w)\((\*|[a-z]\w*)(\|[a-z]\w*)*!?(\s*->\s*[^)]*)?\)"
_below = threading.local()


class _Parameter(NamedTuple):
    kind: str
    name: str
    default: str  # as written; "" if there is none
    named: bool  # by name only
    written_to: bool
    aliased: bool  # whether an output may share its memory


class _Schema(NamedTuple):
    name: str
    parameters: tuple
    returns: tuple  # of one Tensor, of a list in brackets
    single: bool  # whether the result is not a tuple


def _is_tensor(value):
    return isinstance(value, paddle.Tensor)


def _items(text):
    """What commas outside brackets and quotes separate."""
    found, depth, quote = [""], 0, ""
    for sign in text:
        if quote or sign in "\"'":
            quote = "" if sign == quote else quote or sign
        elif sign in "([)]":
            depth += 1 if sign in "([" else -1
        if sign == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += sign
    return [item.strip() for item in found if item.strip()]


def _type(text, schema):
    kind = re.sub(_ALIAS, "", text).strip()
    if not re.fullmatch(_BASE, re.sub(r"(\?|\[\d*\])+$", "", kind)):
        raise RuntimeError(f"unknown type specifier {kind!r} in the schema {schema}")
    return kind


@functools.lru_cache(None)
def _parsed(schema):
    """A schema as torch writes it, with a name or without."""
    match = re.fullmatch(r"\s*([\w:.]*)\s*\((.*)\)\s*->\s*(.+?)\s*", schema, re.S)
    if match is None:
        raise RuntimeError(f"this is no schema of an operator: {schema}")
    name, inside, result = match.groups()
    parameters, named = [], False
    for item in _items(inside):
        if item == "*":
            named = True
            continue
        parts = re.fullmatch(r"(.+?)\s+(\w+)\s*(?:=\s*(.+))?", item, re.S)
        if parts is None:
            raise RuntimeError(f"{item!r} is no parameter of an operator: {schema}")
        written, key, default = parts.groups()
        kind = _type(written, schema)
        marks = "!" in written, bool(re.search(_ALIAS, written))
        parameters.append(_Parameter(kind, key, default or "", named, *marks))
    single = not result.startswith("(")
    results = [result] if single else _items(result[1:-1])
    plain = [re.sub(r"\s+\w+$", "", each) for each in results]  # a result may have a name
    return _Schema(name, tuple(parameters), tuple(_type(each, schema) for each in plain), single)


@functools.lru_cache(None)
def _literal(text):
    try:
        return ast.literal_eval(text.capitalize() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):  # a name, of a dtype for example
        return getattr(paddle, text, None)


def _default(parameter):
    value = _literal(parameter.default)
    return None if value is None else _converted(parameter.kind, value)


def _converted(kind, value):
    """The value as a kernel gets it; TypeError or ValueError where torch refuses it."""
    if kind.endswith("?"):
        return None if value is None else _converted(kind[:-1], value)
    if kind.endswith("]"):
        kind, _, count = kind[:-1].rpartition("[")
        if count and isinstance(value, (int, float)):
            value = [value] * int(count)
        if kind == "Tensor" and any(each is None for each in _instance(value, (list, tuple))):
            raise TypeError("None is no tensor")
        return [_converted(kind, each) for each in _instance(value, (list, tuple))]
    if kind == "Tensor":
        return _instance(value, (paddle.Tensor, type(None)))
    if kind in ("int", "SymInt"):
        return int(_one(value)) if _is_tensor(value) else operator.index(value)
    if kind == "float":
        return float(_instance(_one(value), object, str))
    if kind in ("bool", "SymBool"):
        return bool(_instance(_one(value), object, (str, list, tuple, dict)))
    if kind == "Scalar":
        return _instance(value, numbers.Number)
    if kind == "str":
        return _instance(value, str)
    if kind == "ScalarType":
        return _instance(value, paddle.dtype)
    if kind == "Device" and isinstance(value, str):
        return paddle.device.Device(value)
    return value


def _one(value):
    if _is_tensor(value) and value.size != 1:
        raise TypeError("a tensor of more than one element")
    return value


def _instance(value, kinds, but=()):
    if isinstance(value, but) or not isinstance(value, kinds):
        raise TypeError(f"unexpected type {type(value).__name__!r}")
    return value


def _tensors_in(values):
    """The tensors among values, and in lists among them."""
    for value in values:
        if _is_tensor(value):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors_in(value)


def _key(value):
    """The dispatch key of the device that a tensor, or its name, is on."""
    if _is_tensor(value):
        place = value.place
        value = "cpu" if place.is_cpu_place() or place.is_cuda_pinned_place() else "cuda"
        if place.is_custom_place():
            value = "privateuseone"
        elif place.is_xpu_place():
            value = "xpu"
    name = str(getattr(value, "type", value)).partition(":")[0]
    return {"gpu": "CUDA", "privateuseone": "PrivateUse1", "hip": "CUDA"}.get(name, name.upper())


@contextlib.contextmanager
def _below_autograd():
    """Kernels for autograd are left out, and nothing is recorded."""
    before, _below.autograd = getattr(_below, "autograd", False), True
    try:
        with paddle.no_grad():
            yield
    finally:
        _below.autograd = before


class _Overload:
    """torch.ops.ns.name.default, or another overload of an operator."""

    def __init__(self, name, schema):
        self._name, self._text = name, schema
        self._calls = {}  # what C++ registers: name -> (what gives the schema, what calls it)
        self._kernels = {}  # dispatch key -> function of all arguments in the order of the schema

    @property
    def _schema(self):
        return self._text or self._calls[self._name][0](self._name)

    @property
    def namespace(self):
        return self._name.partition("::")[0]

    @property
    def __name__(self):
        last = self._name.partition("::")[2]
        return last if "." in last else f"{last}.default"

    _opname = property(lambda self: self.__name__.partition(".")[0])
    _overloadname = property(lambda self: self.__name__.partition(".")[2])

    def name(self):
        return self._name

    def __str__(self):
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self):
        return (
            f"<OpOverload(op='{self.namespace}.{self._opname}', overload='{self._overloadname}')>"
        )

    def __call__(self, *args, **kwargs):
        return self._run(self._bound(args, kwargs))

    def _bound(self, args, kwargs):
        """The arguments in the order of the schema, with defaults; RuntimeError if none fit."""
        given, named, found = list(args), dict(kwargs), []
        for parameter in _parsed(self._schema).parameters:
            kind, name, default, by_name, *_ = parameter
            try:
                if given and not by_name:
                    found.append(_converted(kind, given.pop(0)))
                elif name in named:
                    found.append(_converted(kind, named.pop(name)))
                elif default:
                    found.append(_default(parameter))
                else:
                    raise TypeError("it is missing")
            except (TypeError, ValueError) as error:
                said = f"{self._name}(): argument {name!r} of type {kind!r}: {error}"
                raise RuntimeError(f"{said}. Declaration: {self._schema}") from None
        if given or named:
            left = [*map(repr, given), *named]
            raise RuntimeError(f"{self._name}() does not take {', '.join(left)}: {self._schema}")
        return found

    def _run(self, values):
        """Call what is registered for the arguments: for autograd, for their device, for any."""
        keys = [_key(each) for each in _tensors_in(values)]
        if not keys:
            parameters = _parsed(self._schema).parameters
            keys = [_key(v) for p, v in zip(parameters, values) if v and p.kind[:6] == "Device"]
        backend = next((key for key in keys if key != "CPU"), keys[0] if keys else None)
        wanted = [backend] if backend else []
        if backend and not getattr(_below, "autograd", False):
            wanted = [f"Autograd{backend}", "Autograd", backend]
        if backend and _torch("is_autocast_enabled")("cpu" if backend == "CPU" else "cuda"):
            wanted.insert(0, f"Autocast{backend}")
        for key in wanted:
            if key in self._kernels:
                return self._kernels[key](values)
        native = self._calls.get(self._name)
        others = [key for key in ("BackendSelect", *_COMPOSITE) if key in self._kernels]
        if native is not None:
            try:
                return native[1](self._name, values)
            except NotImplementedError:
                if not others:
                    raise
        if others:
            return self._kernels[others[0]](values)
        raise NotImplementedError(
            f"Could not run {self._name!r} with arguments from the {backend or ''!r} backend."
        )

    def _taking(self, function):
        """A kernel of it: what calls the function without defaults, and looks at its result."""
        parameters = _parsed(self._schema).parameters

        def kernel(values):
            pairs = [*zip(parameters, values)]
            named = {p.name: v for p, v in pairs if p.named and not _is_default(p, v)}
            placed = [pair for pair in pairs if not pair[0].named]
            while placed and _is_default(*placed[-1]):
                placed.pop()
            return self._returned(function(*(value for _, value in placed), **named))

        return kernel

    def _returned(self, made):
        _, _, kinds, single = _parsed(self._schema)
        if not kinds and made is not None:
            raise RuntimeError(f"{self._name} is to return None but returned something else")
        if single or not kinds:
            return made if not kinds else _result(kinds[0], made)
        if not isinstance(made, (list, tuple)):
            raise TypeError(f"{self._name}: {type(made).__name__} is no sequence")
        if len(made) != len(kinds):
            raise RuntimeError(f"{self._name} returned {len(made)} values, not {len(kinds)}")
        return tuple(_result(kind, each) for kind, each in zip(kinds, made))


_COMPOSITE = (
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "CompositeImplicitAutograd",
)


def _is_default(parameter, value):
    if not parameter.default or _is_tensor(value):
        return False
    default = _default(parameter)
    return type(value) is type(default) and not [*_tensors_in([value])] and value == default


def _result(kind, made):
    try:
        return _converted(kind, made)
    except (TypeError, ValueError):
        raise RuntimeError(f"Unable to cast {made!r} to {kind}") from None


class _Packet:
    """torch.ops.ns.name: its overloads, tried in the order of their definition."""

    def __init__(self, name):
        self._qualified_op_name, self._calls = name, {}
        self.__name__ = name.partition("::")[2]

    def __str__(self):
        return self._qualified_op_name.replace("::", ".")

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"

    def __getattr__(self, name):
        raise AttributeError(f"The underlying op of '{self}' has no overload name {name!r}")

    def _overloads(self):
        found = {key: each for key, each in vars(self).items() if hasattr(each, "_calls")}
        for each in found.values():
            if not hasattr(each, "_kernels"):  # of C++: now it takes kernels of Python too
                each.__class__, each._kernels, each._text = _Overload, {}, ""
        return found

    def overloads(self):
        return [*self._overloads()]

    def __call__(self, *args, **kwargs):
        refused = NotImplementedError(f"{self} has no overload")
        for each in self._overloads().values():
            try:
                values = each._bound(args, kwargs)
            except RuntimeError as error:
                refused = error
                continue
            return each._run(values)
        raise refused


def _namespace(name):
    """torch.ops.<name>, which from now on has what is registered, and nothing else."""
    space = getattr(paddle.ops, name)
    if type(space).__name__ != "Namespace":

        class Namespace(type(space)):
            def __getattr__(self, name):
                full = f"{self.name}::{name}"
                if name != "__file__" and not PYTHON_OP_REGISTRY.has_operator(full):
                    try:
                        paddle.base.core.torch_compat._get_operation(full)(object())
                    except RuntimeError as error:
                        if "not found in the registry" in str(error):
                            said = f"'_OpNamespace' {self.name!r} object has no attribute {name!r}"
                            raise AttributeError(said) from None
                return super().__getattr__(name)

        space.__class__ = Namespace
    return space


def _split(name):
    space, colons, last = name.partition("::")
    if not (space and colons and last) or "::" in last:
        raise ValueError(f'Expected `qualname` to be of the form "namespace::name", but got {name}')
    packet, _, overload = last.partition(".")
    return space, packet, overload or "default"


def _define(name, schema):
    """Make an operator, or another overload of one, with a schema: "(Tensor x) -> Tensor"."""
    space, packet, overload = _split(name)
    written = f"{name}{schema}"
    _parsed(written)
    owner = vars(_namespace(space)).setdefault(packet, _Packet(f"{space}::{packet}"))
    made = vars(owner).setdefault(overload, _Overload(name, written))
    if made._calls:
        raise RuntimeError(f"Tried to register an operator ({name}) that C++ has registered")
    made._text = written
    made._kernels.clear()
    return made


def _registered(op):
    """The overload that a name or what torch.ops has tells; AttributeError if there is none."""
    name = op if isinstance(op, str) else getattr(getattr(op, "_opoverload", op), "_name", None)
    if name is None:
        raise ValueError(f"{op}: got unexpected type for op: {type(op)}")
    space, packet, overload = _split(name)
    owner = getattr(_namespace(space), packet)
    if not hasattr(owner, "_calls"):
        raise NotImplementedError(f"{name} is of C++ that takes nothing from Python under Paddle")
    if not hasattr(owner, "_overloads"):  # of C++
        owner.__class__ = _Packet
    found = owner._overloads().get(overload)
    return getattr(owner, overload) if found is None else found


def _wanted(value):
    """Whether a tensor wants a gradient; None of what is no tensor."""
    if not _is_tensor(value):
        return None
    return not value.stop_gradient and (value.is_floating_point() or value.is_complex())


def _mapped(function, values):
    """The same lists and tuples with the function applied to what is in them."""
    if isinstance(values, (list, tuple)):
        return type(values)(_mapped(function, each) for each in values)
    return function(values)


class _WithoutFormula(PyLayer):
    """A call of an operator that has no way back."""

    @staticmethod
    def forward(ctx, op, made, *wanted):
        ctx.op = op
        return tuple(_tensors_in([made()]))

    @staticmethod
    def backward(ctx, *gradients):
        PyLayer.raised = RuntimeError(
            f"Trying to backward through {ctx.op} but no autograd formula was registered. "
            "Please use register_autograd to add one."
        )
        raise PyLayer.raised


def _recorded(op, record):
    """The kernel for autograd of an operator: `record(wanted, values, output)` gives the outputs
    of a call as those of a step of the graph."""

    def kernel(values):
        with _below_autograd():
            output = op._run(values)
        wanted = [each for each in _tensors_in(values) if _wanted(each)]
        if not wanted or not paddle.is_grad_enabled() or not [*_tensors_in([output])]:
            return output
        made = iter(record(wanted, values, output))
        return _mapped(lambda each: next(made) if _is_tensor(each) else each, output)

    return kernel


def _without_formula(op):
    """The kernel for autograd of an operator before one is registered."""

    def record(wanted, values, output):
        made = _WithoutFormula.apply(op, lambda: output, *wanted)
        for each in made:
            each.stop_gradient = not (each.is_floating_point() or each.is_complex())
        return made

    return _recorded(op, record)


def _autocasting(op, device_type, dtype):
    """Give an operator the kernel for autocast: floating-point tensors in a dtype, autocast off."""

    def cast(value):
        fits = _is_tensor(value) and value.is_floating_point() and value.dtype != paddle.float64
        return value.astype(dtype) if fits else value

    def kernel(values):
        with _torch("amp.autocast")(device_type, enabled=False):
            return op._run(_mapped(cast, values))

    op._kernels[f"Autocast{_key(device_type)}"] = kernel
