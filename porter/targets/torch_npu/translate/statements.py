"""The statements of a kernel's body, read from its tokens."""

from __future__ import annotations

from porter.languages.cpp import Kind
from porter.targets.torch_npu.translate.expressions import Expressions, index_pointer
from porter.targets.torch_npu.translate.syntax import (
    Alias,
    Array,
    Assign,
    Block,
    Call,
    Declare,
    Do,
    Element,
    Expression,
    For,
    If,
    Index,
    Macro,
    Member,
    Name,
    Number,
    Return,
    Statement,
    Unary,
    Untranslatable,
    plain,
)

_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ">>=", "<<="))
_CONTROL = frozenset(("do", "switch", "goto", "break", "continue", "asm", "try"))


class Parser(Expressions):
    """Reads the statements of one function."""

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
            return self._read_shared()
        if text == "while":
            return [self._read_while()]
        if text in _CONTROL:
            raise Untranslatable(f"`{text}`", at)
        if text == "if":
            return [self._if()]
        if text == "for":
            return [self._read_for()]
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

    def _read_shared(self) -> list[Statement]:
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

    def _read_for(self) -> For:
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

    def _read_while(self) -> For:
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
            raise Untranslatable("`using` of a name that is not supported", at)
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
        target = index_pointer(self.expression())
        if (operator := self.operator) in _ASSIGNMENTS:
            self._pass(operator)
            if not isinstance(target, Name | Index | Member | Element | Unary):
                raise Untranslatable("an assignment to something other than a name", at)
            return Assign(at, target, operator, self.expression())
        if self.text in ("++", "--"):
            operator = self.text[0] + "="
            self.at += 1
            return Assign(at, target, operator, Number(at, "1"))
        if isinstance(target, Call):
            return Do(at, target)
        raise Untranslatable("a statement without an effect", at)

    def _is_declaration(self) -> bool:
        end = self._type_end(self.at)
        if end is None:
            return self.code.tokens[self.at].kind is Kind.NAME and self._is_unknown_type()
        text = self.code.tokens[end].text
        return text in ("&", "*") or self.code.tokens[end].kind is Kind.NAME

    def _is_unknown_type(self) -> bool:
        """`X y = ...`, `X<...> y`, where X is no type that is known."""
        at = self.at + 1
        while self.code.tokens[at].text == "::":
            at += 2
        if self.code.tokens[at].text == "<":
            at = self.code.skip_angles(at)
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
                    raise Untranslatable("a variable initialized with several values", at)
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
