"""Operators that libraries on the stable ABI register, as attributes of torch.ops."""

from __future__ import annotations

import ast
import functools
import operator
from typing import Any, NamedTuple

import paddle

from ..pieces.operators import _namespace

# Codes that aoti_torch_dtype_* and their like give; a test compares them with those.
_DTYPES = {
    "uint8": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "float16": 5, "float32": 6,
    "float64": 7, "complex64": 9, "complex128": 10, "bool": 11, "bfloat16": 15, "float8_e5m2": 23,
    "float8_e4m3fn": 24, "uint16": 27, "uint32": 28, "uint64": 29,
}  # fmt: skip
_DEVICES = {"cpu": 0, "cuda": 1, "gpu": 1, "xpu": 12, "mps": 13, "meta": 14, "privateuseone": 20}
_LAYOUTS = {"strided": 0}
_FORMATS = {"contiguous_format": 0, "preserve_format": 1, "channels_last": 2, "channels_last_3d": 3}

_module: Any = None  # of the compiled library


class Mismatch(RuntimeError):
    """Arguments that are not those of a schema."""


class Parameter(NamedTuple):
    """One of a schema's parameters; the default is as written, or None if there is none."""

    kind: str
    name: str
    default: str | None
    by_name: bool


class Schema(NamedTuple):
    """A schema as the compiled library reads it."""

    text: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    single: bool


@functools.cache  # until another operator is defined
def _described(name: str) -> Schema:
    text, parameters, returns, single = _module.described(name)
    return Schema(text, tuple(Parameter(*each) for each in parameters), tuple(returns), single)


def _plain(value: object) -> str:
    """The last word of what names a dtype, a layout or a memory format."""
    return str(getattr(value, "name", value)).rpartition(".")[2].lower()


def _device(value: object) -> tuple[int, int]:
    if isinstance(value, tuple):  # it has been converted
        return value
    text = str(value)
    if isinstance(value, paddle.base.core.Place) or text.startswith("Place("):
        text = text.removeprefix("Place(").removesuffix(")")
    elif hasattr(value, "type") and not isinstance(value, str):
        index = getattr(value, "index", None)
        text = f"{value.type}" if index is None or callable(index) else f"{value.type}:{index}"
    kind, _, number = text.partition(":")
    if kind not in _DEVICES and kind not in paddle.device.get_all_custom_device_type():
        raise TypeError(f"{text!r} is no device")
    index = int(number) if number and kind != "cpu" else -1
    return _DEVICES.get(kind, _DEVICES["privateuseone"]), index


def _code(value: object, codes: dict[str, int]) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    name = _plain(value)
    if name not in codes:
        raise TypeError(f"unexpected value {value!r}")
    return codes[name]


def _checked(value: Any, kinds: type | tuple[type, ...], but: type | tuple[type, ...] = ()) -> Any:
    if isinstance(value, but) or not isinstance(value, kinds):
        raise TypeError(f"unexpected type {type(value).__name__!r}")
    return value


def _one(value: Any) -> Any:
    """A tensor of one element as a number may stand for one."""
    if isinstance(value, paddle.Tensor):
        if value.size != 1:
            raise TypeError("a tensor of more than one element")
        return value.item()
    return value


def converted(kind: str, value: Any) -> Any:
    """The value as the compiled library takes it; TypeError where torch refuses it."""
    if kind.endswith("?"):
        return None if value is None else converted(kind[:-1], value)
    if kind.endswith("]"):
        kind, _, count = kind[:-1].rpartition("[")
        if count and isinstance(value, (int, float)):
            value = [value] * int(count)
        return [converted(kind, each) for each in _checked(value, (list, tuple))]
    if kind == "Tensor":
        return _checked(value, paddle.Tensor)
    if kind in ("int", "SymInt"):
        return operator.index(_one(value))
    if kind == "float":
        return float(_checked(_one(value), (int, float)))
    if kind in ("bool", "SymBool"):
        return bool(_checked(_one(value), (bool, int)))
    if kind == "str":
        return _checked(value, str)
    if kind == "Device":
        return _device(value)
    codes = {"ScalarType": _DTYPES, "Layout": _LAYOUTS, "MemoryFormat": _FORMATS}.get(kind)
    if codes is None:
        raise TypeError("torch's stable ABI has no value of this type")
    return _code(value, codes)


def restored(kind: str, value: Any) -> Any:
    """What the compiled library gave, as Python has it."""
    if kind.endswith("?"):
        return None if value is None else restored(kind[:-1], value)
    if kind.endswith("]"):
        return [restored(kind[: kind.rindex("[")], each) for each in value]
    if kind == "ScalarType":
        return getattr(paddle, next(name for name, code in _DTYPES.items() if code == value))
    if kind == "Device":
        name = next(name for name, code in _DEVICES.items() if code == value[0])
        return paddle.device.Device(name if value[1] < 0 else f"{name}:{value[1]}")
    return value


@functools.cache
def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text.capitalize() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):  # a name, of a dtype for example
        return text


def bound(name: str, schema: Schema, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The arguments in the order of the schema, with defaults; Mismatch if they do not fit."""
    given, named, found = list(args), dict(kwargs), []
    for kind, key, default, by_name in schema.parameters:
        try:
            if given and not by_name:
                value = given.pop(0)
            elif key in named:
                value = named.pop(key)
            elif default is None:
                raise TypeError("it is missing")
            else:
                value = _literal(default)
            found.append(converted(kind, value))
        except (TypeError, ValueError) as error:
            said = f"{name}() argument {key!r} of type {kind!r}: {error}"
            raise Mismatch(f"{said}. Declaration: {schema.text}") from None
    if given or named:
        left = ", ".join([*map(repr, given), *named])
        raise Mismatch(f"{name}() does not take {left}. Declaration: {schema.text}")
    return found


def _schema_text(name: str) -> str:
    return _described(name).text


def _call(name: str, values: list[Any]) -> Any:
    """Call an operator with all arguments in the order of its schema."""
    schema = _described(name)
    pairs = zip(schema.parameters, values, strict=True)
    return _run(name, schema, [converted(each.kind, value) for each, value in pairs])


def _run(name: str, schema: Schema, values: list[Any]) -> Any:
    """Call an operator with values that have been converted."""
    made = _module.call(name, values)
    found = tuple(restored(kind, each) for kind, each in zip(schema.returns, made, strict=True))
    if not schema.returns:
        return None
    return found[0] if schema.single else found


class Operator:
    """torch.ops.ns.name, and each of its overloads.

    `_calls` is what porter's pieces look for: name -> (what gives the schema, what calls it).
    """

    def __init__(self, name: str) -> None:
        self.__name__ = name.rpartition("::")[2]
        self._name = self._qualified_op_name = name
        self._calls: dict[str, Any] = {}

    def __repr__(self) -> str:
        return self._name.replace("::", ".")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        refused: RuntimeError = NotImplementedError(f"{self!r} has no overload")
        for name in self._calls:
            schema = _described(name)
            try:
                values = bound(name, schema, args, kwargs)
            except Mismatch as error:
                refused = error
                continue
            return _run(name, schema, values)
        raise RuntimeError(str(refused)) if isinstance(refused, Mismatch) else refused

    def name(self) -> str:
        """The name with its namespace."""
        return self._name

    @property
    def _schema(self) -> str:
        return _schema_text(self._name)

    def overloads(self) -> list[str]:
        """The names of its overloads."""
        return [key for key, value in vars(self).items() if isinstance(value, Operator)]


def publish(name: str) -> None:
    """Make an operator that a library has defined an attribute of torch.ops."""
    _described.cache_clear()
    base, _, overload = name.partition(".")
    space, _, attribute = base.partition("::")
    known: Any = _namespace(space)  # type: ignore[no-untyped-call]
    every = vars(known).setdefault(attribute, Operator(base))
    one = vars(every).setdefault(overload or "default", Operator(name))
    one._calls[name] = every._calls[name] = (_schema_text, _call)


def _in_python(name: str) -> Any:
    """The overload of this name that only Python knows, or None."""
    space, _, last = name.partition("::")
    packet, _, overload = last.partition(".")
    found = vars(vars(paddle.ops).get(space, paddle.ops)).get(packet)
    return getattr(found, overload or "default", None)


def schema_in_python(name: str) -> str | None:
    """The schema of an operator that Python has kernels of."""
    found = _in_python(name)
    calls = getattr(found, "_calls", {}).values()
    if any(each[0] is _schema_text for each in calls) and not getattr(found, "_kernels", None):
        return None  # of a library, which has been asked
    schema = getattr(found, "_schema", None)
    return None if schema is None else str(schema)


def call_in_python(name: str, values: list[Any]) -> list[Any]:
    """Call an operator that Python has kernels of, with and for the compiled library."""
    found = _in_python(name)
    schema = Schema(*_parsed(str(found._schema), name))
    pairs = zip(schema.parameters, values, strict=True)
    given = [(each, restored(each.kind, value)) for each, value in pairs]
    args = [value for each, value in given if not each.by_name]
    made = found(*args, **{each.name: value for each, value in given if each.by_name})
    if not schema.returns:
        return []
    results = [made] if schema.single else list(made)
    return [converted(kind, each) for kind, each in zip(schema.returns, results, strict=True)]


def _parsed(text: str, name: str) -> Any:
    text, parameters, returns, single = _module.parsed(text, name.partition("::")[0])
    return text, tuple(Parameter(*each) for each in parameters), tuple(returns), single


def device_in_python(what: str, argument: int) -> int:
    """What the compiled library asks of devices and of autograd."""
    if what == "grad_enabled":
        return int(paddle.is_grad_enabled())
    if what == "set_grad_enabled":
        paddle.base.framework._dygraph_tracer()._has_grad = bool(argument)
        return 0
    kind, _, index = paddle.device.get_device().partition(":")
    if kind == "cpu":
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if what == "current_device":
        return int(index)
    if what == "set_device":
        paddle.device.set_device(f"{kind}:{argument}")
        return 0
    stream = paddle.device.current_stream(f"{kind}:{argument}").stream_base
    return int(getattr(stream, "cuda_stream", None) or stream.raw_stream)


def connect(module: Any) -> None:
    """Let the compiled library find this module."""
    import sys

    global _module
    _module = module
    module.connect(sys.modules[__name__])
