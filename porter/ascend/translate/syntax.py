"""A kernel's body as a tree: the part of C++ that such kernels are written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from porter.languages.cpp import Code, Kind, Token

if TYPE_CHECKING:
    from porter.ascend.translate.accessors import Accessors


class Untranslatable(Exception):
    """Why something is not translated, and at which token."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Expression:
    at: int  # the index of its first token


@dataclass(frozen=True, slots=True)
class Number(Expression):
    text: str


@dataclass(frozen=True, slots=True)
class Name(Expression):
    text: str  # `a::b`, or `blockIdx.x`


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Ternary(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    name: str
    arguments: tuple[Expression, ...]
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Index(Expression):
    name: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Member(Expression):
    """`v.x` of a vector."""

    value: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Element(Expression):
    """An element of something else than a name: `reinterpret_cast<float4 *>(x)[i]`."""

    pointer: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Cast(Expression):
    type: str
    value: Expression


# ------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Statement:
    at: int


@dataclass(frozen=True, slots=True)
class Declare(Statement):
    type: str
    name: str
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Alias(Statement):
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    target: Expression  # a Name or an Index
    operator: str  # "=", "+=", ...
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class For(Statement):
    start: tuple[Statement, ...]
    condition: Expression
    step: Statement
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Macro(Statement):
    """`NAME(a, b) { ... }`: a loop behind a macro."""

    name: str
    arguments: tuple[Expression, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Return(Statement):
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Array(Statement):
    """`T name[4];`; one that is shared may be a single variable, which has no sizes."""

    type: str
    name: str
    sizes: tuple[Expression | None, ...]
    shared: bool


@dataclass(frozen=True, slots=True)
class Block(Statement):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """A call whose value, if any, is not used."""

    call: Call


FLOATING = frozenset(("float", "double"))
HALVES = {
    **dict.fromkeys(("half", "__half", "at::Half", "c10::Half", "torch::Half"), "half"),
    **dict.fromkeys(("__nv_bfloat16", "nv_bfloat16", "bfloat16_t"), "bfloat16_t"),
    **dict.fromkeys(("at::BFloat16", "c10::BFloat16", "torch::BFloat16"), "bfloat16_t"),
}
# What each part of a vector is, and how many it has.
WIDE = {"float4": ("float", 4), "float2": ("float", 2)}
WIDE |= dict.fromkeys(("half2", "__half2"), ("half", 2))
WIDE |= dict.fromkeys(("__nv_bfloat162", "nv_bfloat162"), ("__nv_bfloat16", 2))
INTEGERS = frozenset(
    (
        *("int", "unsigned", "long", "short", "char", "size_t", "int8_t", "uint8_t", "int16_t"),
        *("uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "ptrdiff_t", "signed"),
    )
)
_PREFIXES = ("std::", "::")
_WORDS = frozenset(("const", "constexpr", "static", "volatile", "register", "typename"))
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ">>=", "<<="))
_TOGETHER = {(">", ">"): ">>", (">", ">="): ">>=", ("<<", "="): "<<="}
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_CONTROL = frozenset(("do", "switch", "goto", "break", "continue", "asm", "try"))


def plain(type: str) -> str:
    """A type without `const`, `&`, `std::` and spaces that do not matter."""
    words = [word for word in type.replace("&", " ").split() if word not in _WORDS]
    text = " ".join(words)
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return text


def is_integer(type: str) -> bool:
    words = plain(type).split()
    return bool(words) and all(word in INTEGERS for word in words)


class Parser:
    """Reads statements of one function; `types` are the names that are types there."""

    def __init__(self, code: Code, types: Iterable[str], accessed: Accessors | None = None) -> None:
        self.code = code
        self.types = set(types) | FLOATING | INTEGERS | set(HALVES) | set(WIDE) | {"bool", "auto"}
        self.accessed = accessed
        self.raw: set[str] = set()  # shared memory in bytes, which is something else in truth
        self.at = 0

    @property
    def token(self) -> Token:
        if self.at >= len(self.code.tokens):
            raise Untranslatable("the brackets do not balance", len(self.code.tokens) - 1)
        return self.code.tokens[self.at]

    @property
    def text(self) -> str:
        return self.token.text

    @property
    def operator(self) -> str:
        """The operator that begins here, also one of two tokens."""
        first, second = self.code.tokens[self.at : self.at + 2]
        both = _TOGETHER.get((first.text, second.text), "")
        return both if both and first.end == second.start else first.text

    def _pass(self, operator: str) -> None:
        self.at += 1 if operator == self.text else 2

    def ahead(self, distance: int = 1) -> str:
        place = self.at + distance
        return self.code.tokens[place].text if place < len(self.code.tokens) else ""

    def take(self, text: str) -> None:
        if self.text != text:
            raise Untranslatable(f"{self.text!r} where {text!r} is expected", self.at)
        self.at += 1

    def body(self, opening: int) -> tuple[Statement, ...]:
        """The statements in the braces that open here."""
        closing = self.code.pairs.get(opening)
        if closing is None:
            raise Untranslatable("the brackets do not balance", opening)
        self.at = opening + 1
        out: list[Statement] = []
        while self.at < closing:
            out += self.statement()
        self.at = closing + 1
        return tuple(out)

    def _block(self) -> tuple[Statement, ...]:
        return self.body(self.at) if self.text == "{" else tuple(self.statement())

    def statement(self) -> list[Statement]:
        at, text = self.at, self.text
        if text == ";":
            self.at += 1
            return []
        if text == "{":
            return [Block(at, self.body(at))]
        if text in ("__shared__", "extern") or self.ahead() == "__shared__":
            return self._shared()
        if text == "while":
            return [self._while()]
        if text in _CONTROL:
            raise Untranslatable(f"`{text}`", at)
        if text == "if":
            return [self._if()]
        if text == "for":
            return [self._for()]
        if text == "return":
            self.at += 1
            value = None if self.text == ";" else self.expression()
            self.take(";")
            return [Return(at, value)]
        if text == "using":
            return [self._alias()]
        closing = self.code.pairs.get(at + 1, -1)
        if self.ahead() == "(" and closing > 0 and self.code.tokens[closing + 1].text == "{":
            self.at += 1
            given = self._arguments()
            return [Macro(at, text, given, self._block())]
        if self._is_declaration():
            out = self._declaration()
            self.take(";")
            return out
        out = [self._simple()]
        self.take(";")
        return out

    def _shared(self) -> list[Statement]:
        words = ("__shared__", "extern", "static", "volatile", "__align__", "alignas")
        while self.text in words:
            self.at += 1
            if self.text == "(":
                self.at = self.code.pairs.get(self.at, self.at) + 1
        if self._type_end(self.at) is None:
            raise Untranslatable(f"shared memory of the type `{self.text}`", self.at)
        out: list[Statement] = []
        for made in self._declaration():
            match made:
                case Declare(at, type, name, None):
                    out.append(Array(at, type, name, (), True))
                case Array(at, type, name, sizes):
                    if sizes == (None,) and plain(type) in ("char", "unsigned char", "uint8_t"):
                        self.raw.add(name)
                    out.append(Array(at, type, name, sizes, True))
                case _:
                    raise Untranslatable("shared memory with a value", made.at)
        self.take(";")
        return out

    def _if(self) -> If:
        at = self.at
        self.at += 1
        if self.text == "constexpr":
            raise Untranslatable("`if constexpr`", self.at)
        self.take("(")
        condition = self.expression()
        self.take(")")
        then = self._block()
        otherwise: tuple[Statement, ...] = ()
        if self.text == "else":
            self.at += 1
            otherwise = self._block()
        return If(at, condition, then, otherwise)

    def _for(self) -> For:
        at = self.at
        self.at += 1
        self.take("(")
        start: list[Statement] = []
        if self.text != ";":
            start = self._declaration() if self._is_declaration() else [self._simple()]
        self.take(";")
        condition = self.expression()
        self.take(";")
        step = self._simple()
        self.take(")")
        return For(at, tuple(start), condition, step, self._block())

    def _while(self) -> For:
        """`while (i < n) { ...; i += step; }`, which `for` says in other words."""
        at = self.at
        self.at += 1
        self.take("(")
        condition = self.expression()
        self.take(")")
        body = self._block()
        if not body or not isinstance(body[-1], Assign):
            raise Untranslatable("`while`", at)
        return For(at, (), condition, body[-1], body[:-1])

    def _alias(self) -> Alias:
        at = self.at
        name = self.ahead()
        if self.ahead(2) != "=":
            raise Untranslatable("`using` of another name", at)
        self.at += 3
        first = self.at
        while self.text != ";":
            self.at += 1
        type = " ".join(token.text for token in self.code.tokens[first : self.at])
        self.at += 1
        self.types.add(name)
        return Alias(at, name, type.replace(" :: ", "::").replace(":: ", "::"))

    def _simple(self) -> Statement:
        at = self.at
        if self.text in ("++", "--"):
            operator = self.text[0] + "="
            self.at += 1
            return Assign(at, self._postfix(), operator, Number(at, "1"))
        target = _indexed(self.expression())
        if (operator := self.operator) in _ASSIGNMENTS:
            self._pass(operator)
            if not isinstance(target, Name | Index | Member | Element | Unary):
                raise Untranslatable("an assignment to something else than a name", at)
            return Assign(at, target, operator, self.expression())
        if self.text in ("++", "--"):
            operator = self.text[0] + "="
            self.at += 1
            return Assign(at, target, operator, Number(at, "1"))
        if isinstance(target, Call):
            return Do(at, target)
        raise Untranslatable("a statement without an effect", at)

    # ------------------------------------------------------------- declarations

    def _type_end(self, at: int) -> int | None:
        """The token after a type that begins here, or None where none does."""
        tokens, seen = self.code.tokens, False
        while at < len(tokens):
            text = tokens[at].text
            if text in _WORDS:
                at += 1
                continue
            if tokens[at].kind is not Kind.NAME:
                return at if seen else None
            last, name = at, text
            while last + 2 < len(tokens) and tokens[last + 1].text == "::":
                last += 2
                name += "::" + tokens[last].text
            if plain(name) not in self.types:
                return at if seen else None
            if seen and plain(name) not in INTEGERS:
                return at
            seen, at = True, last + 1
        return None

    def _is_declaration(self) -> bool:
        end = self._type_end(self.at)
        if end is None:
            return self.code.tokens[self.at].kind is Kind.NAME and self._unknown_type()
        text = self.code.tokens[end].text
        return text in ("&", "*") or self.code.tokens[end].kind is Kind.NAME

    def _unknown_type(self) -> bool:
        """`X y = ...`, `X<...> y`, where X is no type that is known."""
        at = self.at + 1
        while self.code.tokens[at].text == "::":
            at += 2
        if self.code.tokens[at].text == "<":
            at = self.code.after_angles(at)
        return self.code.tokens[at].kind is Kind.NAME

    def _declaration(self) -> list[Statement]:
        first, end = self.at, self._type_end(self.at)
        if end is None:
            raise Untranslatable(f"a variable of the type `{self.text}`", first)
        type = (
            "".join(
                f" {t.text} " if t.kind is Kind.NAME else t.text
                for t in self.code.tokens[first:end]
            )
            .replace(" :: ", "::")
            .replace(" ::", "::")
            .replace(":: ", "::")
        )
        self.at = end
        out: list[Statement] = []
        while True:
            at = self.at
            stars = ""
            while self.text in ("*", "const", "__restrict__", "__restrict"):
                stars += " *" if self.text == "*" else ""
                self.at += 1
            if self.text == "&":
                if "const" not in type.split():
                    raise Untranslatable("a reference", at)
                self.at += 1
            name = self.text
            self.at += 1
            value: Expression | None = None
            if self.text == "=":
                self.at += 1
                value = self.expression()
            elif self.text in ("(", "{"):
                closing = self.code.pairs.get(self.at, -1)
                self.at += 1
                value = self.expression()
                if self.at != closing:
                    raise Untranslatable("a variable made of several values", at)
                self.at += 1
            elif self.text == "[":
                out.append(Array(at, " ".join(type.split()), name, self._sizes(), False))
                if self.text not in (",", ";"):
                    raise Untranslatable(f"the array `{name}`", at)
                if self.text != ",":
                    return out
                self.at += 1
                continue
            out.append(Declare(at, " ".join(type.split()) + stars, name, value))
            if self.text != ",":
                return out
            self.at += 1

    def _sizes(self) -> tuple[Expression | None, ...]:
        out: list[Expression | None] = []
        while self.text == "[":
            self.at += 1
            out.append(None if self.text == "]" else self.expression())
            self.take("]")
        return tuple(out)

    # -------------------------------------------------------------- expressions

    def expression(self) -> Expression:
        at, condition = self.at, self._binary(0)
        if self.text != "?":
            return condition
        self.at += 1
        then = self.expression()
        self.take(":")
        return Ternary(at, condition, then, self.expression())

    def _binary(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        at, left = self.at, self._binary(level + 1)
        while (operator := self.operator) in _LEVELS[level]:
            self._pass(operator)
            left = Binary(at, operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        at = self.at
        if self.text in ("-", "+", "!", "~", "&", "*"):
            operator = self.text
            self.at += 1
            inner = self._unary()
            return _indexed(Unary(at, operator, inner))
        if self.text == "(":
            end = self._type_end(at + 1)
            tokens = self.code.tokens
            pointer = end is not None and [t.text for t in tokens[end : end + 2]] == ["*", ")"]
            if end is not None and pointer and tokens[end + 2].text in self.raw:
                self.at = end + 3
                return Name(at, tokens[end + 2].text)
            if end is not None and self.code.tokens[end].text == ")":
                type = self.code.text(at + 1, end - 1)
                self.at = end + 1
                return Cast(at, plain(type), self._unary())
        return self._postfix()

    def _postfix(self) -> Expression:
        at, value = self.at, self._primary()
        while self.text == "." and self.ahead() in ("x", "y", "z", "w") and self.ahead(2) != "(":
            value = Member(at, value, self.ahead())
            self.at += 2
        return value

    def _primary(self) -> Expression:
        at, token = self.at, self.token
        if token.kind is Kind.NUMBER:
            self.at += 1
            return Number(at, token.text)
        if token.text == "(":
            self.at += 1
            inner = self.expression()
            self.take(")")
            return self._element(at, inner) if self.text == "[" else inner
        if token.text == "::":
            self.at += 1
        if self.token.kind is not Kind.NAME:
            raise Untranslatable(f"{token.text!r}", at)
        name = self._name()
        if name in ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"):
            end = self.code.after_angles(self.at)
            type = plain(" ".join(t.text for t in self.code.tokens[self.at + 1 : end - 1]))
            self.at = end
            self.take("(")
            value = self.expression()
            self.take(")")
            if type.endswith("*") and isinstance(value, Name) and value.text in self.raw:
                return value
            if name == "reinterpret_cast" and plain(type.removesuffix("*").strip()) in WIDE:
                cast = Call(at, name, (value,), (type,))
                return self._element(at, cast) if self.text == "[" else cast
            if name != "static_cast":
                raise Untranslatable(f"`{name}`", at)
            return Cast(at, type.replace(" :: ", "::"), value)
        templates: tuple[str, ...] = ()
        if self.text == "<" and (after := self._after_arguments()):
            templates = tuple(self.code.text(self.at + 1, after - 2).split(","))
            self.at = after
        if self.text == "(":
            given = self._arguments()
            if plain(name) in self.types and len(given) == 1:
                return Cast(at, plain(name), given[0])
            return Call(at, name, given, templates)
        if self.accessed and name in self.accessed.known and self.text in ("[", "."):
            return self._accessed(self.accessed, at, name)
        if self.text == "[":
            self.at += 1
            index = self.expression()
            self.take("]")
            if self.text == "[":
                raise Untranslatable(f"`{name}` with two indices", at)
            return Index(at, name, index)
        if self.text in (".", "->"):
            threads = name in ("blockIdx", "blockDim", "threadIdx", "gridDim")
            if self.text == "." and self.ahead() in ("x", "y", "z", "w") and not threads:
                return Name(at, name)
            if not threads:
                raise Untranslatable(f"a member of `{name}`", at)
            name = f"{name}.{self.ahead()}"
            self.at += 2
        return Name(at, name)

    def _accessed(self, known: Accessors, at: int, name: str) -> Expression:
        """`x.size(0)` and `x[n][c]` of an accessor."""
        if self.text == ".":
            kind = self.ahead()
            if kind not in ("size", "stride"):
                raise Untranslatable(f"a member of `{name}`", at)
            self.at += 2
            given = self._arguments()
            return known.size(name, given[0] if given else Name(at, ""), kind)
        indices: list[Expression] = []
        while self.text == "[":
            self.at += 1
            indices.append(self.expression())
            self.take("]")
        return known.element(at, name, indices)

    def _element(self, at: int, pointer: Expression) -> Expression:
        """`(p)[i]` and `(p + k)[i]`."""
        self.take("[")
        index = self.expression()
        self.take("]")
        match pointer:
            case Name(_, name):
                return Index(at, name, index)
            case Unary(_, "&", Index(_, name, first)) | Binary(_, "+", Name(_, name), first):
                return Index(at, name, Binary(at, "+", first, index))
            case Call(_, "reinterpret_cast"):
                return Element(at, pointer, index)
        raise Untranslatable("an index of something else than a name", at)

    def _after_arguments(self) -> int | None:
        """The `(` after the template arguments that begin here, if such begin."""
        end = self.code.after_angles(self.at)
        inner = self.code.tokens[self.at + 1 : end - 1]
        arguments = all(t.kind in (Kind.NAME, Kind.NUMBER) or t.text in ("::", ",") for t in inner)
        return end if arguments and inner and self.code.tokens[end].text == "(" else None

    def _name(self) -> str:
        name = self.text
        self.at += 1
        while self.text == "::" or (name.endswith("numeric_limits") and self.text == "<"):
            if self.text == "<":
                end = self.code.after_angles(self.at)
                name += self.code.text(self.at, end - 1)
                self.at = end
                continue
            name += "::" + self.ahead()
            self.at += 2
        return name

    def _arguments(self) -> tuple[Expression, ...]:
        """The arguments in the brackets that open here, and past them."""
        closing = self.code.pairs.get(self.at)
        if closing is None:
            raise Untranslatable("the brackets do not balance", self.at)
        self.at += 1
        out: list[Expression] = []
        while self.at < closing:
            out.append(self.expression())
            if self.at < closing:
                self.take(",")
        self.at = closing + 1
        return tuple(out)


def _indexed(expression: Expression) -> Expression:
    """`*p` and `*(p + i)` as `p[0]` and `p[i]`."""
    match expression:
        case Unary(at, "*", Name(_, name)):
            return Index(at, name, Number(at, "0"))
        case Unary(at, "*", Binary(_, "+", Name(_, name), place)):
            return Index(at, name, place)
    return expression
