"""What porter says of trees, against every attribute in them that torch has and Paddle lacks.

    python -m tests.silent_names TREE ... [--draw 60 --seed 1]

An attribute is looked for by its name alone, with a reading of its own: the name is one of torch's
Tensor, dtype or Generator, and the surface lacks it there. It counts as told where porter names it
at that line, as missing or as a guess; it is something else if its owner is `self`, a literal, or
comes from an import that is not torch. What is left is silent, and is printed. With --draw,
statements of porter's are drawn: missing names and differences by place, guesses by name.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from porter.model import Language, Role, State, Use
from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.uses.anything import ANYTHING
from porter.uses.differences import differences
from porter.uses.guesses import guesses
from porter.uses.lookup import FORM, state, uses

OWNERS = ("torch.Tensor", "torch.dtype", "torch.Generator")
PADDLE, TORCH = load("paddle", "3.3.1"), load_torch()


@dataclass
class Found:
    places: Counter[str] = field(default_factory=Counter)
    told: int = 0
    other: int = 0
    silent: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


def lacking() -> frozenset[str]:
    """The attributes that Paddle lacks on each class of torch's that has them."""
    lacks: dict[str, bool] = {}
    for name in TORCH.python:
        owner, _, attribute = name.rpartition(".")
        symbol = PADDLE.python.get(name)
        if owner in OWNERS and not attribute.startswith("__"):
            missing = symbol is not None and symbol.state is State.MISSING
            lacks[attribute] = lacks.get(attribute, True) and missing
    python = {*dir(str), *dir(list), *dir(dict), *dir(set), *dir(bytes)}
    return frozenset(name for name, is_so in lacks.items() if is_so and name not in python)


def look(root: Path, found: Found) -> None:
    asked, files = lacking(), []
    for file in discover(root).files:
        python = file.language is Language.PYTHON and file.role is not Role.VENDORED
        if python and b"torch" in (data := (root / file.path).read_bytes()):
            files.append((file, data))
    every = list(uses(files))
    told = {(u.path, u.line, u.name.rpartition(".")[2].partition("(")[0]) for u in every if _is(u)}
    for file, data in files:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(data)
            except SyntaxError:
                continue
        names = Names.of(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in asked:
                if not isinstance(node.ctx, ast.Load):
                    continue
                found.places[node.attr] += 1
                line = node.end_lineno or node.lineno
                if (file.path, line, node.attr) in told or _is_told(told, file.path, node):
                    found.told += 1
                elif names.is_other(node.value):
                    found.other += 1
                else:
                    found.silent.append(f"{root.name}/{file.path}:{line}: {ast.unparse(node)}")
    found.statements += _statements(root, every)


def _is(use: Use) -> bool:
    """Whether porter says something of a use."""
    if use.name.startswith(ANYTHING):
        return True
    known = state(use.name, use.language, PADDLE, TORCH, use.given)
    return known is not None and known.state is not State.PRESENT


def _is_told(told: set[tuple[str, int, str]], path: str, node: ast.Attribute) -> bool:
    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return any((path, line, node.attr) in told for line in lines)


@dataclass
class Names:
    """What a file gives its names, whatever the scope."""

    imported: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[ast.expr]] = field(default_factory=dict)
    annotations: dict[str, list[ast.expr | None]] = field(default_factory=dict)

    @staticmethod
    def of(tree: ast.Module) -> Names:
        found = Names()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found.imported[alias.asname or alias.name.partition(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    module = "." * node.level + (node.module or "")
                    found.imported[alias.asname or alias.name] = f"{module}.{alias.name}"
            elif isinstance(node, ast.Assign):
                for to in node.targets:
                    if isinstance(to, ast.Name):
                        found.values.setdefault(to.id, []).append(node.value)
            elif isinstance(node, ast.arg):
                found.annotations.setdefault(node.arg, []).append(node.annotation)
        return found

    def is_other(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether what begins a chain is `self`, a literal, or of an import that is not torch; of
        a variable, by each value and annotation that the file gives one of this name."""
        if isinstance(node, ast.Attribute | ast.Name) and self._is_present(node):
            return True
        while isinstance(node, ast.Attribute | ast.Call):
            node = node.value if isinstance(node, ast.Attribute) else node.func
        if not isinstance(node, ast.Name):
            return not isinstance(node, ast.Subscript | ast.BinOp | ast.IfExp)
        if node.id in self.imported:
            return self.imported[node.id].partition(".")[0] != "torch"
        if node.id in ("self", "cls"):
            return True
        values, notes = self.values.get(node.id, []), self.annotations.get(node.id, [])
        told = [ast.unparse(note) if note is not None else "Tensor" for note in notes]
        if depth > 3 or not (values or told) or any(re.search("torch|Tensor", t) for t in told):
            return False
        return all(self.is_other(value, depth + 1) for value in values)

    def _is_present(self, node: ast.expr) -> bool:
        """Whether it is a module of torch's that Paddle has, whose names are looked up whole."""
        words = ast.unparse(node).split(".")
        name = ".".join([self.imported.get(words[0], ""), *words[1:]])
        symbol = PADDLE.python.get(name)
        return symbol is not None and symbol.kind == "module"


def _statements(root: Path, every: list[Use]) -> Iterator[str]:
    """What is said, for a draw: at places, and of names."""
    found = differences(every, PADDLE, TORCH)
    for use in every:
        known = None
        if use.language is Language.PYTHON and not use.name.startswith(ANYTHING):
            known = state(use.name, use.language, PADDLE, TORCH, use.given)
        if known is not None and known.state is State.MISSING:
            yield f"missing | {known.name} | lacks it | {_line(root, use.path, use.line)}"
        elif known is not None and known.state is State.DIFFERENT and FORM.match(use.name):
            said = known.facts[0].sentence
            yield f"form | {use.name} | {said} | {_line(root, use.path, use.line)}"
    for one in found:
        if one.sure:
            said = f"{one.name} | {one.consequence}"
            yield f"difference | {said} | {_line(root, one.path, one.line)}"
    for guess in guesses(every, found, PADDLE, TORCH):
        place = _line(root, guess.path, guess.line)
        yield f"guess ({guess.sites}) | {guess.name} | {guess.reason} | {place}"


@cache
def _text(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _line(root: Path, path: str, number: int) -> str:
    text = _text(root / path)
    return f"{root.name}/{path}:{number} | {text[number - 1].strip()[:120] if text else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    every: list[str] = []
    for root in options.trees:
        found = Found()
        look(root, found)
        print(
            f"{root.name}: {sum(found.places.values())} places of {len(found.places)} names, "
            f"{found.told} told, {found.other} something else, {len(found.silent)} silent; "
            f"{len(found.statements)} statements"
        )
        print(
            *(f"  silent {line}" for line in found.silent), sep="\n", end="\n" * bool(found.silent)
        )
        every += found.statements
    if options.draw:
        chosen = random.Random(options.seed).sample(sorted(every), min(options.draw, len(every)))
        print(*(f"{number} | {one}" for number, one in enumerate(chosen, 1)), sep="\n")


if __name__ == "__main__":
    main()
