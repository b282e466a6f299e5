"""Errors where a macro of the command line, or of the user's, replaces a name in a header.

g++ places such an error at `<command-line>`, or where the macro is defined, clang and nvcc in the
header. Which macro it was is said in a note below, or shows in the line: g++ shows it as it is
written, nvcc as it is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_ERROR = re.compile(
    r"^(?P<at>(?P<path><command[- ]line>|<built-in>|[^\s:()][^:()]*)(?::\d+)*"
    r"|(?P<edg>[^\s:()]+)\((?P<line>\d+)\)): (?:fatal )?error: (?P<m>.+)$"
)
_EXPANSION = re.compile(
    r"^(?P<path>[^\s:][^:]*):\d+:\d+: note: in expansion of macro '(?P<name>\w+)'"
)
_CLANG = re.compile(r"^<command line>:\d+:\d+: note: expanded from macro '(?P<name>\w+)'")
_DEFINED = re.compile(r"(?:^|\s)['\"]?-D\s?(?P<name>[A-Za-z_]\w*)(?:=(?P<value>\S*))?")
_HEADER = re.compile(r"/site-packages/|^/usr/|^/opt/|/include/")
_PYTHON = frozenset({"None", "True", "False"})
_AFTER = 12  # lines: the notes of one error


def name_macros(text: str, tree: Path) -> str:
    """The log with the macro, and the option that defines it, in the message of such an error."""
    if " error: " not in text:
        return text
    lines = text.splitlines()
    defined: dict[str, str] = {}  # on the last command line: macro -> option
    for index, line in enumerate(lines):
        options = {m["name"]: m[0].strip(" '\"") for m in _DEFINED.finditer(line)}
        defined = options or defined
        found = _ERROR.match(line.translate(_QUOTES))
        if found:
            notes = [*_notes(lines, index)]
            macro = _find_macro(found, notes, defined, tree) if found["edg"] and defined else ""
            lines[index] = _explain_macro(line, found, notes, defined, macro)
    return "\n".join(lines)


_QUOTES = str.maketrans({"‘": "'", "’": "'"})


def _notes(lines: Sequence[str], index: int) -> Iterator[str]:
    """What is said of an error, up to the next."""
    for line in lines[index + 1 : index + _AFTER]:
        plain = line.translate(_QUOTES)
        if _ERROR.match(plain):
            return
        yield plain


def _explain_macro(
    line: str, found: re.Match[str], notes: Sequence[str], defined: dict[str, str], macro: str
) -> str:
    path = header = found["path"] or found["edg"]
    expansions = [m for note in notes if (m := _EXPANSION.match(note))]
    clang = next((m for note in notes if (m := _CLANG.match(note))), None)
    in_header = all(_HEADER.search(m["path"]) for m in expansions) and not _HEADER.search(path)
    if expansions and (path.startswith("<") or in_header):
        macro, header = expansions[0]["name"], expansions[0]["path"]
    elif clang:
        macro = clang["name"]
    if not macro and path.startswith("<"):
        macro = _one_of(defined, _words(notes))
    if not macro:
        return line.replace(f"{path}: ", f"{path}:1: ", 1) if path.startswith("<") else line
    by = defined.get(macro, "an option" if path.startswith("<") else f"a macro of {path}")
    why = ", a value of Python's written as text," if macro in _PYTHON else ""
    where = "a header" if header.startswith("<") else header.rpartition("/site-packages/")[2]
    at = f"{path}:1" if path.startswith("<") and ":" not in found["at"] else found["at"]
    return f"{at}: error: {by}{why} replaces the name '{macro}' in {where}: {found['m']}"


def _find_macro(
    found: re.Match[str], notes: Sequence[str], defined: dict[str, str], tree: Path
) -> str:
    """The one macro of the command line that is in a line as written, and not as compiled."""
    try:
        lines = (tree / found["edg"]).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    written = _words(lines[int(found["line"]) - 1 : int(found["line"])])
    return _one_of(defined, written - _words(notes[:1]))


def _words(lines: Sequence[str]) -> set[str]:
    return {word for line in lines[:4] for word in re.findall(r"\w+", line)}


def _one_of(defined: dict[str, str], words: set[str]) -> str:
    among = [name for name in defined if name in words]
    return among[0] if len(among) == 1 else ""
