"""Cython by its tokens: which dotted names are of imports; nothing here writes Cython."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from porter.languages.text import Text
from porter.model import Span

# Comments and strings, of Python too.
TEXT = re.compile(
    rb'#[^\n]*|("""|\'\'\')(?:\\.|(?!\1).)*(?:\1|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_NAME = rb"[A-Za-z_]\w*"
_DOTTED = _NAME + rb"(?:[ \t]*\.[ \t]*" + _NAME + rb")*"
_CHAIN = re.compile(rb"(?<![\w.])" + _DOTTED)
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<base>" + _DOTTED + rb")[ \t]+)?import[ \t]+"
    rb"(?P<names>\([^)]*\)|(?:\\\r?\n|[^\n;])*)",
    re.MULTILINE,
)
_ALIAS = re.compile(rb"(?P<name>" + _DOTTED + rb")(?:\s+as\s+(?P<alias>" + _NAME + rb"))?")


@dataclass(frozen=True, slots=True)
class Name:
    """A dotted name resolved to where it was imported from, and its offset."""

    qualified: str
    start: int


@dataclass
class Document(Text):
    """One Cython file; what scopes bind is not looked at, as they are not read."""

    names: tuple[Name, ...] = ()  # imports too, in the order of place

    def comments(self) -> Iterator[Span]:
        found = TEXT.finditer(self.data)
        return (Span(*match.span()) for match in found if match[0].startswith(b"#"))


def parse(data: bytes, path: str) -> Document:
    """Read a file; nothing is too odd for it."""
    code = TEXT.sub(lambda m: re.sub(rb"[^\n]", b" ", m[0]), data)
    bound: dict[str, str] = {}
    imported: list[Name] = []
    spans = []
    for match in _IMPORT.finditer(code):
        spans.append(match.span())
        base = _text(match["base"] or b"")
        for alias in _ALIAS.finditer(code, *match.span("names")):
            name = _text(alias["name"])
            whole = f"{base}.{name}" if base else name
            imported.append(Name(whole, alias.start()))
            short = _text(alias["alias"] or b"") or (name if base else name.partition(".")[0])
            bound[short] = whole if base or alias["alias"] else short
    used = _find_uses(code, bound)
    used = (n for n in used if not any(start <= n.start < end for start, end in spans))
    return Document(data, path, tuple(sorted([*imported, *used], key=lambda n: n.start)))


def _find_uses(code: bytes, bound: Mapping[str, str]) -> Iterator[Name]:
    for match in _CHAIN.finditer(code):
        first, _, rest = _text(match[0]).partition(".")
        if first in bound:
            yield Name(f"{bound[first]}.{rest}" if rest else bound[first], match.start())


def _text(name: bytes) -> str:
    return b"".join(name.split()).decode()
