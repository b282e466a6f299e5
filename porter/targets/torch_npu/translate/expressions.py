"""The expressions of a kernel's body, read from its tokens."""

from __future__ import annotations

from collections.abc import Iterable

from porter.languages.cpp import Code, Kind, Token
from porter.targets.torch_npu.translate.accessors import Accessors
from porter.targets.torch_npu.translate.syntax import (
    FLOATING,
    HALVES,
    INTEGERS,
    QUALIFIERS,
    WIDE,
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Ternary,
    Unary,
    Untranslatable,
    plain,
)

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
_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")


class Expressions:
    """Reads expressions of one function; `types` are the names that are types there."""

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
        both = _TOGETHER.get((self.text, self.ahead()), "")
        adjacent = both and self.token.end == self.code.tokens[self.at + 1].start
        return both if adjacent else self.text

    def _pass(self, operator: str) -> None:
        self.at += 1 if operator == self.text else 2

    def ahead(self, distance: int = 1) -> str:
        place = self.at + distance
        return self.code.tokens[place].text if place < len(self.code.tokens) else ""

    def take(self, text: str) -> None:
        if self.text != text:
            raise Untranslatable(f"{self.text!r} where {text!r} is expected", self.at)
        self.at += 1

    def _type_end(self, at: int) -> int | None:
        """The token after a type that begins here, or None where none does."""
        tokens, seen = self.code.tokens, False
        while at < len(tokens):
            text = tokens[at].text
            if text in QUALIFIERS:
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
            return index_pointer(Unary(at, operator, inner))
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
        if name in _CASTS:
            return self._cast(at, name)
        templates: tuple[str, ...] = ()
        if self.text == "<" and (after := self._skip_template_arguments()):
            templates = tuple(self.code.text(self.at + 1, after - 2).split(","))
            self.at = after
        if self.text == "(":
            given = self._arguments()
            if plain(name) in self.types and len(given) == 1:
                return Cast(at, plain(name), given[0])
            return Call(at, name, given, templates)
        return self._variable(at, name)

    def _cast(self, at: int, name: str) -> Expression:
        """`static_cast<T>(value)`, from its `<` on."""
        end = self.code.skip_angles(self.at)
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

    def _variable(self, at: int, name: str) -> Expression:
        """A name, and the index or the member behind it."""
        if self.accessed and name in self.accessed.known and self.text in ("[", "."):
            return self._read_access(self.accessed, at, name)
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

    def _read_access(self, known: Accessors, at: int, name: str) -> Expression:
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
        raise Untranslatable("an index of an expression that is not a name", at)

    def _skip_template_arguments(self) -> int | None:
        """The `(` after the template arguments that begin here, if such begin."""
        end = self.code.skip_angles(self.at)
        inner = self.code.tokens[self.at + 1 : end - 1]
        arguments = all(t.kind in (Kind.NAME, Kind.NUMBER) or t.text in ("::", ",") for t in inner)
        return end if arguments and inner and self.code.tokens[end].text == "(" else None

    def _name(self) -> str:
        name = self.text
        self.at += 1
        while self.text == "::" or (name.endswith("numeric_limits") and self.text == "<"):
            if self.text == "<":
                end = self.code.skip_angles(self.at)
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


def index_pointer(expression: Expression) -> Expression:
    """`*p` and `*(p + i)` as `p[0]` and `p[i]`."""
    match expression:
        case Unary(at, "*", Name(_, name)):
            return Index(at, name, Number(at, "0"))
        case Unary(at, "*", Binary(_, "+", Name(_, name), place)):
            return Index(at, name, place)
    return expression
