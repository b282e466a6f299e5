"""The direction of imports, as docs/explanation/architecture.md draws it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.structure import cycles, import_graph, package_graph

PORTER = ROOT / "porter"
HEAVY = {"cattrs", "git", "libcst", "numpy", "paddle", "platformdirs", "rich", "torch", "typer"}
# What codemods of rules import, and no module of porter does.
CODEMODS = ("rules.rewrite", "rules.enabling")
ARCHITECTURE = ROOT / "docs" / "explanation" / "architecture.md"


def modules() -> Iterator[str]:
    """Every module of porter but the workers, which other interpreters run."""
    for path in sorted(PORTER.rglob("*.py")):
        name = ".".join(path.relative_to(PORTER).with_suffix("").parts)
        if "workers" not in name.split("."):
            yield name


@cache
def syntax(name: str) -> ast.Module:
    return ast.parse((PORTER / (name.replace(".", "/") + ".py")).read_text())


def imports(name: str, *, top: bool = False) -> set[str]:
    """Dotted names a module imports; with `top` only when it is loaded, not inside functions."""
    found: set[str] = set()
    for node in _loaded(syntax(name)) if top else ast.walk(syntax(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _loaded(tree: ast.AST) -> Iterator[ast.AST]:
    """Statements that run on import: no functions, and no `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _loaded(node)


def parts(name: str) -> set[str]:
    """The modules and packages of porter that a module imports: the word after `porter.`."""
    return {i.split(".")[1] for i in imports(name) if i.startswith("porter.")} - {"__version__"}


def belongs(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def only(names: set[str], *allowed: str) -> set[str]:
    return names - set(allowed)


def test_the_nouns_and_errors_import_nothing_of_porter() -> None:
    for name in modules():
        if belongs(name, "model") or name in ("errors", "host.alive"):
            assert only(parts(name), "model") == set(), name


def test_only_process_starts_processes() -> None:
    starters = {"subprocess", "os.system", "os.popen", "pty"}
    for name in modules():
        found = {i for i in imports(name) if i.split(".")[0] in starters}
        assert name == "host.process" or not found, name
        calls = {ast.unparse(n.func) for n in ast.walk(syntax(name)) if isinstance(n, ast.Call)}
        assert not calls & {"os.system", "os.popen", "os.execv", "os.fork"}, name


def test_only_the_repository_module_knows_git() -> None:
    knowing = {name for name in modules() if any(belongs(i, "git") for i in imports(name))}
    assert knowing == {"sources.repository"}


def test_only_the_console_prints() -> None:
    printing = set()
    for name in modules():
        for node in ast.walk(syntax(name)):
            text = ast.unparse(node) if isinstance(node, ast.Call | ast.Attribute) else ""
            if text.startswith(("print(", "typer.echo(")) or text in ("sys.stdout", "sys.stderr"):
                printing.add(name)
    assert printing == {"console"}


def test_residue_shares_nothing_with_the_rules() -> None:
    for name in modules():
        if belongs(name, "residue"):
            assert only(parts(name), "residue", "model", "surface", "targets", "uses") == set(), (
                name
            )
        if belongs(name, "surface") or belongs(name, "uses"):
            assert "rules" not in parts(name), "nor by way of the surface"


def test_rules_and_languages_know_no_stage_above_them() -> None:
    below = {"model", "errors", "languages", "host", "rules", "ascend", "surface", "targets"}
    for name in modules():
        if belongs(name, "languages"):
            assert only(parts(name), "languages", "model") == set(), name
        if belongs(name, "rules"):
            assert only(parts(name), *below) == set(), name


def test_stages_never_import_the_command_line() -> None:
    for name in modules():
        if not belongs(name, "cli") and name != "__main__":
            assert not parts(name) & {"cli", "__main__"}, name
        if not name.startswith(("cli", "console", "stages", "__main__")):
            assert "stages" not in parts(name), name


def test_only_the_command_line_and_the_console_itself_import_the_console() -> None:
    for name in modules():
        assert belongs(name, "cli") or name == "console" or "console" not in parts(name), name


def test_reports_come_from_the_record_alone() -> None:
    working = {"stages", "host", "sources", "migrate", "unit"}
    for name in modules():
        if belongs(name, "report"):
            assert not parts(name) & working, name


def test_workers_import_nothing_of_porter() -> None:
    for path in PORTER.rglob("workers/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not any(belongs(alias.name, "porter") for alias in node.names), path
            elif isinstance(node, ast.ImportFrom):
                assert not belongs(node.module or "", "porter"), path


def test_heavy_packages_are_imported_where_they_are_needed() -> None:
    for name in modules():
        heavy = {i.split(".")[0] for i in imports(name, top=True)} & HEAVY
        allowed = {"typer"} if belongs(name, "cli") else set()
        allowed |= {"libcst"} if name in CODEMODS else set()
        assert heavy <= allowed, name
    for name in only(set(modules()), *CODEMODS):
        loaded = {i.removeprefix("porter.") for i in imports(name)}
        assert not any(belongs(i, each) for i in loaded for each in CODEMODS), name


def test_no_module_of_porter_imports_in_a_circle() -> None:
    """Nor inside of functions, or for types alone."""
    graph = import_graph(ROOT)
    assert cycles(graph) == []
    assert cycles(package_graph(graph)) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "def f():\n    from porter import a\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from porter.a import x\n",
        "from .a import x\n",
        "import porter.a\n",
    ],
)
def test_a_circle_is_found_however_it_is_hidden(tmp_path: Path, hidden: str) -> None:
    folder = tmp_path / "porter"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "a.py").write_text("from porter.b import y\n")
    (folder / "b.py").write_text(hidden)
    assert cycles(import_graph(tmp_path)) == [["porter.a", "porter.b"]]


def test_the_architecture_page_says_what_each_module_imports() -> None:
    stated = dict(_stated())
    for name in modules():
        top = name.split(".")[0]
        if top.startswith("__"):
            continue
        assert top in stated, f"{top} is not in the table of {ARCHITECTURE.name}"
        allowed = stated[top]
        if allowed is not None:
            assert parts(name) - {top} <= allowed, name
    there = {path.name.removesuffix(".py") for path in PORTER.iterdir()}
    assert set(stated) <= there, "the table names what is not there"


def _stated() -> Iterator[tuple[str, set[str] | None]]:
    """Rows of the table: a module or package, and what it may import (None: everything)."""
    for line in ARCHITECTURE.read_text().splitlines():
        row = re.match(r"\| `(\w+)/?` \|.*\| ([^|]+) \|$", line)
        if row is not None:
            name, imported = row.groups()
            everything = imported.startswith("everything")
            yield name, None if everything else set(imported.split(", ")) - {"nothing"}
