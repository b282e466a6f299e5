"""The byte edits that make one LibCST tree of another: changed nodes alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, groupby
from operator import itemgetter, ne
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from porter.languages.python import BOM, Module
from porter.model import Edit, Span

if TYPE_CHECKING:
    import libcst as cst
    from libcst.metadata import MetadataWrapper

Known: TypeAlias = "Mapping[cst.CSTNode, str]"
# A replaced range of a text, and what stands there instead.
Change: TypeAlias = tuple[int, int, str]
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_WORDS = re.compile(r"\w+|\s|[^\w\s]")
# LibCST drops form feeds before indentation; it never sees them, and they stay.
_FORM_FEEDS = re.compile(r"(?m)^[ \t]*\x0c[ \t\x0c]*")


class SourceText:
    """A file's bytes as the text that LibCST reads, with offsets of both."""

    def __init__(self, module: Module) -> None:
        self._encoding = module.encoding
        self._bom = len(BOM) if module.data.startswith(BOM) else 0
        whole = module.data[self._bom :].decode(module.encoding)
        self._whole = whole
        self._feeds = [
            at
            for match in _FORM_FEEDS.finditer(whole)
            for at in range(match.start(), match.end())
            if whole[at] == "\x0c"
        ]
        self.text = "".join(c for _, c in self._characters()) if self._feeds else whole

    def _characters(self) -> Iterator[tuple[int, str]]:
        feeds = set(self._feeds)
        return ((at, char) for at, char in enumerate(self._whole) if at not in feeds)

    def utf8_span(self, span: Span) -> tuple[int, int]:
        """Return start and length in UTF-8 bytes of the text, as LibCST counts spans."""
        start, end = (self._utf8_offset(offset) for offset in (span.start, span.end))
        return start, end - start

    def _utf8_offset(self, offset: int) -> int:
        if not self._feeds and self._encoding in ("utf-8", "ascii"):
            return offset - self._bom
        before = (self._whole.encode(self._encoding)[: offset - self._bom]).decode(self._encoding)
        return len(before.encode()) - bisect_right(self._feeds, len(before) - 1)

    def edit(self, change: Change) -> Edit:
        """Return a change of the text as an edit of the file.

        Raises ValueError where it would drop a form feed, or a character that the file's
        encoding lacks.
        """
        start, end, new = change
        first, last = self._character(start), self._character(end)
        if last - first != end - start:
            raise ValueError("the change covers a form feed")
        return Edit(Span(self._byte(first), self._byte(last)), new.encode(self._encoding))

    def _character(self, offset: int) -> int:
        """An offset of the text in the whole file: after the form feeds that stand there."""
        for feed in self._feeds:
            if feed > offset:
                break
            offset += 1
        return offset

    def _byte(self, character: int) -> int:
        if self._whole.isascii():
            return self._bom + character
        return self._bom + len(self._whole[:character].encode(self._encoding))


def changes(old: cst.Module, new: cst.Module, code: Sequence[str]) -> list[Change]:
    """Return what to replace in the code of `old`, given in parts, to get that of `new`, in order.

    Statements of the module are compared by their code; in those that differ the nodes are,
    down to the smallest that changed.
    """
    unchanged = old.body if old.has_trailing_newline else old.body[:-1]
    parts = [code, parts_of(new, dict(zip(unchanged, code[1:], strict=False)))]
    before, after = map("".join, parts)
    # The last statement of a file that does not end its last line is compared as text.
    last = len(parts[0]) - 1 - (not (old.has_trailing_newline and new.has_trailing_newline))
    found: list[Change] = []
    ends = [[0, *accumulate(map(len, texts))] for texts in parts]
    for i1, i2, j1, j2 in _find_differences(parts[0], parts[1]):
        start, end = ends[0][i1], ends[0][i2]
        if i1 > 0 and i2 <= last and i2 - i1 == j2 - j1:
            run = _Pair(
                _Placed(old, range(i1 - 1, i2 - 1), before[start:end], parsed=True),
                _Placed(new, range(j1 - 1, j2 - 1), "".join(parts[1][j1:j2])),
            )
            found += [(a + start, b + start, text) for a, b, text in run.changes()]
        else:
            found += _trim_change(start, before[start:end], after[ends[1][j1] : ends[1][j2]])
    assert _splice(before, found) == after
    return found


def parts_of(module: cst.Module, known: Known = MappingProxyType({})) -> list[str]:
    """The code of a module's header, of each statement whose code is not known, of its footer."""
    code = module.code_for_node
    bodies = [known.get(statement) or code(statement) for statement in module.body]
    parts = ["".join(map(code, module.header)), *bodies, "".join(map(code, module.footer))]
    if not module.has_trailing_newline:
        last = max((index for index, part in enumerate(parts) if part), default=0)
        parts[last] = parts[last].removesuffix("\n").removesuffix("\r")
    return parts


def _find_differences(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    if len(old) == len(new):  # one for one, in linear time
        differ = map(ne, old, new)
        for changed, run in groupby(enumerate(differ), key=itemgetter(1)):
            at = [index for index, _ in run]
            if changed:
                yield at[0], at[-1] + 1, at[0], at[-1] + 1
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    yield from ((i1, i2, j1, j2) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


class _Pair:
    """As many statements of an old and of a new module, with the code of each of their nodes."""

    def __init__(self, old: _Placed, new: _Placed) -> None:
        self._old, self._new = old, new

    def changes(self) -> list[Change]:
        """What to replace in the code of the old statements."""
        pairs = zip(self._old.statements, self._new.statements, strict=True)
        return [change for old, new in pairs for change in self._diff(old, new)]

    def _diff(self, old: cst.CSTNode, new: cst.CSTNode) -> list[Change]:
        before, after, at = self._old.text(old), self._new.text(new), self._old.places[old].start
        if before == after:
            return []
        if type(old) is type(new):
            found = self._diff_sequences(old.children, new.children)
            shifted = [(start - at, end - at, text) for start, end, text in found]
            if _splice(before, shifted) == after:
                return found
        return _trim_change(at, before, after)

    def _diff_sequences(
        self, old: Sequence[cst.CSTNode], new: Sequence[cst.CSTNode]
    ) -> list[Change]:
        found: list[Change] = []
        texts = [*map(self._old.text, old)], [*map(self._new.text, new)]
        for i1, i2, j1, j2 in _find_differences(*texts):
            if i2 - i1 == j2 - j1:
                for left, right in zip(old[i1:i2], new[j1:j2], strict=True):
                    found += self._diff(left, right)
                continue
            run = self._old.run(old, i1, i2), self._new.run(new, j1, j2)
            found += _trim_change(
                run[0].start, self._old.text_at(run[0]), self._new.text_at(run[1])
            )
        return found


@cache
def wrapper_class() -> type[MetadataWrapper]:
    """LibCST's, without a walk of the tree for no visitor after what needs none."""
    from libcst.metadata import MetadataWrapper

    class Wrapper(MetadataWrapper):
        def visit_batched(self, visitors: Iterable[Any], *around: Any, **named: Any) -> cst.CSTNode:
            some = [*visitors]
            return super().visit_batched(some, *around, **named) if some else self.module

    return Wrapper


class _Placed:
    """Statements of a module, and where each node is in their code. What was `parsed` has each
    node once, and need not be copied."""

    def __init__(
        self, module: cst.Module, which: range, code: str, *, parsed: bool = False
    ) -> None:
        from libcst.metadata import WhitespaceInclusivePositionProvider

        body = [module.body[index] for index in which]
        wrapper = wrapper_class()(
            module.with_changes(header=(), footer=(), body=body, has_trailing_newline=True),
            unsafe_skip_copy=parsed,
        )
        self.statements = wrapper.module.body
        self._code = code
        lines = [0, *accumulate(map(len, re.split(r"(?<=\n)|(?<=\r)(?!\n)", self._code)))]
        self.places = {
            node: Span(
                lines[place.start.line - 1] + place.start.column,
                lines[place.end.line - 1] + place.end.column,
            )
            for node, place in wrapper.resolve(WhitespaceInclusivePositionProvider).items()
        }

    def text_at(self, span: Span) -> str:
        return self._code[span.start : span.end]

    def text(self, node: cst.CSTNode) -> str:
        return self.text_at(self.places[node])

    def run(self, nodes: Sequence[cst.CSTNode], first: int, last: int) -> Span:
        """Where some of the children of a node are, with what stands behind each of them, or
        before it where nothing follows."""
        if last < len(nodes):
            return Span(self.places[nodes[first]].start, self.places[nodes[last]].start)
        end = self.places[nodes[-1]].end if nodes else 0
        return Span(self.places[nodes[first - 1]].end if first else end, end)


def _trim_change(start: int, before: str, after: str) -> list[Change]:
    """One change without the lines, and then the words, that both texts begin and end with."""
    for pattern in (_LINES, _WORDS):
        old, new = pattern.findall(before), pattern.findall(after)
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
        start += sum(map(len, old[:head]))
        before = "".join(old[head : len(old) - tail])
        after = "".join(new[head : len(new) - tail])
    return [(start, start + len(before), after)] if before or after else []


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many items two sequences begin with that are the same."""
    pairs = zip(old, new, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))


def _splice(text: str, found: Sequence[Change]) -> str:
    parts, end = [], 0
    for start, stop, new in sorted(found):
        parts += [text[end:start], new]
        end = stop
    return "".join([*parts, text[end:]])
