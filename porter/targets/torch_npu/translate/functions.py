"""Functions of CUDA as vector instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from porter.targets.torch_npu.translate.instructions import (
    Instruction,
    Instructions,
    Scalar,
    Value,
    Vector,
    as_float,
    common,
)
from porter.targets.torch_npu.translate.syntax import Untranslatable, is_integer, plain


def _spelt(spellings: Mapping[str, str]) -> dict[str, str]:
    """Each spelling of a function, and its instruction."""
    return {name: to for to, names in spellings.items() for name in names.split()}


# One instruction each, of one operand; what CANN makes of several instructions uses memory of its
# own beside the kernel's buffers.
_ONE = _spelt(
    {
        "Exp": "exp expf __expf hexp",
        "Ln": "log logf __logf hlog",
        "Sqrt": "sqrt sqrtf __fsqrt_rn hsqrt",
        "Abs": "fabs fabsf abs __habs",
    }
)
_SEVERAL = _spelt(
    {
        "Tanh": "tanh tanhf",
        "Sin": "sin sinf __sinf",
        "Cos": "cos cosf __cosf",
        "Tan": "tan tanf",
        "Asin": "asin asinf",
        "Acos": "acos acosf",
        "Atan": "atan atanf",
        "Sinh": "sinh sinhf",
        "Cosh": "cosh coshf",
        "Asinh": "asinh asinhf",
        "Acosh": "acosh acoshf",
        "Atanh": "atanh atanhf",
        "Erf": "erf erff",
        "Erfc": "erfc erfcf",
        "Log2": "log2 log2f",
        "Log10": "log10 log10f",
        "Floor": "floor floorf",
        "Ceil": "ceil ceilf",
        "Trunc": "trunc truncf",
        "Round": "rint rintf nearbyint nearbyintf",  # ties to even
    }
)
_SAME = frozenset(
    (
        *("__half2float", "__float2half", "__float2half_rn", "__bfloat162float"),
        *("__float2bfloat16", "__float2bfloat16_rn", "__ldg"),
    )
)
_EXTREMES = frozenset(("max", "min", "fmax", "fmin", "fmaxf", "fminf"))
_CONSTANTS = {
    "M_PI": "3.14159265358979324f",
    "M_PI_2": "1.57079632679489662f",
    "M_SQRT2": "1.41421356237309505f",
    "M_SQRT1_2": "0.707106781186547524f",
    "M_2_SQRTPI": "1.12837916709551257f",
    "M_1_PI": "0.318309886183790672f",
    "M_2_PI": "0.636619772367581343f",
    "M_E": "2.71828182845904524f",
    "M_LN2": "0.693147180559945309f",
    "M_LOG2E": "1.44269504088896341f",
    "INFINITY": "(1.0f / 0.0f)",
    "CUDART_INF_F": "(1.0f / 0.0f)",
    "FLT_MAX": "3.402823466e+38f",
    "FLT_MIN": "1.175494351e-38f",
    "FLT_EPSILON": "1.192092896e-07f",
}
_LIMITS = {
    "numeric_limits<float>::max": _CONSTANTS["FLT_MAX"],
    "numeric_limits<float>::lowest": f"(-{_CONSTANTS['FLT_MAX']})",
    "numeric_limits<float>::epsilon": _CONSTANTS["FLT_EPSILON"],
    "numeric_limits<float>::min": _CONSTANTS["FLT_MIN"],
}
_OPERATORS = _spelt(
    {
        "+": "__hadd __fadd_rn",
        "-": "__hsub __fsub_rn",
        "*": "__hmul __fmul_rn",
        "/": "__hdiv __fdiv_rn",
        ">": "__hgt",
        "<": "__hlt",
        ">=": "__hge",
        "<=": "__hle",
        "==": "__heq",
        "!=": "__hne",
    }
)
_SINGLE = Scalar("1.0f", "float")
_INFINITE = Scalar("(1.0f / 0.0f)", "float")


def constant(name: str, constants: Mapping[str, str]) -> Scalar | None:
    """What a name of C++ or a constant of the file is, which has a type."""
    if name in ("true", "false"):
        return Scalar(name, "bool")
    if name in _CONSTANTS:
        return Scalar(_CONSTANTS[name], "float")
    if name not in constants:
        return None
    type = plain(constants[name])
    if type == "bool":
        return Scalar(name, "bool")
    if is_integer(type):
        return Scalar(name, "int")
    return Scalar(f"static_cast<float>({name})" if type == "double" else name, "float")


def limit(short: str) -> Scalar | None:
    """What a function of std::numeric_limits gives."""
    if re.fullmatch(r"numeric_limits<\w+>::infinity", short):
        return _INFINITE
    return Scalar(_LIMITS[short], "float") if short in _LIMITS else None


def call(make: Instructions, at: int, name: str, given: Sequence[Value]) -> Value:
    """What a function of CUDA or of C++ gives. Raises Untranslatable for one that is not known."""
    short = name.removeprefix("std::").removeprefix("::")
    match given:
        case [value] if short in _SAME:
            return make.as_floats(value)
        case [value] if short == "__hneg":
            return make.negate(value)
        case [left, right] if short in _OPERATORS:
            return make.binary(at, _OPERATORS[short], make.as_floats(left), make.as_floats(right))
        case [Scalar() as left, Scalar() as right] if short in _EXTREMES:
            return _extreme_of_scalars(name, left, right)
    match [make.as_elements(value) for value in given]:
        case [x] if short in _ONE or short in _SEVERAL:
            return make.new(_ONE.get(short) or _SEVERAL[short], x)
        case [x] if short in _OF_ONE:
            return _OF_ONE[short](make, x)
        case [x, y] if short in ("pow", "powf", "__powf"):
            return _power(make, x, y, given[1])
        case [x, y] if name in ("std::max", "std::min"):  # the first, unless the second is beyond
            mode = "CMPMODE::LT" if short == "max" else "CMPMODE::GT"
            return make.select(make.new("Compare", x, y, mode, mask=True), y, x)
        case [x, y] if short in _OF_TWO:
            return _OF_TWO[short](make, x, y)
        case [x, y, z] if short in ("fma", "fmaf", "__fmaf_rn", "__hfma"):
            return make.new("Add", make.new("Mul", x, y), z)
    raise Untranslatable(f"`{name}`", at)


def several(instructions: Iterable[Instruction]) -> bool:
    """Whether some function is made of several instructions, which take memory of their own."""
    names = {*_SEVERAL.values(), "Power"}
    return any(instruction.name in names for instruction in instructions)


def _extreme_of_scalars(name: str, left: Scalar, right: Scalar) -> Scalar:
    a, b, sign = left.text, right.text, ">=" if "max" in name else "<="
    if common(left, right) == "int":
        return Scalar(f"({a} {sign} {b} ? {a} : {b})", "int")
    a, b = as_float(left), as_float(right)
    if name.startswith("std::"):
        return Scalar(f"({b} {'>' if 'max' in name else '<'} {a} ? {b} : {a})", "float")
    nan = "" if re.fullmatch(r"-?[0-9.]+f", b) else f" || {b} != {b}"
    return Scalar(f"({a} {sign} {b}{nan} ? {a} : {b})", "float")


def _power(make: Instructions, x: Vector, y: Vector, exponent: Value) -> Value:
    text = exponent.text if isinstance(exponent, Scalar) else ""
    if re.fullmatch(r"2(?:\.0*f)?", text):
        return make.new("Mul", x, x)
    if re.fullmatch(r"3(?:\.0*f)?", text):
        return make.new("Mul", make.new("Mul", x, x), x)
    return make.new("Power", x, y)


def _greater(make: Instructions, x: Vector, y: Vector) -> Value:
    return _extreme(make, "GE", x, y)


def _less(make: Instructions, x: Vector, y: Vector) -> Value:
    return _extreme(make, "LE", x, y)


def _extreme(make: Instructions, mode: str, x: Vector, y: Vector) -> Value:
    """fmax and fmin: of a number and NaN, the number."""
    beyond = make.new("Compare", x, y, f"CMPMODE::{mode}", mask=True)
    other = make.new("Compare", y, y, "CMPMODE::NE", mask=True)
    return make.select(make.new("Or", beyond, other, mask=True), x, y)


def _difference(make: Instructions, x: Vector, y: Vector) -> Value:
    less = make.compare("<=", x, y)
    return make.select(less, make.full("0.0f"), make.new("Sub", x, y))


def _reciprocal(make: Instructions, x: Vector) -> Value:
    return make.new("Div", make.full("1.0f"), x)


def _reciprocal_root(make: Instructions, x: Vector) -> Value:
    return make.new("Div", make.full("1.0f"), make.new("Sqrt", x))


def _not_a_number(make: Instructions, x: Vector) -> Value:
    return make.new("Compare", x, x, "CMPMODE::NE", mask=True)


def _finite(mode: str) -> Callable[[Instructions, Vector], Value]:
    def make_finite(make: Instructions, x: Vector) -> Value:
        return make.new(
            "CompareScalar", make.new("Abs", x), _INFINITE.text, f"CMPMODE::{mode}", mask=True
        )

    return make_finite


def _power_of(base: str) -> Callable[[Instructions, Vector], Value]:
    return lambda make, x: make.new("Power", make.full(base), x)


# Two functions that lose no digits near 0, from those that do: what 1 + x and exp(x) are
# rounded to comes into the logarithm and into the factor alike.


def _log_of_one_and(make: Instructions, x: Vector) -> Value:
    sum = make.new("Adds", x, "1.0f")
    factor = make.new("Div", x, make.new("Adds", sum, "-1.0f"))
    value = make.new("Mul", make.new("Ln", sum), factor)
    same = make.both("||", make.compare("==", sum, _SINGLE), make.compare("==", sum, _INFINITE))
    return make.select(same, x, value)


def _exp_less_one(make: Instructions, x: Vector) -> Value:
    power = make.new("Exp", x)
    less = make.new("Adds", power, "-1.0f")
    value = make.new("Mul", less, make.new("Div", x, make.new("Ln", power)))
    ends = make.both(
        "||",
        make.compare("==", less, Scalar("-1.0f", "float")),
        make.compare("==", power, _INFINITE),
    )
    value = make.new("Select", make.mask(ends), less, value)
    return make.select(make.compare("==", power, _SINGLE), x, value)


def _round_half_away(make: Instructions, x: Vector) -> Value:
    """Halves away from 0."""
    whole = make.new("Trunc", x)
    rest = make.new("Sub", x, whole)
    half = make.compare(">=", make.new("Abs", rest), Scalar("0.5f", "float"))
    positive = make.compare(">", rest, Scalar("0.0f", "float"))
    more, less = make.new("Adds", whole, "1.0f"), make.new("Adds", whole, "-1.0f")
    return make.select(half, make.select(positive, more, less), whole)


_OF_ONE: dict[str, Callable[[Instructions, Vector], Value]] = {
    **dict.fromkeys(("rsqrt", "rsqrtf", "__frsqrt_rn", "hrsqrt"), _reciprocal_root),
    **dict.fromkeys(("__frcp_rn", "hrcp"), _reciprocal),
    **dict.fromkeys(("exp2", "exp2f", "hexp2"), _power_of("2.0f")),
    **dict.fromkeys(("exp10", "exp10f", "hexp10"), _power_of("10.0f")),
    **dict.fromkeys(("log1p", "log1pf"), _log_of_one_and),
    **dict.fromkeys(("expm1", "expm1f"), _exp_less_one),
    **dict.fromkeys(("round", "roundf"), _round_half_away),
    **dict.fromkeys(("isnan", "__hisnan"), _not_a_number),
    "isinf": _finite("EQ"),
    "isfinite": _finite("LT"),
}
_OF_TWO: dict[str, Callable[[Instructions, Vector, Vector], Value]] = {
    **dict.fromkeys(("fdim", "fdimf"), _difference),
    **dict.fromkeys(("fdividef", "__fdividef"), lambda make, x, y: make.new("Div", x, y)),
    **dict.fromkeys(("fmax", "fmaxf", "__hmax", "max"), _greater),
    **dict.fromkeys(("fmin", "fminf", "__hmin", "min"), _less),
}
