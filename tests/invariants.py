"""What must hold for every rewritten file, checked without any code of porter."""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections import Counter
from pathlib import Path


def comments(data: bytes) -> Counter[str]:
    """Every comment of a Python file, with how often it stands there."""
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def statements(data: bytes) -> dict[tuple[int, int], str]:
    """(first line, last line) of each statement, to its syntax tree without positions."""
    return {
        (node.lineno, node.end_lineno or node.lineno): ast.dump(node)
        for node in ast.walk(ast.parse(data))
        if isinstance(node, ast.stmt)
    }


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
    lines = kept_lines(before, after)
    for (first, last), tree in statements(before).items():
        if all(line in lines for line in range(first, last + 1)):
            moved = (lines[first], lines[last])
            if moved[1] - moved[0] == last - first and new.get(moved) != tree:
                problems.append(f"line {first}: an unedited statement changed its meaning")
    return problems


def compare_trees(before: Path, after: Path) -> tuple[list[str], int]:
    """Problems, and the number of changed files, between two trees; git's own folder left out."""
    problems, changed = [], 0
    for path in sorted(after.rglob("*")):
        relative = path.relative_to(after)
        if ".git" in relative.parts or path.is_symlink() or not path.is_file():
            continue
        old = before / relative
        data = path.read_bytes()
        if not old.is_file():
            changed += 1
            continue
        original = old.read_bytes()
        if data == original:
            continue
        changed += 1
        if path.suffix == ".py":
            problems += [f"{relative}: {problem}" for problem in broken(original, data)]
    return problems, changed
