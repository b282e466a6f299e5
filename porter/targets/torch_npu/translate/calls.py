"""What functions give that threads call with what each of them has."""

from __future__ import annotations

from collections.abc import Sequence

from porter.targets.torch_npu.translate.arithmetic import Value
from porter.targets.torch_npu.translate.device import DeviceFunction
from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.lanes import WARP, Address, Lanes, Shared, shuffle
from porter.targets.torch_npu.translate.syntax import (
    Call,
    Index,
    Name,
    Number,
    Return,
    Unary,
    Untranslatable,
    plain,
)
from porter.targets.torch_npu.translate.values import Values

_EXTREMES = {
    **dict.fromkeys(("max", "fmax", "fmaxf"), "max"),
    **dict.fromkeys(("min", "fmin", "fminf"), "min"),
}


def call(values: Values, call: Call, active: int, used: bool = True) -> Value | None:
    at, name = call.at, call.name
    short = name.removeprefix("std::").removeprefix("::")
    if short.removesuffix("_sync") in ("__shfl_xor", "__shfl_down", "__shfl_up", "__shfl"):
        return _shuffle(values, short, call, active)
    if short == "__activemask":
        return Lanes((-1,) * values.math.size)
    if short == "__ldg" and len(call.arguments) == 1:
        match call.arguments[0]:
            case Unary(_, "&", Index() as place):
                return values.value(place, active)
            case Name(at, own):
                return values.value(Index(at, own, Number(at, "0")), active)
    given = [values.value(argument, active) for argument in call.arguments]
    if short in _EXTREMES and len(given) == 2 and given[0] == given[1]:
        return given[0]
    known = any(isinstance(v, Scalar) and v.text in values.math.origin for v in given)
    if used and all(isinstance(v, Scalar) for v in given) and not (known and short in _EXTREMES):
        scalars = {f"a{k}": v for k, v in enumerate(given) if isinstance(v, Scalar)}
        function = values.math.source.function(short, at)
        try:
            tree = Call(at, name, tuple(Name(at, key) for key in scalars))
            return values.math.compute(tree, scalars)
        except Untranslatable:
            if function is None:
                raise
    function = values.math.source.function(short, at)
    if function is not None:
        return _inline(values, call, function, given, active)
    operator = _EXTREMES.get(short)
    if operator and len(given) == 2:
        a, b = values.math.lanes(given[0]), values.math.lanes(given[1])
        return Lanes(
            tuple(values.math.extreme(operator, x, y, at) for x, y in zip(a, b, strict=True))
        )
    raise Untranslatable(f"`{name}`", at)


def _shuffle(values: Values, name: str, call: Call, active: int) -> Value:
    if values.math.size < WARP:
        raise Untranslatable(f"`{name}` of threads with one row each", call.at)
    arguments = call.arguments[1:] if name.endswith("_sync") else call.arguments
    given = [values.value(argument, active) for argument in arguments]
    if len(given) not in (2, 3):
        raise Untranslatable(f"`{name}` with unsupported arguments", call.at)
    width = values.math.number(given[2], call.at) if len(given) == 3 else WARP
    distance = [values.math.as_number(lane) for lane in values.math.lanes(given[1])]
    numbers = [d if isinstance(d, int) else 0 for d in distance]
    if any(
        not isinstance(d, int) for t, d in enumerate(distance) if active >> t & 1
    ) or width not in (1, 2, 4, 8, 16, 32):
        raise Untranslatable(f"`{name}` over an unknown distance", call.at)
    lanes = values.math.lanes(given[0])
    return Lanes(tuple(shuffle(name.removesuffix("_sync"), lanes, numbers, active, width)))


def _inline(
    values: Values, call: Call, function: DeviceFunction, given: Sequence[Value], active: int
) -> Value | None:
    at = call.at
    if len(given) != len(function.parameters) or values.depth == 8:
        raise Untranslatable(f"`{call.name}` with unsupported arguments", at)
    names, types, floats, known = values.names, values.types, values.math.floats, values.math.known
    values.names, values.types, values.math.known = {}, {}, dict(known)
    for template, text in zip(function.templates, call.templates, strict=False):
        if not template.type:
            continue
        number = known.get(text, int(text) if text.isdigit() else None)
        if number is None:
            raise Untranslatable(f"`{call.name}` with a number as a template argument", at)
        values.names[template.name] = Lanes((number,) * values.math.size)
    values.math.floats = floats | function.floats
    if any(t.type and t.name not in values.names for t in function.templates):
        raise Untranslatable(f"`{call.name}` with a number as a template argument", at)
    values.depth += 1
    for parameter, value in zip(function.parameters, given, strict=True):
        name, type = parameter.name, plain(parameter.type)
        values.types[name] = f"{type} *" if parameter.pointer else type
        pointer = isinstance(value, Address | Shared)
        if pointer != parameter.pointer:
            raise Untranslatable(f"`{call.name}` with unsupported arguments", at)
        values.names[name] = value if pointer else values.math.convert(type, value, at)
    body, result = list(function.body()), None
    end = body.pop() if body and isinstance(body[-1], Return) else None
    for statement in body:  # one by one, so that what they declare stays
        values.keep(statement, active)
    if isinstance(end, Return) and end.value is not None:
        result = values.math.convert(plain(function.returns), values.value(end.value, active), at)
    values.depth -= 1
    values.names, values.types, values.math.floats = names, types, floats
    values.math.known = known | values.math.known
    return result
