"""Every call of git in porter: from one module, on repositories that porter made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter.sources import repository
from porter.sources.repository import GitFailed
from tests.conftest import ROOT
from tests.hostile import trial

PORTER = ROOT / "porter"

# What each module asks git, on which folder: `tree` is a run's, `seen` a view of the user's
# repository without its configuration, `aside` a work tree of a view, or an empty repository.
CALLS = {
    "checkout": {("base", "update-ref"), ("base", "rev-parse"), ("tree", "add")},
    "clone": {
        *(("tree", name) for name in ("checkout", "reset", "read-tree", "ls-files", "add")),
        *(("tree", name) for name in ("diff", "submodule", "rm", "<command>")),
        ("seen", "rev-parse"),
    },
    "branch": {
        *(("tree", name) for name in ("am", "checkout", "log")),
        *(("seen", name) for name in ("status", "update-ref", "check-ref-format", "rev-parse")),
        *(("seen", "var"), ("seen", "<asked>")),
    },
    "fixed": {("run.tree", "diff"), ("run.tree", "show")},
    "pinned": {("aside", "<asked>")},
    "patch": {("tree", name) for name in ("add", "diff", "format-patch", "rev-parse")},
    "repository": {
        *(("tree", name) for name in ("init", "commit", "rev-parse", "reset", "checkout", "clean")),
        *(("tree", name) for name in ("tag", "var")),
    },
    "view": {("seen", "ls-files"), ("seen", "for-each-ref"), ("folder", "config")},
}


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(PORTER.rglob("*.py")):
        name = path.stem
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("git", "repository.git"):
                yield name, node


def _command(call: ast.Call) -> str:
    """The first word that is no option or setting; variables by their names."""
    words = [
        part.value if isinstance(part, ast.Constant) else f"<{ast.unparse(part)}>"
        for part in call.args[1:]
    ]
    options = ("-", "<*", "<f'--", "<at>")
    return next((w for w in words if not w.startswith(options) and "=" not in w), "<asked>")


def test_each_call_of_git_is_known() -> None:
    found: dict[str, set[tuple[str, str]]] = {}
    for name, call in _calls():
        command = _command(call)
        if command == "<asked>":  # a tuple that begins with the command
            command = {"repository": "rev-parse"}.get(name, command)
        found.setdefault(name, set()).add((ast.unparse(call.args[0]), command))
    assert found == CALLS


def test_nothing_else_starts_git() -> None:
    for path in sorted(PORTER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.List | ast.Tuple) and node.elts:
                first = node.elts[0]
                program = isinstance(first, ast.Constant) and first.value == "git"
                assert not program or path.name == "doctor.py", f"{path}:{node.lineno}"


def test_a_repository_that_porter_did_not_make_is_refused(tmp_path: Path) -> None:
    repo = trial.copy_repository(tmp_path / "repo")
    with pytest.raises(GitFailed):
        repository.git(repo, "status")
