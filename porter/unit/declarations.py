"""Read the declarations of C++ headers: where each begins and ends, its name, scope and types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.languages.cpp_tokens import Kind, Token, closing, line_end, skip_angles, tokens

Key = tuple[object, ...]

_COMMENT = re.compile(r"//(?:[^\n\\]|\\.|\\\n)*|/\*(?:[^*]|\*(?!/))*\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(\w*)")
_OPENING = ("(", "{", "[")
_BEFORE = ("template", "[", "inline", "extern", "friend")
_NOT_TYPES = {"const", "typename", "class", "struct", "std", "at", "c10", "torch", "volatile"}
_LIKE = {"OptionalIntArrayRef": "OptionalArrayRef<int64_t>", "IntArrayRef": "ArrayRef<int64_t>"}
_NOT_NAMES = {"decltype", "noexcept", "alignas", "__attribute__", "static_assert", "requires"}
_HEADERS = (".h", ".hpp", ".cuh")


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration. `types` are those of the parameters that have to be given (`optional` of
    the others), or the names of a class's bases; `start` is that of the comments above."""

    scope: tuple[str, ...]
    kind: str
    name: str
    types: tuple[str, ...] | None
    start: int
    end: int
    body: tuple[int, int] | None = None  # the span within its braces
    optional: tuple[str, ...] = ()


def declarations(text: str) -> list[Declaration]:
    """Return every declaration at namespace and class scope, outer ones before those within.

    Raises ValueError where a bracket is not closed.
    """
    data = text.encode("latin-1", "replace")  # one byte a character: offsets are those of the text
    code = list(_code(data))
    reader = _Reader(text, code, dict(_comments(text, code)))
    reader.scope(0, len(code), ())
    return reader.found


def _code(data: bytes) -> Iterator[Token]:
    """The tokens, with a preprocessor line as one of them."""
    directive: Token | None = None
    line = last = 0  # ends of the directive's line, and of its last token
    for token in tokens(data):
        if directive is not None and token.start < line:
            last = token.end
            continue
        if directive is not None:
            yield _whole(data, directive, last, line)
        directive = token if token.kind is Kind.DIRECTIVE else None
        if directive is None:
            yield token
        else:
            line, last = line_end(data, token.end), token.end
    if directive is not None:
        yield _whole(data, directive, last, line)


def _whole(data: bytes, directive: Token, last: int, line: int) -> Token:
    """A directive from the beginning of its line to the comment after it, or the line's end."""
    start = data.rfind(b"\n", 0, directive.start) + 1
    if data[start : directive.start].strip():
        start = directive.start
    comment = data.find(b"//", last, line)
    return directive._replace(start=start, end=line if comment == -1 else comment)


def _comments(text: str, code: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """End and start of each comment between tokens."""
    ends = [0, *(token.end for token in code)]
    for begin, end in zip(ends, [*(token.start for token in code), len(text)], strict=True):
        if end - begin > 1:  # else there is room for none
            for match in _COMMENT.finditer(text, begin, end):
                yield match.end(), match.start()


@dataclass(slots=True)
class _Reader:
    text: str
    code: list[Token]
    comments: dict[int, int]  # end -> start
    found: list[Declaration] = field(default_factory=list)

    def scope(self, at: int, end: int, scope: tuple[str, ...]) -> None:
        """Read the declarations of a namespace or class, or of the file."""
        while at < end:
            token, first = self.code[at], self._comment_start(self.code[at].start)
            if token.text in (";", "}") or token.text in ("public", "private", "protected"):
                at += 1 + (token.kind is Kind.NAME)
            elif token.kind is Kind.DIRECTIVE:
                match = _DIRECTIVE.match(self.text, token.start, token.end)
                word, name = match.groups() if match else ("", "")
                self.found.append(Declaration(scope, word, name, None, first, token.end))
                at += 1
            else:
                at = self._declaration(at, end, scope, first)

    def _comment_start(self, start: int) -> int:
        """Where the comments that stand right above an offset begin."""
        text = self.text
        while True:
            before = start
            while before and text[before - 1] in " \t":
                before -= 1
            before -= bool(before and text[before - 1] == "\n")
            comment = self.comments.get(before)
            if comment is None or text[text.rfind("\n", 0, comment) + 1 : comment].strip():
                return start
            start = comment

    def _closing(self, at: int) -> int:
        end = closing(self.code, at)
        if end == len(self.code):
            token = self.code[at]
            raise ValueError(f"no bracket closes the {token.text!r} at offset {token.start}")
        return end

    def _declaration(self, at: int, end: int, scope: tuple[str, ...], first: int) -> int:
        code, head = self.code, at
        while head < end and code[head].text in _BEFORE:
            if code[head].text == "[":
                head = self._closing(head)
            is_template = code[head].text == "template"
            head = skip_angles(code, head + 1) if is_template else head + 1
        word = code[head].text
        if word == "namespace" or code[head].kind is Kind.STRING:
            opening = self._first(head, end, ("{", ";", "="))
            if code[opening].text == "{":
                close = self._closing(opening)
                names = tuple(t.text for t in code[head + 1 : opening] if t.kind is Kind.NAME)
                self.scope(opening + 1, close, scope + names)
                return close + 1
        if word in ("class", "struct", "union", "enum"):
            after = self._class(head, end, scope, first)
            if after:
                return after
        return self._function(at, head, end, scope, first)

    def _first(self, at: int, end: int, texts: Sequence[str]) -> int:
        """The first token from `at` on that is one of these; `end` if none is."""
        while at < end and self.code[at].text not in texts:
            at += 1
        return at

    def _class(self, head: int, end: int, scope: tuple[str, ...], first: int) -> int | None:
        """The token after a class or an enum; None where it is the type of something else."""
        code = self.code
        is_enum = code[head].text == "enum"
        at = head + 1 + (is_enum and code[head + 1].text in ("class", "struct"))
        if at < end and code[at].text == "[":
            at = self._closing(at) + 1
        if at + 1 < end and code[at].kind is Kind.NAME and code[at + 1].text == "(":
            at = self._closing(at + 1) + 1  # a macro or alignas
        stop = at
        while stop < end and code[stop].text not in ("{", ";", "("):
            stop = skip_angles(code, stop) if code[stop].text == "<" else stop + 1
        colon = self._first(at, stop, (":",))
        head_ends = min(colon, self._first(at, stop, ("<",)))
        names = [t.text for t in code[at:head_ends] if t.kind is Kind.NAME and t.text != "final"]
        if stop >= end or code[stop].text == "(" or not names:
            return None
        name = names[-1]  # macros may stand before it
        types = tuple(t.text for t in code[colon:stop] if t.kind is Kind.NAME)
        if code[stop].text == ";":
            self.found.append(Declaration(scope, "forward", name, None, first, code[stop].end))
            return stop + 1
        close = self._closing(stop)
        finish = self._first(close, end, (";",))
        finish = close if finish == end else finish
        kind = "enum" if is_enum else "class"
        body = (code[stop].end, code[close].start)
        self.found.append(Declaration(scope, kind, name, types, first, code[finish].end, body))
        if kind == "class":
            self.scope(stop + 1, close, (*scope, name))
        return finish + 1

    def _function(self, start: int, head: int, end: int, scope: tuple[str, ...], first: int) -> int:
        """The token after a function, a variable, an alias or a friend."""
        code = self.code
        name, types, optional, at = self._head(head, end)
        if at < end and code[at].text == "{":
            at = self._closing(at)
            if types is None and at + 1 < end and code[at + 1].text == ";":
                at += 1
        at = min(at, end - 1)
        if not name and at > head:
            name = code[at - 1].text
        if code[start].text == "friend":
            kind = "friend"
        elif code[head].text in ("using", "typedef"):
            kind = "using"
        else:
            kind = "variable" if types is None else "function"
        if code[start].text == "template" and types is not None:
            types = ("<>", *types)
        end_of = code[at].end
        self.found.append(Declaration(scope, kind, name, types, first, end_of, None, optional))
        return at + 1

    def _head(
        self, head: int, end: int
    ) -> tuple[str, tuple[str, ...] | None, tuple[str, ...], int]:
        """Name, types of parameters, those that are optional, and the token at which it ends."""
        code, at = self.code, head
        name, types, optional = "", None, tuple[str, ...]()
        stops = (";", "}") if code[head].text == "typedef" else (";", "{", "}")
        while at < end and code[at].text not in stops:
            text = code[at].text
            if text == "operator" and not name:
                name, at = self._operator(at)
                continue
            if text == "(":
                close = self._closing(at)
                if types is None and (name or code[at - 1].text not in _NOT_NAMES):
                    name = name or code[at - 1].text
                    types, optional = _parameters(code[at + 1 : close])
                    if close + 1 < end and code[close + 1].text == "const":
                        types = (*types, "const")
                at = close
            elif text == "<" and types is None and code[at - 1].kind is Kind.NAME:
                at = skip_angles(code, at) - 1
            elif text == "=":
                name = name or (code[at - 1].text if types is None else "")
                at = self._value_end(at, end)
            elif text == ":" and types is not None:
                at = self._initialisers_end(at)
            elif text in _OPENING:
                at = self._closing(at)
            at += 1
        return name, types, optional, at

    def _operator(self, at: int) -> tuple[str, int]:
        """The name of an operator, and the token after it."""
        stop = at + 1
        while self.code[stop].text != "(" or (stop == at + 1 and self.code[stop + 1].text == ")"):
            stop += 1 + (self.code[stop].text == "(")
        return "operator" + "".join(t.text for t in self.code[at + 1 : stop]), stop

    def _value_end(self, at: int, end: int) -> int:
        """The last token of what stands after a `=`."""
        while at + 1 < end and self.code[at + 1].text != ";":
            at += 1
            if self.code[at].text in _OPENING:
                at = self._closing(at)
        return at

    def _initialisers_end(self, at: int) -> int:
        """The last token of what a constructor initializes, after its `:`."""
        while True:
            opening = self._first(at, len(self.code), ("(", "{"))
            at = self._closing(opening)
            if self.code[at + 1].text != ",":
                return at


def _parameters(code: Sequence[Token]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Types of the parameters that have to be given, and of the others, spelled in one way."""
    required: list[str] = []
    optional: list[str] = []
    item: list[Token] = []
    depth = 0
    for token in [*code, Token(Kind.PUNCTUATION, ",", 0, 0)]:
        depth += (token.text in ("(", "{", "[", "<")) - (token.text in (")", "}", "]", ">"))
        depth -= 3 * (token.text == ">>>")
        if token.text != "," or depth:
            item.append(token)
            continue
        texts = [t.text for t in item]
        if "=" in texts:
            optional.append(_spelling(item[: texts.index("=")]))
        elif item and texts != ["void"]:
            required.append(_spelling(item))
        item = []
    return tuple(required), tuple(optional)


def _spelling(item: Sequence[Token]) -> str:
    if len(item) > 1 and item[-1].kind is Kind.NAME and item[-2].text != "::":
        kept = [t.text for t in item if t.text not in _NOT_TYPES]
        item = item[:-1] if len(kept) > 1 else item  # without the parameter's own name
    dropped = _NOT_TYPES | {"&", "&&", "::"}
    return "".join(_LIKE.get(t.text, t.text) for t in item if t.text not in dropped)


def scan(folder: Path) -> tuple[set[Key], dict[tuple[str, ...], set[str]]]:
    """What the headers below a folder declare: keys, and which classes derive from which."""
    keys: set[Key] = set()
    bases: dict[tuple[str, ...], set[str]] = {}
    for path in headers(folder):
        text = (folder / path).read_text("utf-8", "surrogateescape")
        for item in declarations(text):
            keys |= keys_of(item)
            if item.kind == "class":
                bases.setdefault((*item.scope, item.name), set()).update(item.types or ())
    return keys, bases


def keys_of(item: Declaration) -> set[Key]:
    """A key for each number of arguments that it can be called with: two that share one clash."""
    if item.kind == "define":
        return {("define", item.name)}
    if item.types is None or item.kind not in ("function", "friend"):
        return {(*item.scope, item.name, None)}
    end = len(item.types) - (item.types[-1:] == ("const",))
    front, back = item.types[:end], item.types[end:]
    return {
        (*item.scope, item.name, (*front, *item.optional[:count], *back))
        for count in range(len(item.optional) + 1)
    }


def headers(folder: Path) -> Iterable[str]:
    """The headers below a folder, by path."""
    found = (path for path in folder.rglob("*") if path.suffix in _HEADERS and path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)
