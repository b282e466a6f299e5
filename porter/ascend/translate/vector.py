"""A thread's computation as instructions on whole tiles: one value of float32 an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from porter.ascend.translate.syntax import (
    FLOATING,
    HALVES,
    Alias,
    Array,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Do,
    Expression,
    If,
    Index,
    Name,
    Number,
    Return,
    Statement,
    Ternary,
    Unary,
    Untranslatable,
    is_integer,
    plain,
)

# One instruction each, of one operand; what CANN makes of several instructions uses memory of its
# own beside the kernel's buffers.
_ONE = {
    **dict.fromkeys(("exp", "expf", "__expf", "hexp"), "Exp"),
    **dict.fromkeys(("log", "logf", "__logf", "hlog"), "Ln"),
    **dict.fromkeys(("sqrt", "sqrtf", "__fsqrt_rn", "hsqrt"), "Sqrt"),
    **dict.fromkeys(("fabs", "fabsf", "abs", "__habs"), "Abs"),
}
_SEVERAL = {
    **dict.fromkeys(("tanh", "tanhf"), "Tanh"),
    **dict.fromkeys(("sin", "sinf", "__sinf"), "Sin"),
    **dict.fromkeys(("cos", "cosf", "__cosf"), "Cos"),
    **dict.fromkeys(("tan", "tanf"), "Tan"),
    **dict.fromkeys(("asin", "asinf"), "Asin"),
    **dict.fromkeys(("acos", "acosf"), "Acos"),
    **dict.fromkeys(("atan", "atanf"), "Atan"),
    **dict.fromkeys(("sinh", "sinhf"), "Sinh"),
    **dict.fromkeys(("cosh", "coshf"), "Cosh"),
    **dict.fromkeys(("asinh", "asinhf"), "Asinh"),
    **dict.fromkeys(("acosh", "acoshf"), "Acosh"),
    **dict.fromkeys(("atanh", "atanhf"), "Atanh"),
    **dict.fromkeys(("erf", "erff"), "Erf"),
    **dict.fromkeys(("erfc", "erfcf"), "Erfc"),
    **dict.fromkeys(("log2", "log2f"), "Log2"),
    **dict.fromkeys(("log10", "log10f"), "Log10"),
    **dict.fromkeys(("floor", "floorf"), "Floor"),
    **dict.fromkeys(("ceil", "ceilf"), "Ceil"),
    **dict.fromkeys(("trunc", "truncf"), "Trunc"),
    **dict.fromkeys(("rint", "rintf", "nearbyint", "nearbyintf"), "Round"),  # ties to even
}
_SAME = frozenset(
    (
        *("__half2float", "__float2half", "__float2half_rn", "__bfloat162float"),
        *("__float2bfloat16", "__float2bfloat16_rn", "__ldg"),
    )
)
_EXTREMES = frozenset(("max", "min", "fmax", "fmin", "fmaxf", "fminf"))
_MODES = {"<": "LT", ">": "GT", "<=": "LE", ">=": "GE", "==": "EQ", "!=": "NE"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_ARITHMETIC = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div"}
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
    "numeric_limits<float>::max": "FLT_MAX",
    "numeric_limits<float>::epsilon": "FLT_EPSILON",
    "numeric_limits<float>::min": "FLT_MIN",
}
_DOUBLE = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
_HALF = {"__hadd": "+", "__hsub": "-", "__hmul": "*", "__hdiv": "/", "__hgt": ">", "__hlt": "<"}
_HALF |= {"__hge": ">=", "__hle": "<=", "__heq": "==", "__hne": "!="}
_HALF |= {"__fadd_rn": "+", "__fsub_rn": "-", "__fmul_rn": "*", "__fdiv_rn": "/"}
_DEPTH = 16  # of device functions that call others


@dataclass(frozen=True, slots=True)
class Vector:
    """A value of each element: `float`, or `mask`, a bit."""

    number: int
    mask: bool = False


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value that all elements share, as C++: `float`, `int` or `bool`."""

    text: str
    type: str


Value = Vector | Scalar


_SINGLE, _INFINITE = Scalar("1.0f", "float"), Scalar("(1.0f / 0.0f)", "float")


@dataclass(frozen=True, slots=True)
class Instruction:
    """`name(to, from...)`; what is no vector among `given` is a text."""

    name: str
    to: Vector
    given: tuple[Vector | str, ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A parameter that points to elements, or the part of one that a row is."""

    name: str
    type: str  # of the elements, in Ascend C
    restrict: bool
    constant: bool
    base: str = ""  # the parameter, where `name` is that of a part
    offset: str = ""  # of the part


@dataclass(frozen=True, slots=True)
class Helper:
    """A function for the device, of scalars."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # type and name
    body: tuple[Statement, ...]
    returns: str
    floats: frozenset[str]  # parameters of its template
    defaults: tuple[Expression | None, ...] = ()


@dataclass(slots=True)
class State:
    """What the names and the elements of the pointers are at a point of the body."""

    names: dict[str, Value] = field(default_factory=dict)
    stores: dict[str, Value] = field(default_factory=dict)
    guards: dict[str, str] = field(default_factory=dict)  # of stores: where they are made at all

    def copy(self) -> State:
        return State(dict(self.names), dict(self.stores), dict(self.guards))


@dataclass(slots=True)
class Body:
    """Makes the instructions of a body. Raises Untranslatable for what it cannot."""

    pointers: dict[str, Pointer]
    index: str  # the name of the element's number
    floats: frozenset[str]  # types that are computed in float: parameters of the template
    constants: Mapping[str, str]  # of the file, and their types
    helper: Callable[[str, int], Helper | None]
    place: Callable[[Index, bool], Pointer | Scalar] | None = None  # of other than [index]
    number: Callable[[str, Expression], bool] | None = None  # keeps a variable that is a place
    state: State = field(default_factory=State)
    types: dict[str, str] = field(default_factory=dict)  # of local variables
    instructions: list[Instruction] = field(default_factory=list)
    loads: dict[str, Vector] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)  # conditions for all elements, around here
    guarded: dict[str, str] = field(default_factory=dict)  # pointers that are read under one
    stored: set[str] = field(default_factory=set)
    apart: set[tuple[str, str]] = field(default_factory=set)  # pointers to other memory
    kept: set[str] = field(default_factory=set)  # pointers whose elements some branch leaves
    count: int = 0
    depth: int = 0

    # -------------------------------------------------------------- statements

    def run(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            match statement:
                case Declare(at, type, name, value):
                    self._declare(at, type, name, value)
                case Alias(at, name, type):
                    self._alias(at, name, type)
                case Assign():
                    self._assign(statement)
                case If():
                    self._if(statement)
                case Return(at):
                    raise Untranslatable("a `return` in the middle", at)
                case Array() | Block() | Do():
                    raise unknown(statement)
                case _:
                    raise Untranslatable(
                        "a loop over something else than the elements", statement.at
                    )

    def _alias(self, at: int, name: str, type: str) -> None:
        own = plain(type) in self.floats or plain(type) in FLOATING or plain(type) in HALVES
        if not own and not any(word in type for word in ("opmath_type", "acc_type")):
            raise Untranslatable(f"the type `{name}`", at)
        self.floats |= {name}

    def keep(self, at: int) -> None:
        """Where a pointer is written in some branches only, beside another one that is written,
        what it keeps would undo that, if they were the same memory."""
        for name in self.kept:
            for other in self.stored - {name}:
                self._not_the_same(self.pointers[name], self.pointers[other], at)

    def _not_the_same(self, one: Pointer, other: Pointer, at: int) -> None:
        """What comes of them is right where they are not the same memory: its launch asks."""
        if one.restrict or other.restrict:
            return
        names = sorted((one.base or one.name, other.base or other.name))
        if names[0] == names[1]:
            raise Untranslatable(
                f"`{names[0]}` is read after another place of it is written, which may be the same",
                at,
            )
        self.apart.add((names[0], names[1]))

    def _declare(self, at: int, type: str, name: str, value: Expression | None) -> None:
        if name in self.types or name in self.state.names:
            raise Untranslatable(f"a second `{name}`, which hides the first", at)
        if value is not None and self.number is not None and self.number(name, value):
            return
        self.types[name] = plain(type)
        if value is None:
            self.state.names.pop(name, None)
            return
        self.state.names[name] = self._as(plain(type), self.value(value), at)

    def _assign(self, statement: Assign) -> None:
        at, operator = statement.at, statement.operator
        value = self.value(statement.value)
        if operator != "=":
            old = self.value(statement.target)
            value = self._binary(at, operator[:-1], old, value)
        if isinstance(statement.target, Index):
            pointer = self._element(statement.target, written=True)
            if isinstance(pointer, Scalar):
                raise Untranslatable(f"`{statement.target.name}` is written by all threads", at)
            if pointer.constant:
                raise Untranslatable(f"`{pointer.name}` is const", at)
            self.stored.add(pointer.name)
            self.state.stores.pop(pointer.name, None)  # in the order of the last writes
            self.state.stores[pointer.name] = value
            self.state.guards.pop(pointer.name, None)
            return
        if not isinstance(statement.target, Name):
            raise Untranslatable("an assignment to something else than a name", at)
        name = statement.target.text
        if name not in self.types:
            raise Untranslatable(f"an assignment to `{name}`", at)
        self.state.names[name] = self._as(self.types[name], value, at)

    def _if(self, statement: If) -> None:
        condition = self._condition(statement.condition)
        before, types = self.state.copy(), dict(self.types)
        with self._under(condition):
            self.run(statement.then)
        then = self.state
        self.state, self.types = before.copy(), dict(types)
        with self._under(condition, negated=True):
            self.run(statement.otherwise)
        otherwise = self.state
        self.types = types
        self.state = State()
        for name in {**before.names, **types}:
            a, b = then.names.get(name), otherwise.names.get(name)
            if a is not None and b is not None:
                self.state.names[name] = a if a == b else self._select(condition, a, b)
        for name in {**then.stores, **otherwise.stores}:
            sides = [side for side in (then, otherwise) if name in side.stores]
            if isinstance(condition, Scalar) and len(sides) == 1:
                own = condition.text if sides[0] is then else f"!{condition.text}"
                inner = sides[0].guards.get(name)
                self.state.stores[name] = sides[0].stores[name]
                self.state.guards[name] = f"{own} && {inner}" if inner else own
                continue
            if any(name in side.guards for side in sides):
                if all(side.guards.get(name) == before.guards.get(name) for side in sides) and all(
                    side.stores[name] == before.stores[name] for side in sides
                ):
                    self.state.stores[name] = before.stores[name]
                    self.state.guards[name] = before.guards[name]
                    continue
                raise Untranslatable("a place that is written in some cases", statement.at)
            if name not in then.stores or name not in otherwise.stores:
                self.kept.add(name)
            a = then.stores.get(name) or self._loaded(name)
            b = otherwise.stores.get(name) or self._loaded(name)
            self.state.stores[name] = a if a == b else self._select(condition, a, b)

    def _condition(self, expression: Expression) -> Value:
        bare = expression
        if isinstance(bare, Name) and bare.text in self.pointers:
            return Scalar(f"({bare.text} != nullptr)", "bool")
        return self._truth(self.value(expression), expression.at)

    @contextmanager
    def _under(self, condition: Value, negated: bool = False) -> Iterator[None]:
        """What is read here is only read where the condition is so."""
        if isinstance(condition, Vector):
            yield
            return
        self.guards.append(f"!{condition.text}" if negated else condition.text)
        yield
        self.guards.pop()

    def _as(self, type: str, value: Value, at: int) -> Value:
        """A value as one of a type."""
        if type == "auto" or (type == "bool" and _is_truth(value)):
            return value
        if type == "bool":
            return self._truth(value, at)
        if type in self.floats or type in FLOATING or type in HALVES:
            return self._float(value)
        if is_integer(type):
            if isinstance(value, Vector):
                raise Untranslatable("a conversion of elements to integers", at)
            return Scalar(f"static_cast<{type}>({value.text})", "int")
        raise Untranslatable(f"a value of the type `{type}`", at)

    # -------------------------------------------------------------- expressions

    def value(self, expression: Expression) -> Value:
        match expression:
            case Number(_, text):
                return _number(text)
            case Name(at, text):
                return self._name(at, text)
            case Index():
                return self._read(expression)
            case Unary(at, operator, inner):
                return self._unary(at, operator, inner)
            case Binary(_, ("==" | "!=") as operator, Name(_, name), Name(_, none)) if (
                none in ("nullptr", "NULL") and name in self.pointers
            ):
                return Scalar(f"({name} {operator} nullptr)", "bool")
            case Binary(at, "&&", left, right):
                first = self._condition(left)
                with self._under(first):
                    second = self._condition(right)
                return self._both("&&", first, second)
            case Binary(at, operator, left, right):
                return self._binary(at, operator, self.value(left), self.value(right))
            case Ternary(at, condition, then, otherwise):
                chosen = self._condition(condition)
                with self._under(chosen):
                    first = self.value(then)
                with self._under(chosen, negated=True):
                    second = self.value(otherwise)
                return self._select(chosen, first, second)
            case Cast(at, type, inner):
                return self._as(type, self.value(inner), at)
            case Call(at, name, arguments):
                return self._call(at, name, arguments)
        raise Untranslatable("an expression", expression.at)

    def _name(self, at: int, name: str) -> Value:
        if name in self.state.names:
            return self.state.names[name]
        if name in self.types:
            raise Untranslatable(f"`{name}` has no value yet", at)
        if name == self.index:
            raise Untranslatable("the number of an element as a value", at)
        if name in self.pointers:
            raise Untranslatable(f"the pointer `{name}` itself", at)
        if name in ("true", "false"):
            return Scalar(name, "bool")
        if name in _CONSTANTS:
            return Scalar(_CONSTANTS[name], "float")
        if name in self.constants:
            type = self.constants[name]
            text = f"static_cast<float>({name})" if type == "double" else name
            return Scalar(text, _kind(type))
        where = " in another place than the number of an element" if "." in name else ""
        raise Untranslatable(f"`{name}`{where}", at)

    def _element(self, expression: Index, written: bool = False) -> Pointer | Scalar:
        if self.place is not None:
            found = self.place(expression, written)
            if isinstance(found, Pointer):
                self.pointers[found.name] = found
            return found
        if expression.name not in self.pointers:
            raise Untranslatable(f"`{expression.name}[...]`", expression.at)
        index = expression.index
        while isinstance(index, Cast):
            index = index.value
        if not (isinstance(index, Name) and index.text == self.index):
            raise Untranslatable(
                f"`{expression.name}` is read or written elsewhere than at [{self.index}]",
                expression.at,
            )
        return self.pointers[expression.name]

    def _read(self, expression: Index) -> Value:
        pointer = self._element(expression)
        if isinstance(pointer, Scalar):
            return pointer
        if pointer.name in self.state.guards:
            raise Untranslatable(
                f"`{expression.name}` is read after it is written in some cases", expression.at
            )
        for name in self.state.stores:
            if name != pointer.name:
                self._not_the_same(self.pointers[name], pointer, expression.at)
        return self.state.stores.get(pointer.name) or self._loaded(pointer.name)

    def _loaded(self, name: str) -> Vector:
        guard = " && ".join(self.guards)
        if name not in self.loads:
            self.count += 1
            self.loads[name] = Vector(self.count)
            self.guarded[name] = guard
        elif guard != self.guarded[name]:
            both = f"({self.guarded[name]}) || ({guard})" if guard and self.guarded[name] else ""
            self.guarded[name] = both
        return self.loads[name]

    def _unary(self, at: int, operator: str, inner: Expression) -> Value:
        if operator == "&" and isinstance(inner, Index):
            raise Untranslatable("an address", at)
        value = self.value(inner)
        if operator == "!":
            truth = self._truth(value, at)
            return self._not(truth)
        if operator == "+":
            return value
        if operator != "-":
            raise Untranslatable(f"`{operator}`", at)
        if isinstance(value, Scalar):
            return Scalar(f"(-{value.text})", "int" if value.type == "bool" else value.type)
        return self._new("Muls", self.as_elements(value), "-1.0f")

    def _binary(self, at: int, operator: str, left: Value, right: Value) -> Value:
        if operator in ("&&", "||"):
            return self._both(operator, self._truth(left, at), self._truth(right, at))
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return _of_scalars(operator, left, right)
        if operator in _MODES:
            return self._compared(operator, left, right)
        if operator not in _ARITHMETIC:
            raise Untranslatable(f"`{operator}` of elements", at)
        if isinstance(right, Scalar) and operator != "/":
            return self._with_scalar(operator, self.as_elements(left), right)
        if isinstance(left, Scalar) and operator != "/":
            vector = self.as_elements(right)
            if operator == "-":  # s - x is (-x) + s
                return self._new("Adds", self._new("Muls", vector, "-1.0f"), _float(left))
            return self._with_scalar(operator, vector, left)
        return self._new(_ARITHMETIC[operator], self.as_elements(left), self.as_elements(right))

    def _with_scalar(self, operator: str, left: Vector, right: Scalar) -> Vector:
        text = _float(right)
        if operator == "-":
            return self._new("Adds", left, f"-{text}")
        return self._new("Adds" if operator == "+" else "Muls", left, text)

    def _compared(self, operator: str, left: Value, right: Value) -> Vector:
        if isinstance(left, Scalar):
            left, right, operator = right, left, _FLIPPED[operator]
        mode = f"CMPMODE::{_MODES[operator]}"
        if isinstance(right, Scalar):
            return self._new(
                "CompareScalar", self.as_elements(left), _float(right), mode, mask=True
            )
        return self._new(
            "Compare", self.as_elements(left), self.as_elements(right), mode, mask=True
        )

    def _both(self, operator: str, left: Value, right: Value) -> Value:
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return Scalar(f"({left.text} {operator} {right.text})", "bool")
        name = "And" if operator == "&&" else "Or"
        return self._new(name, self._mask(left), self._mask(right), mask=True)

    def _not(self, value: Value) -> Value:
        if isinstance(value, Scalar):
            return Scalar(f"(!{value.text})", "bool")
        return self._new("Not", value, mask=True)

    def _call(self, at: int, name: str, arguments: Sequence[Expression]) -> Value:
        short = name.removeprefix("std::").removeprefix("::")
        if short in ("__ldg",) and len(arguments) == 1 and isinstance(arguments[0], Unary):
            inner = arguments[0].value
            if arguments[0].operator == "&" and isinstance(inner, Index):
                return self._read(inner)
        helper = self.helper(short, at)
        if helper is not None:
            return self._inlined(helper, at, arguments)
        limit = _LIMITS.get(short)
        if limit or re.fullmatch(r"numeric_limits<\w+>::infinity", short):
            return Scalar(_CONSTANTS[limit or "INFINITY"], "float")
        if short == "numeric_limits<float>::lowest":
            return Scalar(f"(-{_CONSTANTS['FLT_MAX']})", "float")
        given = [self.value(argument) for argument in arguments]
        if short in _SAME and len(given) == 1:
            return self._float(given[0])
        if short in _HALF and len(given) == 2:
            return self._binary(at, _HALF[short], *(self._float(value) for value in given))
        if short == "__hneg" and len(given) == 1:
            return self._unary(at, "-", arguments[0])
        if short in _EXTREMES and len(given) == 2 and all(isinstance(v, Scalar) for v in given):
            return _extreme_of_scalars(name, *(v for v in given if isinstance(v, Scalar)))
        operands = [self.as_elements(value) for value in given]
        match short, operands:
            case _, [x] if short in _ONE or short in _SEVERAL:
                return self._new(_ONE.get(short) or _SEVERAL[short], x)
            case (("rsqrt" | "rsqrtf" | "__frsqrt_rn" | "hrsqrt"), [x]):
                return self._new("Div", self._full("1.0f"), self._new("Sqrt", x))
            case (("pow" | "powf" | "__powf"), [x, y]) if _whole(given[1]) == 2:
                return self._new("Mul", x, x)
            case (("pow" | "powf" | "__powf"), [x, y]) if _whole(given[1]) == 3:
                return self._new("Mul", self._new("Mul", x, x), x)
            case (("pow" | "powf" | "__powf"), [x, y]):
                return self._new("Power", x, y)
            case (("exp2" | "exp2f" | "hexp2"), [x]):
                return self._new("Power", self._full("2.0f"), x)
            case (("exp10" | "exp10f" | "hexp10"), [x]):
                return self._new("Power", self._full("10.0f"), x)
            case (("log1p" | "log1pf"), [x]):
                return self._log_of_one_and(x)
            case (("expm1" | "expm1f"), [x]):
                return self._exp_less_one(x)
            case (("round" | "roundf"), [x]):
                return self._rounded(x)
            case (("fdim" | "fdimf"), [x, y]):
                less = self._compared("<=", x, y)
                return self._select(less, self._full("0.0f"), self._new("Sub", x, y))
            case (("fma" | "fmaf" | "__fmaf_rn" | "__hfma"), [x, y, z]):
                return self._new("Add", self._new("Mul", x, y), z)
            case (("fdividef" | "__fdividef"), [x, y]):
                return self._new("Div", x, y)
            case (("__frcp_rn" | "hrcp"), [x]):
                return self._new("Div", self._full("1.0f"), x)
            case (("fmax" | "fmaxf" | "__hmax"), [x, y]):
                return self._extreme("GE", x, y)
            case (("fmin" | "fminf" | "__hmin"), [x, y]):
                return self._extreme("LE", x, y)
            case (("max" | "min"), [x, y]):
                if name.startswith("std::"):  # the first unless the second is beyond it
                    mode = "CMPMODE::LT" if short == "max" else "CMPMODE::GT"
                    beyond = self._new("Compare", x, y, mode, mask=True)
                    return self._select(beyond, y, x)
                return self._extreme("GE" if short == "max" else "LE", x, y)
            case (("isnan" | "__hisnan"), [x]):
                return self._new("Compare", x, x, "CMPMODE::NE", mask=True)
            case "isinf", [x]:
                size = self._new("Abs", x)
                return self._new("CompareScalar", size, "(1.0f / 0.0f)", "CMPMODE::EQ", mask=True)
            case "isfinite", [x]:
                size = self._new("Abs", x)
                return self._new("CompareScalar", size, "(1.0f / 0.0f)", "CMPMODE::LT", mask=True)
        raise Untranslatable(f"`{name}`", at)

    def _extreme(self, mode: str, x: Vector, y: Vector) -> Value:
        """fmax and fmin: of a number and NaN, the number."""
        beyond = self._new("Compare", x, y, f"CMPMODE::{mode}", mask=True)
        other = self._new("Compare", y, y, "CMPMODE::NE", mask=True)
        return self._select(self._new("Or", beyond, other, mask=True), x, y)

    # Two functions that lose no digits near 0, from those that do: what 1 + x and exp(x) are
    # rounded to comes into the logarithm and into the factor alike.

    def _log_of_one_and(self, x: Vector) -> Value:
        sum = self._new("Adds", x, "1.0f")
        factor = self._new("Div", x, self._new("Adds", sum, "-1.0f"))
        value = self._new("Mul", self._new("Ln", sum), factor)
        same = self._both(
            "||", self._compared("==", sum, _SINGLE), self._compared("==", sum, _INFINITE)
        )
        return self._select(same, x, value)

    def _exp_less_one(self, x: Vector) -> Value:
        power = self._new("Exp", x)
        less = self._new("Adds", power, "-1.0f")
        value = self._new("Mul", less, self._new("Div", x, self._new("Ln", power)))
        ends = self._both(
            "||",
            self._compared("==", less, Scalar("-1.0f", "float")),
            self._compared("==", power, _INFINITE),
        )
        value = self._new("Select", self._mask(ends), less, value)
        return self._select(self._compared("==", power, _SINGLE), x, value)

    def _rounded(self, x: Vector) -> Value:
        """Halves away from 0."""
        whole = self._new("Trunc", x)
        rest = self._new("Sub", x, whole)
        half = self._compared(">=", self._new("Abs", rest), Scalar("0.5f", "float"))
        positive = self._compared(">", rest, Scalar("0.0f", "float"))
        more, less = self._new("Adds", whole, "1.0f"), self._new("Adds", whole, "-1.0f")
        return self._select(half, self._select(positive, more, less), whole)

    def _inlined(self, helper: Helper, at: int, arguments: Sequence[Expression]) -> Value:
        left = helper.defaults[len(arguments) :]
        arguments = (*arguments, *(value for value in left if value is not None))
        if len(arguments) != len(helper.parameters):
            raise Untranslatable(f"`{helper.name}` with other arguments", at)
        if self.depth == _DEPTH:
            raise Untranslatable(f"`{helper.name}` calls itself", at)
        given = [self.value(argument) for argument in arguments]
        state, types, floats = self.state, self.types, self.floats
        self.state, self.floats = State(stores=state.stores), floats | helper.floats
        self.types = {name: plain(type) for type, name in helper.parameters}
        self.depth += 1
        for (type, name), value in zip(helper.parameters, given, strict=True):
            self.state.names[name] = self._as(plain(type), value, at)
        result = self._returned(helper.body, helper, at)
        result = self._as(plain(helper.returns), result, at)
        self.depth -= 1
        self.state, self.types, self.floats = state, types, floats
        return result

    def _returned(self, body: Sequence[Statement], helper: Helper, at: int) -> Value:
        for number, statement in enumerate(body):
            match statement:
                case Return(_, value) if value is not None:
                    return self.value(value)
                case If(_, condition, then, otherwise) if _returns(then):
                    chosen = self._truth(self.value(condition), at)
                    before, types = self.state.copy(), dict(self.types)
                    a = self._returned(then, helper, at)
                    self.state, self.types = before, types
                    b = self._returned((*otherwise, *body[number + 1 :]), helper, at)
                    return self._select(chosen, a, b)
                case _:
                    self.run([statement])
        raise Untranslatable(f"`{helper.name}` returns nothing at its end", at)

    # -------------------------------------------------------------- making values

    def _new(self, name: str, *given: Vector | str, mask: bool = False) -> Vector:
        self.count += 1
        made = Vector(self.count, mask)
        self.instructions.append(Instruction(name, made, given))
        return made

    def _full(self, text: str) -> Vector:
        return self._new("Duplicate", text)

    def as_elements(self, value: Value) -> Vector:
        """A value as floats, one an element."""
        if isinstance(value, Scalar):
            return self._full(_float(value))
        if value.mask:
            return self._new("Select", value, self._full("1.0f"), self._full("0.0f"))
        return value

    def _float(self, value: Value) -> Value:
        if isinstance(value, Scalar):
            return Scalar(_float(value), "float")
        return self.as_elements(value)

    def _truth(self, value: Value, at: int) -> Value:
        if isinstance(value, Scalar):
            return value if value.type == "bool" else Scalar(f"({value.text} != 0)", "bool")
        if value.mask:
            return value
        return self._new("CompareScalar", value, "0.0f", "CMPMODE::NE", mask=True)

    def _mask(self, value: Value) -> Vector:
        if isinstance(value, Vector):
            return value
        chosen = self._full(f"({value.text} ? 1.0f : 0.0f)")
        return self._new("CompareScalar", chosen, "0.0f", "CMPMODE::NE", mask=True)

    def _select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        if isinstance(condition, Scalar):
            if isinstance(then, Scalar) and isinstance(otherwise, Scalar):
                type = _common(then, otherwise)
                text = f"({condition.text} ? {then.text} : {otherwise.text})"
                return Scalar(text, type)
            condition = self._mask(condition)
        if _is_truth(then) and _is_truth(otherwise):
            first = self._new("And", condition, self._mask(then), mask=True)
            unset = self._new("Not", condition, mask=True)
            second = self._new("And", unset, self._mask(otherwise), mask=True)
            return self._new("Or", first, second, mask=True)
        return self._new("Select", condition, self.as_elements(then), self.as_elements(otherwise))


def unknown(statement: Statement) -> Untranslatable:
    """What is said of a statement that elementwise bodies do not have."""
    match statement:
        case Array(at, _, name, _, shared):
            return Untranslatable(
                "memory that threads share" if shared else f"the array `{name}`", at
            )
        case Do(at, call):
            return Untranslatable(f"`{call.name}`", at)
    return Untranslatable("a block of its own", statement.at)


def several(instructions: Iterable[Instruction]) -> bool:
    """Whether some function is made of several instructions, which take memory of their own."""
    names = {*_SEVERAL.values(), "Power"}
    return any(instruction.name in names for instruction in instructions)


def _returns(body: Sequence[Statement]) -> bool:
    return bool(body) and (
        isinstance(body[-1], Return)
        or (isinstance(body[-1], If) and _returns(body[-1].then) and _returns(body[-1].otherwise))
    )


def _whole(value: Value) -> int:
    """The number that a scalar is written as, if it is a small whole one; else 0."""
    found = isinstance(value, Scalar) and re.fullmatch(r"([23])(?:\.0*f)?", value.text)
    return int(found[1]) if found else 0


def _is_truth(value: Value) -> bool:
    return value.mask if isinstance(value, Vector) else value.type == "bool"


def _extreme_of_scalars(name: str, left: Scalar, right: Scalar) -> Scalar:
    a, b, sign = left.text, right.text, ">=" if "max" in name else "<="
    if _common(left, right) == "int":
        return Scalar(f"({a} {sign} {b} ? {a} : {b})", "int")
    a, b = _float(left), _float(right)
    if name.startswith("std::"):
        return Scalar(f"({b} {'>' if 'max' in name else '<'} {a} ? {b} : {a})", "float")
    nan = "" if re.fullmatch(r"-?[0-9.]+f", b) else f" || {b} != {b}"
    return Scalar(f"({a} {sign} {b}{nan} ? {a} : {b})", "float")


def _kind(type: str) -> str:
    if plain(type) == "bool":
        return "bool"
    return "int" if is_integer(type) else "float"


def _common(a: Scalar, b: Scalar) -> str:
    kinds = {a.type, b.type}
    return "float" if "float" in kinds else "int" if "int" in kinds else "bool"


def _of_scalars(operator: str, left: Scalar, right: Scalar) -> Scalar:
    type = "bool" if operator in _MODES else _common(left, right)
    return Scalar(
        f"({left.text} {operator} {right.text})",
        "int" if type == "bool" and operator not in _MODES else type,
    )


def _number(text: str) -> Scalar:
    if _DOUBLE.fullmatch(text.rstrip("fFlL")) and not text.lower().startswith("0x"):
        digits = text.rstrip("fFlL")
        digits += "0" if digits.endswith(".") else ""
        return Scalar(f"{digits}f", "float")
    return Scalar(text, "int")


def _float(value: Scalar) -> str:
    return value.text if value.type == "float" else f"static_cast<float>({value.text})"
