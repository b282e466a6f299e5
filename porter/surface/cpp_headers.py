"""C++ headers by tokens: which namespaces, classes, members, functions, macros they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.languages.cpp import Kind, Token, Unit, parse

SPECIFIERS = frozenset(
    [
        "inline",
        "static",
        "constexpr",
        "extern",
        "virtual",
        "explicit",
        "mutable",
        "typename",
        "const",
        "volatile",
        "friend",
        "thread_local",
        "consteval",
        "constinit",
        "signed",
        "unsigned",
        "long",
        "short",
    ]
)
NOT_FUNCTIONS = frozenset(
    [
        "decltype",
        "noexcept",
        "alignas",
        "alignof",
        "sizeof",
        "static_assert",
        "requires",
        "__attribute__",
        "__declspec",
        "defined",
        "if",
        "while",
        "for",
        "switch",
        "return",
        "explicit",
    ]
)


OPENING = frozenset({"namespace", "template", "using", "enum", "extern"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A declared name; `target` is what an alias or using-declaration stands for."""

    kind: str
    header: str
    target: str = ""


@dataclass(slots=True)
class Scope:
    """A namespace or class: its names, and where else a lookup goes."""

    members: dict[str, Entry] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)  # using namespace, base classes


@dataclass(slots=True)
class Declarations:
    """All that a set of headers declares."""

    scopes: dict[str, Scope] = field(default_factory=lambda: {"": Scope()})
    macros: dict[str, Entry] = field(default_factory=dict)
    headers: set[str] = field(default_factory=set)

    def scope(self, name: str) -> Scope:
        return self.scopes.setdefault(name, Scope())

    def add(self, scope: str, name: str, entry: Entry) -> None:
        self.scope(scope).members.setdefault(name, entry)

    def find(self, qualified: str) -> Entry | None:
        """What `a::b::c` names, through aliases, using and base classes; None if nothing."""
        return self._find(qualified.split("::"), "", 0)

    def _find(self, parts: Sequence[str], scope: str, depth: int) -> Entry | None:
        found = self._member(scope, parts[0], depth, frozenset())
        if found is None:
            return None
        home, entry = found
        if len(parts) == 1:
            return entry
        for inner in self._inside(home, parts[0], entry):
            result = self._find(parts[1:], inner, depth + 1) if depth < 12 else None
            if result is not None:
                return result
        return None

    def _member(
        self, scope: str, name: str, depth: int, seen: frozenset[str]
    ) -> tuple[str, Entry] | None:
        here = self.scopes.get(scope)
        if here is None or scope in seen:
            return None
        if name in here.members:
            return scope, here.members[name]
        for other in here.used:
            for candidate in self._outward(scope, other):
                found = self._member(candidate, name, depth, seen | {scope})
                if found is not None:
                    return found
        return None

    def _inside(self, home: str, name: str, entry: Entry) -> Iterator[str]:
        if not entry.target:
            yield f"{home}::{name}" if home else name
            return
        for candidate in self._outward(home, entry.target):
            if candidate in self.scopes:
                yield candidate
            else:
                outer, _, last = candidate.rpartition("::")
                follow = self.scopes.get(outer, Scope()).members.get(last)
                if follow is not None and follow.target and follow is not entry:
                    yield from self._inside(outer, last, follow)

    def _outward(self, scope: str, target: str) -> Iterator[str]:
        """A name as seen from a scope: in it, then in each one around it."""
        if target.startswith("::"):
            yield target[2:]
            return
        while scope:
            yield f"{scope}::{target}"
            scope = scope.rpartition("::")[0]
        yield target


def scan(headers: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> Declarations:
    """Declarations of headers given by the name they are included with."""
    pairs = sorted(headers.items() if isinstance(headers, Mapping) else headers)
    declared = Declarations()
    units = [(name, parse(data, name)) for name, data in pairs]
    macros = {m: body for _, unit in units for m, body in _macros(unit)}
    for name, unit in units:
        declared.headers.add(name)
        _Reader(declared, name, macros).read(_code(unit, declared, name))
    return declared


Body = tuple[tuple[str, ...], tuple[Token, ...]]  # parameters and replacement of a macro


def _line_end(data: bytes, at: int) -> int:
    """Where the logical line of an offset ends: a backslash before the line end continues it."""
    while True:
        end = data.find(b"\n", at)
        if end == -1:
            return len(data)
        before = end - 2 if data[end - 1 : end] == b"\r" else end - 1
        if data[before : before + 1] != b"\\":
            return end
        at = end + 1


def _macros(unit: Unit) -> Iterator[tuple[str, Body]]:
    """Function-like macros of a header, for the lists that declare by macro."""
    tokens = unit.tokens
    for index, token in enumerate(tokens):
        if token.text != "#define" or index + 2 >= len(tokens):
            continue
        name, opening = tokens[index + 1], tokens[index + 2]
        if opening.text != "(" or opening.span.start != name.span.end:
            continue
        end = _line_end(unit.data, token.span.start)
        rest = []
        for follow in tokens[index + 3 :]:
            if follow.span.start >= end:
                break
            rest.append(follow)
        close = next((k for k, t in enumerate(rest) if t.text == ")"), len(rest))
        parameters = tuple(t.text for t in rest[:close] if t.text != ",")
        yield name.text, (parameters, tuple(rest[close + 1 :]))


def _code(unit: Unit, declared: Declarations, header: str) -> list[Token]:
    """The tokens outside directives; macros are noted, of #if only the first branch is read
    where the branches would open braces twice."""
    out: list[Token] = []
    tokens = unit.tokens
    branches: list[tuple[int, int]] = []  # (tokens before #if, braces open there)
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind is not Kind.DIRECTIVE:
            out.append(token)
            index += 1
            continue
        end = _line_end(unit.data, token.span.start)
        if token.text == "#define" and index + 1 < len(tokens):
            declared.macros.setdefault(tokens[index + 1].text, Entry("macro", header))
        elif token.text.startswith("#if"):
            branches.append((len(out), -1))
        elif token.text in ("#else", "#elif", "#endif") and branches:
            _branch(token.text, out, branches)
        while index < len(tokens) and tokens[index].span.start < end:
            index += 1
    return out


def _branch(word: str, out: list[Token], branches: list[tuple[int, int]]) -> None:
    """At the end of a branch that leaves braces open or closed, drop what later ones repeat."""
    start, first = branches[-1]
    balance = sum((t.text == "{") - (t.text == "}") for t in out[start:])
    if first != -1 and balance != 0:
        del out[start:]
    if word == "#endif":
        branches.pop()
    else:
        branches[-1] = (len(out), balance)


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
            close = _closing(tokens, at + 2)
            self.read(tokens[at + 3 : close], scope, in_class)
            return close + 1
        if text in ("public", "private", "protected") and at + 1 < len(tokens):
            return at + 2
        if text == "template":
            return _after_angles(tokens, at + 1)
        if text == "using":
            return self._using(tokens, at, scope)
        if text == "friend":
            return _end(tokens, at)[1]
        if text == "enum":
            return self._enum(tokens, at, scope)
        if text in ("class", "struct", "union"):
            return self._class(tokens, at, scope, in_class)
        expanded = self._expansion(tokens, at)
        if expanded is not None:
            generated, after = expanded
            self.read(generated, scope, in_class)
            return after
        return _after_macro(tokens, at) or self._declaration(tokens, at, scope, in_class)

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
            end = _find(tokens, at, ";")
            self._add(scope, names[0], "namespace", _joined(tokens[at + 1 : end]))
            return end + 1
        inner = scope
        for name in names:
            self._add(inner, name, "namespace")
            outer, inner = inner, f"{inner}::{name}" if inner else name
            if inline:
                self.declared.scope(outer).used.append(name)
        self.declared.scope(inner)
        close = _closing(tokens, at)
        self.read(tokens[at + 1 : close], inner)
        return close + 1

    def _using(self, tokens: Sequence[Token], at: int, scope: str) -> int:
        end = _find(tokens, at, ";")
        rest = tokens[at + 1 : end]
        if rest and rest[0].text == "namespace":
            self.declared.scope(scope).used.append(_joined(rest[1:]))
        elif any(t.text == "=" for t in rest):
            equals = next(k for k, t in enumerate(rest) if t.text == "=")
            self._add(scope, rest[0].text, "type", _type(rest[equals + 1 :]))
        elif rest:
            names = [t.text for t in rest if t.kind is Kind.NAME and t.text != "typename"]
            if names:
                self._add(scope, names[-1], "name", _joined(rest))
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
        close = _closing(tokens, opening)
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
            expanded = self._expansion(tokens, at) if expects else None
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
                at = _closing(tokens, at)
            at += 1

    def _class(self, tokens: Sequence[Token], at: int, scope: str, in_class: bool) -> int:
        stop = at + 1
        while stop < len(tokens) and tokens[stop].text not in ("{", ";", ":", "(", "=", "<"):
            stop += 1
        if stop < len(tokens) and tokens[stop].text == "(":  # attribute macro, or a function
            after = _closing(tokens, stop) + 1
            attributes = {t.text for t in tokens[at + 1 : stop]}
            if attributes & {"alignas", "__attribute__", "__declspec", "__align__"}:
                return self._class(tokens, after - 1, scope, in_class)
            return self._declaration(tokens, at + 1, scope, in_class)
        names = [t.text for t in tokens[at + 1 : stop] if t.kind is Kind.NAME]
        names = [n for n in names if n not in ("final",)]
        if stop < len(tokens) and tokens[stop].text == "<":  # a specialisation: a known name
            stop = _after_angles(tokens, stop)
            while stop < len(tokens) and tokens[stop].text not in ("{", ";", "("):
                stop += 1
        if stop >= len(tokens) or not names or tokens[stop].text in (";", "(", "="):
            return _end(tokens, at)[1]
        return self._class_body(tokens, stop, scope, names)

    def _class_body(
        self, tokens: Sequence[Token], stop: int, scope: str, names: Sequence[str]
    ) -> int:
        name = names[-1]
        opening = _find(tokens, stop, "{")
        inner = f"{scope}::{name}" if scope else name
        self._add(scope, name, "class")
        for base in _bases(tokens[stop:opening]):
            self.declared.scope(inner).used.append(base)
        close = _closing(tokens, opening)
        self.read(tokens[opening + 1 : close], inner, in_class=True)
        return _find(tokens, close, ";") + 1 if _declares_more(tokens, close) else close + 1

    def _declaration(self, tokens: Sequence[Token], at: int, scope: str, in_class: bool) -> int:
        end, after = _end(tokens, at)
        body = tokens[at:end]
        kind, name = _declared(body)
        if not name:
            return after
        parts = name.split("::")
        place = "::".join(filter(None, [scope, *parts[:-1]]))
        if len(parts) > 1 and place not in self.declared.scopes:
            return after  # a definition of something elsewhere
        if body[0].text == "typedef":
            self._add(place, parts[-1], "type", _type(body[1:-1]))
        else:
            member = in_class or len(parts) > 1
            self._add(place, parts[-1], "member" if member else kind)
        return after

    def _expansion(self, tokens: Sequence[Token], at: int) -> tuple[list[Token], int] | None:
        """What LIST(ENTRY) declares, where both are macros that are known; and what follows."""
        if at + 3 >= len(tokens) or tokens[at + 1].text != "(" or tokens[at].text.islower():
            return None
        listing, entry = self.macros.get(tokens[at].text), self.macros.get(tokens[at + 2].text)
        if listing is None or entry is None or tokens[at + 3].text not in (")", ","):
            return None
        close = _closing(tokens, at + 1)
        return list(self._listed(listing, entry, 0)), close + 1

    def _listed(self, listing: Body, entry: Body, depth: int) -> Iterator[Token]:
        parameters, body = listing
        index = 0
        while index < len(body):
            token = body[index]
            calls = index + 1 < len(body) and body[index + 1].text == "("
            if parameters and token.text == parameters[0] and calls:
                close = _closing(body, index + 1)
                yield from _instance(entry, _split(body[index + 2 : close]))
                index = close + 1
                continue
            inner = self.macros.get(token.text)
            if inner is not None and calls and depth < 5:
                yield from self._listed(inner, entry, depth + 1)
                index = _closing(body, index + 1) + 1
                continue
            index += 1


def _instance(entry: Body, arguments: Sequence[Sequence[Token]]) -> Iterator[Token]:
    """One entry of a list macro, arguments put in and `##` pasted."""
    parameters, body = entry
    values = dict(zip(parameters, arguments, strict=False))
    out: list[Token] = []
    paste = False
    index = 0
    while index < len(body):
        if body[index].text == "#" and index + 1 < len(body) and body[index + 1].text == "#":
            paste, index = True, index + 2
            continue
        for token in values.get(body[index].text, (body[index],)):
            if paste and out:
                out[-1] = out[-1]._replace(text=out[-1].text + token.text)
            else:
                out.append(token)
            paste = False
        index += 1
    yield from out


def _split(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    out, first, depth = [], 0, 0
    for index, token in enumerate(tokens):
        depth += (token.text in ("(", "<", "{")) - (token.text in (")", ">", "}"))
        if token.text == "," and depth == 0:
            out.append(tokens[first:index])
            first = index + 1
    return [*out, tokens[first:]]


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the end if none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        text = tokens[index].text
        if text in ("(", "{", "["):
            depth += 1
        elif text in (")", "}", "]"):
            depth -= 1
            if depth == 0:
                return index
    return len(tokens)


def _after_angles(tokens: Sequence[Token], at: int) -> int:
    """The index after the `<...>` that begins at `at`."""
    depth = 0
    for index in range(at, len(tokens)):
        text = tokens[index].text
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
        elif text == ">>>":
            depth -= 3
        elif text == ";":
            return index
        if depth <= 0:
            return index + 1
    return len(tokens)


def _find(tokens: Sequence[Token], at: int, text: str) -> int:
    while at < len(tokens) and tokens[at].text != text:
        at += 1
    return at


def _after_macro(tokens: Sequence[Token], at: int) -> int | None:
    """The index after a macro that stands for itself: `PUSH_WARNINGS("x")`, without semicolon."""
    text = tokens[at].text
    if not text.isupper() or at + 1 >= len(tokens):
        return None
    if tokens[at + 1].text in OPENING:
        return at + 1
    if tokens[at + 1].text != "(":
        return None
    after = _closing(tokens, at + 1) + 1
    body = after < len(tokens) and tokens[after].text in ("{", ":", "->")
    return None if body else after


def _end(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Where a declaration's head ends, and where the next declaration begins."""
    seen_parameters = False
    index = at
    while index < len(tokens):
        text = tokens[index].text
        if text == ";":
            return index, index + 1
        if text == "(":
            seen_parameters = True
            index = _closing(tokens, index)
        elif text == "=":
            return index, _after_initialiser(tokens, index)
        elif text == "{":
            return index, _closing(tokens, index) + 1
        elif text == ":" and seen_parameters:
            return index, _after_constructor(tokens, index + 1)
        elif text == "}":
            return index, index + 1
        index += 1
    return len(tokens), len(tokens)


def _after_initialiser(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].text != ";":
        at = _closing(tokens, at) if tokens[at].text in ("(", "{", "[") else at
        at += 1
    return at + 1


def _after_constructor(tokens: Sequence[Token], at: int) -> int:
    """After `: a(b), c{d} { body }`."""
    while at < len(tokens):
        text = tokens[at].text
        if text == "(":
            at = _closing(tokens, at)
        elif text == "{":
            close = _closing(tokens, at)
            if tokens[at - 1].kind is not Kind.NAME and tokens[at - 1].text != ">":
                return close + 1
            at = close
        elif text == ";":
            return at + 1
        at += 1
    return at


def _declared(body: Sequence[Token]) -> tuple[str, str]:
    """Kind and name that the head of a declaration declares; an empty name if none."""
    depth = 0
    for index, token in enumerate(body):
        if token.text == "<" and index and body[index - 1].kind is Kind.NAME:
            depth += 1
        elif token.text == ">" and depth:
            depth -= 1
        elif token.text == "operator":
            return "function", ""
        elif token.text == "(" and depth == 0 and index:
            previous = body[index - 1]
            attribute = previous.text in NOT_FUNCTIONS or (index == 1 and previous.text.isupper())
            if previous.kind is Kind.NAME and not attribute:
                return "function", _qualified_before(body, index - 1)
    names = [k for k, t in enumerate(body) if t.kind is Kind.NAME]
    if len(names) < 2 and not (names and body[0].text == "typedef"):
        return "", ""
    last = names[-1]
    while body[last].text in SPECIFIERS and names:
        last = names.pop()
    return "variable", _qualified_before(body, last)


def _qualified_before(body: Sequence[Token], last: int) -> str:
    parts = [body[last].text]
    while last >= 2 and body[last - 1].text == "::" and body[last - 2].kind is Kind.NAME:
        last -= 2
        parts.insert(0, body[last].text)
    if last >= 1 and body[last - 1].text == "~":
        return ""
    return "::".join(parts)


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(t.text for t in tokens if t.text != "typename")


def _type(tokens: Sequence[Token]) -> str:
    """The qualified name an alias stands for, without cv and template arguments."""
    out: list[str] = []
    for token in tokens:
        if token.text == "<":
            break
        if token.text in SPECIFIERS or token.text in ("struct", "class"):
            continue
        if token.kind is not Kind.NAME and token.text != "::":
            break
        out.append(token.text)
    return "".join(out)


def _bases(tokens: Sequence[Token]) -> Iterator[str]:
    words = [t for t in tokens if t.text not in ("public", "private", "protected", "virtual")]
    if not words or words[0].text != ":":
        return
    for part in _split(words[1:]):
        name = _type(part)
        if name:
            yield name


def _declares_more(tokens: Sequence[Token], close: int) -> bool:
    """`class X { ... } instance;`"""
    return (
        close + 1 < len(tokens)
        and tokens[close + 1].kind is Kind.NAME
        and (close + 2 < len(tokens) and tokens[close + 2].text in (";", ","))
    )
