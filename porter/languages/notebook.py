"""Jupyter notebooks: the Python of the code cells as one text, edits of it as edits of the JSON."""

from __future__ import annotations

import ast
import json
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from porter.languages.text import Unreadable
from porter.model import Edit, Finding, Span

FORMAT = 4  # of notebooks that have their cells in one list
OPENING = b"\n\n"  # so that no comment of a cell is taken for the encoding of the text
OF_PYTHON = frozenset({"capture", "memit", "prun", "time", "timeit"})  # `%%` of Python code
_CELL_MAGIC = re.compile(r"\s*%%(\w*)[^\n]*")
_TIMED = re.compile(
    r"([ \t]*)(\w+[ \t]*=[ \t]*)?(%(?:memit|prun|timeit|time)(?:[ \t]+-\w+(?:[ \t]*\d+)?)*[ \t]+)"
)
_MAGIC = re.compile(r"([ \t]*(?:[\w., \t]+=[ \t]*)?)([%!?].*|[\w.*]+\?\??[ \t\r]*)\Z")
# Of valid JSON: strings, names in objects with their colon, and brackets.
_TOKEN = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*:)?|[{}\[\]]')
_ESCAPE = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\]+", re.DOTALL)

Said = tuple[tuple[int, str], ...]  # number of a cell, 0 for the whole notebook; what it is


@dataclass(frozen=True, slots=True)
class Cell:
    """A Python cell: its number among all cells, from 1, and where it begins in the text."""

    number: int
    line: int
    at: int


@dataclass(frozen=True, slots=True)
class _String:
    """One string of the JSON that holds a part of the text, quotes not counted."""

    start: int
    end: int
    at: int  # where the part is in the text
    between: bytes  # what in the JSON follows a line that is not the cell's last


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook as read. `text` has the Python cells, one after the other, in which magics are
    masked; `others` are cells of other languages, `broken` those that are no Python; `frame` is
    all else that the notebook says."""

    data: bytes
    text: bytes
    cells: tuple[Cell, ...]
    others: Said
    broken: Said
    frame: Any
    _strings: tuple[_String, ...]
    _written: bytes  # the text with its magics
    _ascii: bool  # the file has no other characters

    def place(self, line: int) -> tuple[int, int]:
        """The number of the cell, and the line in it, of a line of the text."""
        cell = self.cells[max(bisect_right(self.cells, line, key=lambda c: c.line) - 1, 0)]
        return cell.number, max(line - cell.line + 1, 1)

    def span(self, span: Span) -> Span | None:
        """The bytes of the file that hold a span of the text; None where they are of several
        cells, or of a magic."""
        first, last = (
            bisect_right(self.cells, at, key=lambda c: c.at) for at in (span.start, span.end)
        )
        same = self.text[span.start : span.end] == self._written[span.start : span.end]
        if first != last or not same:
            return None
        return Span(self._offset(span.start), self._offset(span.end))

    def map_finding(self, finding: Finding) -> Finding:
        """A finding in the text as one in the file: where its edits cannot be made, without any."""
        cell, line = self.place(finding.line)
        edits = [self.edit(edit) for edit in finding.edits]
        return replace(
            finding,
            span=self.span(finding.span) or Span(0, 0),
            cell=cell,
            line=line,
            edits=tuple(edit for edit in edits if edit) if all(edits) else (),
        )

    def edit(self, edit: Edit) -> Edit | None:
        """The edit of the file that makes an edit of the text; None where `span` is."""
        span = self.span(edit.span)
        if span is None:
            return None
        lines = edit.text.decode().split("\n")
        said = [json.dumps(line, ensure_ascii=self._ascii)[1:-1].encode() for line in lines]
        return Edit(span, (rb"\n" + self._string(edit.span.start).between).join(said))

    def map_offset(self, offset: int) -> int:
        """The place in the text of an offset of the file that lies in one of its strings."""
        index = bisect_right(self._strings, offset, key=lambda s: s.start) - 1
        string = self._strings[index]
        return string.at + len(
            _decode_string(self.data[string.start : min(offset, string.end)]).encode()
        )

    def _string(self, at: int) -> _String:
        return self._strings[bisect_right(self._strings, at, key=lambda s: s.at) - 1]

    def _offset(self, at: int) -> int:
        string = self._string(at)
        return string.start + _raw(self.data[string.start : string.end], at - string.at)


def parse(data: bytes) -> Notebook:
    """Read a notebook of format 4. Raises Unreadable with the reason."""
    document = _document(data)
    places = list(_places(data))
    text, written, line = [OPENING], [OPENING], OPENING.count(b"\n") + 1
    at = len(OPENING)
    cells: list[Cell] = []
    strings: list[_String] = []
    others: list[tuple[int, str]] = []
    broken: list[tuple[int, str]] = []
    language = _language(document.get("metadata"))
    if language:
        others.append((0, f"a notebook of {language}"))
    for number, (cell, spans) in enumerate(zip(document["cells"], places, strict=True), 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell.pop("source", "")
        source = "".join(source) if isinstance(source, list) else source
        if source != "".join(_decode_string(data[span.start : span.end]) for span in spans):
            raise Unreadable("says the source of a cell twice")
        if language or not source.strip():
            continue
        found, reason = _python(source, cell)
        if found is None:
            (broken if reason.startswith("line ") else others).append((number, reason))
            continue
        cells.append(Cell(number, line, at))
        strings += _locate(data, spans, at)
        text += [found, b"\n"]
        written += [source.encode(), b"\n"]
        at += len(found) + 1
        line += found.count(b"\n") + 1
    return Notebook(
        data, b"".join(text), tuple(cells), tuple(others), tuple(broken), document,
        tuple(strings), b"".join(written), data.isascii(),
    )  # fmt: skip


def _document(data: bytes) -> Any:
    try:
        document = json.loads(data)
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not valid JSON: line {error.lineno}: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not valid JSON: cannot be decoded: {error}") from error
    except (RecursionError, ValueError) as error:
        raise Unreadable(f"is not valid JSON that can be read: {error}") from error
    if not isinstance(document, dict):
        raise Unreadable("is not a notebook: its JSON is no object")
    version = document.get("nbformat")
    if version != FORMAT:
        raise Unreadable(f"is of notebook format {version}, not {FORMAT}")
    cells = document.get("cells")
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise Unreadable("is not a notebook: it has no list of cells")
    return document


def _is_cell(cell: object) -> bool:
    source = cell.get("source", "") if isinstance(cell, dict) else None
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines)


def _language(metadata: object) -> str:
    """The language of a notebook's kernel, where it is not Python."""
    for table, name in (("kernelspec", "language"), ("language_info", "name")):
        inner = metadata.get(table) if isinstance(metadata, dict) else None
        said = inner.get(name) if isinstance(inner, dict) else None
        if isinstance(said, str) and said and "python" not in said.lower():
            return said
    return ""


def _places(data: bytes) -> Iterator[list[Span]]:
    """For each cell the strings of its source, in a file of valid JSON."""
    names: list[bytes] = []  # of the values around; empty in lists
    spans: list[Span] = []
    for match in _TOKEN.finditer(data):
        text = match[0]
        if text in (b"{", b"["):
            names.append(b"")
        elif text in (b"}", b"]"):
            names.pop()
            if names == [b"cells", b""]:
                yield spans
                spans = []
        elif match[2]:
            names[-1] = match[1]
        elif names[:1] == [b"cells"] and names[2:] in ([b"source"], [b"source", b""]):
            spans.append(Span(*match.span(1)))


def _locate(data: bytes, spans: list[Span], at: int) -> Iterator[_String]:
    start = spans[0].start - 1
    opening = data[data.rfind(b"[", 0, start) + 1 : start]
    listed = not opening.strip()  # else one string, after its name
    between = b'",' + opening + b'"' if listed else b""
    for span, following in zip(spans, [*spans[1:], None], strict=True):
        between = data[span.end : following.start] if following else between
        yield _String(span.start, span.end, at, between)
        at += len(_decode_string(data[span.start : span.end]).encode())


# --------------------------------------------------------------------- strings


def _decode_string(raw: bytes) -> str:
    """What is said by the inside of a JSON string."""
    return str(json.loads(b'"' + raw + b'"')) if b"\\" in raw else raw.decode()


def _raw(raw: bytes, count: int) -> int:
    """Where in the inside of a JSON string the byte `count` of what it says is written."""
    for match in _ESCAPE.finditer(raw):
        if count <= 0 or (match[0][:1] != b"\\" and count < len(match[0])):
            return match.start() + max(count, 0)
        count -= len(_decode_string(match[0]).encode())
    return len(raw)


# ---------------------------------------------------------------------- magics


def _python(source: str, cell: dict[str, Any]) -> tuple[bytes | None, str]:
    """The Python of a cell, as long as it is, with magics masked; or None and what it is."""
    metadata = cell.get("metadata")
    vscode = metadata.get("vscode") if isinstance(metadata, dict) else None
    language = vscode.get("languageId") if isinstance(vscode, dict) else None
    if isinstance(language, str) and language != "python":
        return None, f"a cell of {language}"
    magic = _CELL_MAGIC.match(source)
    if magic and magic[1] not in OF_PYTHON:
        return None, f"a cell of %%{magic[1]}"
    if magic:
        head = re.sub(r"[^\s]", lambda m: " " * len(m[0].encode()), magic[0])
        source = head + source[magic.end() :]
    reason = _why_no_python(source)
    if reason:
        source = "\n".join(_mask_magics(source.split("\n")))
        reason = _why_no_python(source) and reason
    return (None, reason) if reason else (source.encode(), "")


def _why_no_python(source: str) -> str:
    try:
        source.encode()
        if "\0" in source or "\r" in source.replace("\r\n", ""):
            return "line 1: has NUL characters or bare carriage returns"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"\n{source}")  # in no first line of a text, where more is allowed
    except SyntaxError as error:
        return f"line {max((error.lineno or 0) - 1, 1)}: {error.msg}"
    except ValueError:
        return "line 1: has characters that UTF-8 cannot write"
    except (RecursionError, MemoryError):
        return "line 1: is nested too deeply to parse"
    return ""


def _mask_magics(lines: list[str]) -> Iterator[str]:
    """Lines as long as they were, with statements that do nothing in place of magics, and without
    the `%time` before a statement."""
    continued = False
    for line in lines:
        timed, magic = _TIMED.match(line), _MAGIC.match(line)
        if continued:
            continued = line.rstrip("\r").endswith("\\")
            line = " " * len(line.encode())
        elif timed:
            rest = line[timed.end() :]
            opening = (timed[2] or "0;").ljust(len(timed[2] or "") + len(timed[3]))
            line = f"{timed[1]}{opening}{rest}"
        elif magic:
            continued = line.rstrip("\r").endswith("\\")
            line = magic[1] + "0".ljust(len(magic[2].encode()))
        yield line
