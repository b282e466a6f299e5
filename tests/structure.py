"""Measure porter's own structure: size, complexity, cycles, and where targets are named.

`python -m tests.structure [TREE]` prints the table, of this checkout or another.
"""

from __future__ import annotations

import ast
import json
import re
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ("paddle", "mindspore", "torch_npu", "ascend")
COMPLEXITY = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function or method; `lines` as the editor counts them."""

    place: str  # path:line
    name: str
    lines: int
    typed: bool  # what it returns


def modules(root: Path) -> list[Path]:
    return sorted((root / "porter").rglob("*.py"))


def line_count(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def functions(root: Path) -> Iterator[Function]:
    for path in modules(root):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                yield Function(
                    place=f"{path.relative_to(root)}:{node.lineno}",
                    name=node.name,
                    lines=node.end_lineno - node.lineno + 1,
                    typed=node.returns is not None,
                )


def complex_functions(root: Path, most: int = COMPLEXITY) -> list[str]:
    """Return `path:line message` of the functions whose McCabe complexity is above `most`."""
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901"]
    config = ["--config", f"lint.mccabe.max-complexity={most}", "--output-format", "json"]
    done = subprocess.run([*ruff, *config, "porter"], cwd=root, capture_output=True, text=True)
    found = json.loads(done.stdout)
    places = (
        (Path(item["filename"]).relative_to(root), item["location"]["row"], item["message"])
        for item in found
    )
    return [f"{path}:{row} {message}" for path, row, message in places]


def imported(path: Path, package: str, names: set[str]) -> set[str]:
    """Return the modules of porter that a module imports anywhere, lazily and for types, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            inner = {f"{module}.{alias.name}" for alias in node.names}
            found |= {name if name in names else module for name in inner}
    return found & names


def import_graph(root: Path) -> dict[str, set[str]]:
    """Return the modules of porter that each module imports, both by dotted names."""
    paths = {}
    for path in modules(root):
        parts = path.relative_to(root).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        name: imported(path, ".".join(path.relative_to(root).parent.parts), set(paths)) - {name}
        for name, path in paths.items()
    }


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that reach each other (strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for name in sorted(graph):
        if name not in index:
            visit(name)
    return groups


def package_graph(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the same by top-level package or module of porter."""

    def top(name: str) -> str:
        return ".".join(name.split(".")[:2])

    found: dict[str, set[str]] = {top(name): set() for name in graph}
    for name, others in graph.items():
        found[top(name)] |= {top(other) for other in others} - {top(name), "porter"}
    return found


def mentions(root: Path, words: Iterable[str] = TARGETS) -> Counter[str]:
    """Count the lines of porter/ that name a target outside the folders of targets, by word."""
    found: Counter[str] = Counter()
    for path in modules(root):
        relative = path.relative_to(root / "porter").as_posix()
        if relative.startswith("targets/"):
            continue
        for word in words:
            own = word == "ascend" and (relative.startswith(("ascend/", "emulat")))
            lines = path.read_text().splitlines()
            hits = 0 if own else sum(bool(re.search(word, line, re.IGNORECASE)) for line in lines)
            found[word] += hits
            found[f"{word} files"] += bool(hits)
    return found


def retiring_rules(root: Path) -> tuple[int, int]:
    """Return how many rules of Paddle retire by a machine-readable condition, and all of them."""
    rules = [
        tomllib.loads(path.read_text())
        for path in sorted((root / "rules" / "paddle").rglob("rule.toml"))
    ]
    by_condition = [rule for rule in rules if rule.keys() & {"missing", "quirks"}]
    return len(by_condition), len(rules)


def area_lines(root: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in modules(root):
        parts = path.relative_to(root / "porter").parts
        found[parts[0] if len(parts) > 1 else "(root)"] += line_count(path)
    return found


def rows(root: Path) -> Iterator[tuple[str, object]]:
    paths = modules(root)
    sizes = [line_count(path) for path in paths]
    found = list(functions(root))
    lengths = [function.lines for function in found]
    graph = import_graph(root)
    yield "modules", len(paths)
    yield "modules in the root of porter/", sum(path.parent.name == "porter" for path in paths)
    yield "lines", sum(sizes)
    yield "longest module", max(sizes)
    yield "modules over 350 lines", sum(size > 350 for size in sizes)
    yield "functions", len(lengths)
    yield "median function", statistics.median(lengths)
    yield "functions over 60 lines", sum(length > 60 for length in lengths)
    yield "functions without a return type", sum(not function.typed for function in found)
    yield f"functions over complexity {COMPLEXITY}", len(complex_functions(root))
    yield "import cycles of modules", len(cycles(graph))
    yield "import cycles of packages", len(cycles(package_graph(graph)))
    yield "rules that retire by a condition", "{} of {}".format(*retiring_rules(root))
    for word, count in sorted(mentions(root).items()):
        yield f"mentions of {word} outside its folders", count
    for area, count in sorted(area_lines(root).items()):
        yield f"lines in {area}", count


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]).resolve() if arguments else ROOT
    for name, value in rows(root):
        print(f"{name:55} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
