"""C++ headers by tokens: which namespaces, classes, members, functions, macros they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from porter.languages.cpp import parse
from porter.languages.cpp_tokens import Kind, Token, closing, skip_angles
from porter.surface.cpp_declarations import Declarations, Entry
from porter.surface.cpp_heads import (
    bases,
    declares_more,
    head_end,
    join,
    position_of,
    read_declared_name,
    skip_macro,
    type_name,
)
from porter.surface.cpp_macros import Body, code, expand_using, expansion, function_macros


def scan(headers: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> Declarations:
    """Declarations of headers given by the name they are included with."""
    pairs = sorted(headers.items() if isinstance(headers, Mapping) else headers)
    declared = Declarations()
    units = [(name, parse(data, name)) for name, data in pairs]
    macros = {m: body for _, unit in units for m, body in function_macros(unit)}
    for name, unit in units:
        _Reader(declared, name, macros).read(code(unit, declared, name))
    return declared


class _Reader:
    """Walks declarations; bodies of functions are skipped as balanced braces."""

    def __init__(self, declared: Declarations, header: str, macros: Mapping[str, Body]) -> None:
        self.declared, self.header, self.macros = declared, header, macros

    def read(self, tokens: Sequence[Token], scope: str = "", in_class: bool = False) -> None:
        at = 0
        while at < len(tokens):
            at = self._statement(tokens, at, scope, in_class)

    def _add(self, scope: str, name: str, kind: str, target: str = "") -> None:
        self.declared.add(scope, name, Entry(kind, self.header, target))

    def _statement(self, tokens: Sequence[Token], at: int, scope: str, in_class: bool) -> int:
        text = tokens[at].text
        if text in (";", "}", ")"):
            return at + 1
        if text == "namespace":
            return self._namespace(tokens, at, scope)
        if text == "inline" and at + 1 < len(tokens) and tokens[at + 1].text == "namespace":
            return self._namespace(tokens, at + 1, scope, inline=True)
        if text == "extern" and at + 2 < len(tokens) and tokens[at + 2].text == "{":
            close = closing(tokens, at + 2)
            self.read(tokens[at + 3 : close], scope, in_class)
            return close + 1
        if text in ("public", "private", "protected") and at + 1 < len(tokens):
            return at + 2
        if text == "template":
            return skip_angles(tokens, at + 1)
        if text == "using":
            return self._read_using(tokens, at, scope)
        if text == "friend":
            return head_end(tokens, at)[1]
        if text == "enum":
            return self._enum(tokens, at, scope)
        if text in ("class", "struct", "union"):
            return self._class(tokens, at, scope, in_class)
        expanded = expansion(self.macros, tokens, at) or expand_using(self.macros, tokens, at)
        if expanded is not None:
            generated, after = expanded
            self.read(generated, scope, in_class)
            return after
        return skip_macro(tokens, at) or self._declaration(tokens, at, scope, in_class)

    def _namespace(self, tokens: Sequence[Token], at: int, scope: str, inline: bool = False) -> int:
        names: list[str] = []
        at += 1
        while at < len(tokens) and tokens[at].text not in ("{", "=", ";"):
            if tokens[at].kind is Kind.NAME and tokens[at].text != "inline":
                names.append(tokens[at].text)
            at += 1
        if at >= len(tokens) or tokens[at].text == ";":
            return at + 1
        if tokens[at].text == "=":
            end = position_of(tokens, at, ";")
            self._add(scope, names[0], "namespace", join(tokens[at + 1 : end]))
            return end + 1
        inner = scope
        for name in names:
            self._add(inner, name, "namespace")
            outer, inner = inner, f"{inner}::{name}" if inner else name
            if inline:
                self.declared.scope(outer).used.append(name)
        self.declared.scope(inner)
        close = closing(tokens, at)
        self.read(tokens[at + 1 : close], inner)
        return close + 1

    def _read_using(self, tokens: Sequence[Token], at: int, scope: str) -> int:
        end = position_of(tokens, at, ";")
        rest = tokens[at + 1 : end]
        if rest and rest[0].text == "namespace":
            self.declared.scope(scope).used.append(join(rest[1:]))
        elif any(t.text == "=" for t in rest):
            equals = next(k for k, t in enumerate(rest) if t.text == "=")
            self._add(scope, rest[0].text, "type", type_name(rest[equals + 1 :]))
        elif rest:
            names = [t.text for t in rest if t.kind is Kind.NAME and t.text != "typename"]
            if names:
                self._add(scope, names[-1], "name", join(rest))
        return end + 1

    def _enum(self, tokens: Sequence[Token], at: int, scope: str) -> int:
        opening = at + 1
        while opening < len(tokens) and tokens[opening].text not in ("{", ";", "("):
            opening += 1
        if opening >= len(tokens) or tokens[opening].text != "{":
            return opening + 1
        head = tokens[at + 1 : opening]
        colon = next((k for k, t in enumerate(head) if t.text == ":"), len(head))
        names = [t.text for t in head[:colon] if t.kind is Kind.NAME]
        scoped = bool(names) and names[0] in ("class", "struct")
        name = names[-1] if names[1 if scoped else 0 :] else ""
        close = closing(tokens, opening)
        if name:
            self._add(scope, name, "enum")
        inner = f"{scope}::{name}" if scope else name
        for value in self._enumerators(tokens[opening + 1 : close]):
            if name:
                self._add(inner, value, "enumerator")
            if not scoped:
                self._add(scope, value, "enumerator")
        return close + 1

    def _enumerators(self, tokens: Sequence[Token]) -> Iterator[str]:
        at, expects = 0, True
        while at < len(tokens):
            expanded = expansion(self.macros, tokens, at) if expects else None
            if expanded is not None:
                yield from self._enumerators(expanded[0])
                at = expanded[1]
                continue
            token = tokens[at]
            if expects and token.kind is Kind.NAME:
                yield token.text
                expects = False
            elif token.text == ",":
                expects = True
            elif token.text in ("(", "{"):
                at = closing(tokens, at)
            at += 1

    def _class(self, tokens: Sequence[Token], at: int, scope: str, in_class: bool) -> int:
        stop = at + 1
        while stop < len(tokens) and tokens[stop].text not in ("{", ";", ":", "(", "=", "<"):
            stop += 1
        if stop < len(tokens) and tokens[stop].text == "(":  # attribute macro, or a function
            after = closing(tokens, stop) + 1
            attributes = {t.text for t in tokens[at + 1 : stop]}
            if attributes & {"alignas", "__attribute__", "__declspec", "__align__"}:
                return self._class(tokens, after - 1, scope, in_class)
            return self._declaration(tokens, at + 1, scope, in_class)
        names = [t.text for t in tokens[at + 1 : stop] if t.kind is Kind.NAME]
        names = [n for n in names if n not in ("final",)]
        if stop < len(tokens) and tokens[stop].text == "<":  # a specialisation: a known name
            stop = skip_angles(tokens, stop)
            while stop < len(tokens) and tokens[stop].text not in ("{", ";", "("):
                stop += 1
        if stop >= len(tokens) or not names or tokens[stop].text in (";", "(", "="):
            return head_end(tokens, at)[1]
        return self._class_body(tokens, stop, scope, names)

    def _class_body(
        self, tokens: Sequence[Token], stop: int, scope: str, names: Sequence[str]
    ) -> int:
        name = names[-1]
        opening = position_of(tokens, stop, "{")
        inner = f"{scope}::{name}" if scope else name
        self._add(scope, name, "class")
        for base in bases(tokens[stop:opening]):
            self.declared.scope(inner).used.append(base)
        close = closing(tokens, opening)
        self.read(tokens[opening + 1 : close], inner, in_class=True)
        return position_of(tokens, close, ";") + 1 if declares_more(tokens, close) else close + 1

    def _declaration(self, tokens: Sequence[Token], at: int, scope: str, in_class: bool) -> int:
        end, after = head_end(tokens, at)
        body = tokens[at:end]
        kind, name = read_declared_name(body)
        if not name:
            return after
        parts = name.split("::")
        place = "::".join(filter(None, [scope, *parts[:-1]]))
        if len(parts) > 1 and place not in self.declared.scopes:
            return after  # a definition of something elsewhere
        if body[0].text == "typedef":
            self._add(place, parts[-1], "type", type_name(body[1:-1]))
        else:
            member = in_class or len(parts) > 1
            self._add(place, parts[-1], "member" if member else kind)
        return after
