"""Migrate real packages and compare each rewritten file with what it was, without porter's checks.

The sdists come from the package index, pinned by hash, and are kept in $PORTER_PACKAGES, or in
`.cache/packages`. Each package is migrated in both styles, with `--review --no-compiler`; every
pass over every file is looked at, then the whole trees, then a second migration of the result.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import json
import os
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

from porter.languages.edits import Applied, apply
from porter.migrate import plan
from porter.model import Finding, Style
from porter.sources import sdist
from tests.hostile.case import Case
from tests.invariants import compare_trees

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(__file__).with_name("packages.json")
NATIVE = (".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hpp", ".inl")

Places = list[tuple[int, int]]  # [start, end) in bytes


def cases() -> Iterator[Case]:
    """Give one case for each pinned package."""
    for name, version, sha256 in json.loads(PACKAGES.read_text()):
        run = _runner(name, version, sha256)
        yield Case(group="real packages, rewritten", name=f"{name}=={version}", run=run)


def _runner(name: str, version: str, sha256: str) -> Callable[[Path], str | None]:
    def run(folder: Path) -> str | None:
        archive = fetch(name, version, sha256)
        problems: list[str] = []
        for style in Style:
            home = folder / str(style)
            source = home / "source"
            sdist.unpack(archive, source)
            problems += [f"{style}: {problem}" for problem in compare(source, home, style)]
        return "; ".join(problems) or None

    return run


def fetch(name: str, version: str, sha256: str) -> Path:
    """Return the pinned sdist from the cache, downloaded if it is not there."""
    folder = Path(os.environ.get("PORTER_PACKAGES", ROOT / ".cache" / "packages"))
    for path in folder.glob("*"):
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    archive = sdist.download(name, version, folder, lambda line: None)
    if archive.sha256 != sha256:
        raise ValueError(f"{archive.path.name} has sha256 {archive.sha256}, not {sha256}")
    return archive.path


def compare(source: Path, home: Path, style: Style) -> list[str]:
    """Migrate a tree twice; return what a pass, the patch, or the second run did wrong."""
    with watched() as problems:
        said, run = _migrate(source, home / "first", style)
    if run is None:
        return [f"migrate: {said}"]
    vendored = said.get("repository", {}).get("vendored", ())
    problems += compare_trees(run / "base", run / "tree", vendored)[0]
    problems += [f"{c['path']}: {c['where']}: {c['error']}" for c in said["crashes"]]
    again, _ = _migrate(run / "tree", home / "second", style)
    left = (again.get("patch") or {}).get("files", 0) if "error" not in again else str(again)
    return [*problems, f"a second run changes {left} files"] if left else problems


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """Collect what the edits of plans made inside of the block do beyond their own spans."""
    problems: list[str] = []

    def watch(data: bytes, findings: Iterable[Finding]) -> Applied:
        result = apply(data, findings)
        problems.extend(check_pass(data, result))
        return result

    with mock.patch.object(plan, "apply", watch):
        yield problems


def _migrate(source: Path, home: Path, style: Style) -> tuple[dict[str, Any], Path | None]:
    """Run `porter migrate` in this process: its JSON document, and the folder of its run."""
    from porter.cli.app import app

    arguments = ["migrate", str(source), "--review", "--no-compiler", "--style", str(style)]
    out = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"PORTER_HOME": str(home)}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        app([*arguments, "--target", "paddle", "--json"], standalone_mode=False)
    said: dict[str, Any] = json.loads(out.getvalue())
    return said, home / "runs" / said["run"] if "run" in said else None


def check_pass(data: bytes, result: Applied) -> list[str]:
    """Return what the edits of one pass over one file did beyond their own spans."""
    if not result.applied:
        return []
    path = result.applied[0].path
    edits = sorted({edit for finding in result.applied for edit in finding.edits})
    spans = [(edit.span.start, edit.span.end) for edit in edits]
    written: Places = []
    shift = 0
    for edit in edits:
        start = edit.span.start + shift
        written.append((start, start + len(edit.text)))
        shift += len(edit.text) - (edit.span.end - edit.span.start)
    problems = []
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        problems.append("edits overlap")
    if _outside(data, spans) != _outside(result.data, written):
        problems.append("bytes outside of the edits changed")
    if path.endswith((".py", ".pyi")):
        problems += check_python(data, result.data, spans, written)
    elif path.endswith(NATIVE):
        problems += check_native(data, result.data, spans, written)
    return [f"{path}: {problem}" for problem in problems]


def _outside(data: bytes, spans: Sequence[tuple[int, int]]) -> list[bytes]:
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(data)]
    return [data[start:end] for start, end in zip(starts, ends, strict=True)]


# ---------------------------------------------------------------------- Python


def check_python(before: bytes, after: bytes, spans: Places, written: Places) -> Iterator[str]:
    """Say where the rest of a Python file is not what it was, by its syntax trees and tokens."""
    try:
        new = ast.parse(after)
    except (SyntaxError, ValueError) as error:
        yield f"does not parse: {error}"
        return
    lost = _python_comments(before) - _python_comments(after)
    if lost:
        yield f"comments lost: {sorted(lost)}"
    if list(_untouched(ast.parse(before), before, spans)) != list(_untouched(new, after, written)):
        yield "a statement outside of the edits is not what it was"


def _python_comments(data: bytes) -> Counter[str]:
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def _untouched(tree: ast.Module, data: bytes, spans: Places) -> Iterator[tuple[str, ...]]:
    """Give the outermost statements that no span touches: the blocks that they are in, and what
    they say."""
    lines = data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0]).encode()
    bom = len(data) - len(data.removeprefix(b"\xef\xbb\xbf"))
    starts = [bom, *(bom + n + 1 for n, sign in enumerate(lines) if sign == ord("\n"))]

    def visit(node: ast.AST, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    first = min([child, *getattr(child, "decorator_list", [])], key=_begin)
                    start = starts[first.lineno - 1] + first.col_offset
                    end = starts[child.end_lineno - 1] + child.end_col_offset  # type: ignore
                    if any(s <= end and start <= e for s, e in spans):
                        yield from visit(child, (*place, field, type(child).__name__))
                    else:
                        yield (*place, field, ast.dump(child))
                elif isinstance(child, ast.excepthandler | ast.match_case):
                    yield from visit(child, (*place, field))

    yield from visit(tree, ())


def _begin(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


# ------------------------------------------------------------- C, C++ and CUDA


def check_native(before: bytes, after: bytes, spans: Places, written: Places) -> Iterator[str]:
    """Say where the rest of a C-family file is not what it was, by the tokens of Pygments."""
    old, new = _native_tokens(before), _native_tokens(after)
    lost = Counter(t for _, kind, t in old if kind == "comment") - Counter(
        t for _, kind, t in new if kind == "comment"
    )
    if lost:
        yield f"comments lost: {sorted(lost)}"
    if _apart(old, spans) != _apart(new, written):
        yield "a token outside of the edits is not what it was"
    for left, right in ("()", "[]", "{}"):
        surplus = [sum(_sign(t, left, right) for t in tokens) for tokens in (old, new)]
        if surplus[0] != surplus[1]:
            yield f"{left}{right} do not balance as before"


def _native_tokens(data: bytes) -> list[tuple[int, str, str]]:
    """(offset, kind, text) of all that is no white space."""
    from pygments.lexers import CppLexer
    from pygments.token import Comment, String

    def kind(type_: Any) -> str:
        if type_ in Comment and type_ not in Comment.Preproc and type_ not in Comment.PreprocFile:
            return "comment"
        return "string" if type_ in String else "code"

    tokens = CppLexer().get_tokens_unprocessed(data.decode("latin-1"))
    return [(at, kind(type_), text) for at, type_, text in tokens if text.strip()]


def _apart(tokens: list[tuple[int, str, str]], spans: Places) -> list[tuple[str, str]]:
    """The tokens that no span touches."""
    return [
        (kind, text.strip())
        for at, kind, text in tokens
        if not any(start <= at + len(text) and at <= end for start, end in spans)
    ]


def _sign(token: tuple[int, str, str], left: str, right: str) -> int:
    return token[2].count(left) - token[2].count(right) if token[1] == "code" else 0
