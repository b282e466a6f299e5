"""What must hold for every rewritten file, checked without any code of porter."""

from __future__ import annotations

import ast
import difflib
import filecmp
import io
import re
import symtable
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable
from importlib.util import decode_source
from pathlib import Path

THIRD_PARTY = frozenset(
    {"third_party", "3rdparty", "thirdparty", "third-party", "vendor", "vendored", "_vendor"}
)
NATIVE_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)


def comments(data: bytes) -> Counter[str]:
    """Every comment of a Python file, with how often it stands there."""
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def statements(data: bytes) -> dict[tuple[int, int], str]:
    """(first line, last line) of each statement, decorators included, to its syntax tree
    without positions."""
    return {
        (_first_line(node), node.end_lineno or node.lineno): ast.dump(node)
        for node in ast.walk(ast.parse(data))
        if isinstance(node, ast.stmt)
    }


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(part.lineno for part in (node, *decorators))


def kept_lines(before: bytes, after: bytes) -> dict[int, int]:
    """Line of `before` to line of `after`, for the lines that stayed byte for byte."""
    matcher = difflib.SequenceMatcher(
        None, before.splitlines(keepends=True), after.splitlines(keepends=True), autojunk=False
    )
    return {
        block.a + k + 1: block.b + k + 1
        for block in matcher.get_matching_blocks()
        for k in range(block.size)
    }


def broken(before: bytes, after: bytes) -> list[str]:
    """What a rewrite of a Python file did that it must not; empty when all is well."""
    try:
        new = statements(after)
    except SyntaxError as error:
        return [f"does not parse: {error}"]
    problems = []
    lost = comments(before) - comments(after)
    if lost:
        problems.append(f"comments lost: {sorted(lost)}")
    problems += hidden(before, after)
    lines = kept_lines(before, after)
    for (first, last), tree in statements(before).items():
        if all(line in lines for line in range(first, last + 1)):
            moved = (lines[first], lines[last])
            if moved[1] - moved[0] == last - first and new.get(moved) != tree:
                problems.append(f"line {first}: an unedited statement changed its meaning")
    return problems


def names_of(data: bytes, own: bool) -> dict[tuple[str, ...], set[str]]:
    """The names of each function, by its place: its own ones, or those from outside of it."""
    found: dict[tuple[str, ...], set[str]] = {}

    def look(table: symtable.SymbolTable, place: tuple[str, ...]) -> None:
        if table.get_type() == "function":
            names = found.setdefault(place, set())
            names |= {s.get_name() for s in table.get_symbols() if s.is_local() == own}
        for child in table.get_children():
            look(child, (*place, child.get_name()))

    look(symtable.symtable(decode_source(data), "file", "exec"), ())
    return found


def hidden(before: bytes, after: bytes) -> list[str]:
    """Names that a function took from outside and now binds itself: they are unknown above that."""
    outer = names_of(before, own=False)
    return [
        f"{'.'.join(place)}: {name} is now its own name"
        for place, names in names_of(after, own=True).items()
        for name in sorted(names & outer.get(place, set()))
    ]


def broken_native(before: bytes, after: bytes) -> list[str]:
    """What a rewrite of a C-family file did that it must not."""
    lost = Counter(NATIVE_COMMENT.findall(before)) - Counter(NATIVE_COMMENT.findall(after))
    problems = [f"comments lost: {sorted(lost)}"] if lost else []
    for pair in ("()", "{}", "[]"):
        was, now = ([data.count(sign.encode()) for sign in pair] for data in (before, after))
        if was[0] - was[1] != now[0] - now[1]:
            problems.append(f"{pair} balanced otherwise than before")
    return problems


def broken_toml(before: bytes, after: bytes) -> list[str]:
    """What a rewrite of a TOML file did that it must not."""
    try:
        tomllib.loads(after.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"does not parse: {error}"]
    return []


CHECKS = {".py": broken, ".toml": broken_toml}
CHECKS |= dict.fromkeys((".h", ".hpp", ".cuh", ".cu", ".cpp", ".cc", ".c", ".cxx"), broken_native)


def compare_trees(before: Path, after: Path, vendored: Iterable[str] = ()) -> tuple[list[str], int]:
    """Problems, and the number of files changed, added or deleted, between two trees.

    Git's own folder is left out. A change below a `vendored` folder is a problem.
    """
    problems = []
    old, new = _files(before), _files(after)
    changed = sorted(
        path
        for path in old | new
        if not (path in old and path in new and filecmp.cmp(before / path, after / path, False))
    )
    folders = [folder.rstrip("/") + "/" for folder in vendored]
    for path in changed:
        parts = path.split("/")[:-1]
        if any(path.startswith(folder) for folder in folders) or THIRD_PARTY & set(parts):
            problems.append(f"{path}: vendored code was changed")
        check = CHECKS.get(Path(path).suffix)
        if check and path in old and path in new:
            found = check((before / path).read_bytes(), (after / path).read_bytes())
            problems += [f"{path}: {problem}" for problem in found]
    return problems, len(changed)


def _files(root: Path) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if ".git" not in path.relative_to(root).parts and path.is_file() and not path.is_symlink()
    }
