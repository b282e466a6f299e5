"""Statements of `porter analyze` about trees, drawn by a seed, to be checked by running.

    python -m tests.draw_statements TREE ... [--count 60] [--seed 1] [--sure]

Findings, missing names, differences and guesses, about the same number of each tree: first a
statement (kind, name and sentence), then one of its places, printed with its lines.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.model import State, Use, When
from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.uses.anything import ANYTHING
from porter.uses.lookup import state, uses
from tests.sample_findings import excerpt

UNSURE = " (unsure)"
Place = tuple[str, int, int]  # path, cell of a notebook or 0, line


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    kind: str
    name: str
    sentence: str


def analyze(tree: Path, target: str) -> dict[str, Any]:
    """The document of `porter analyze`; it has one even where a file could not be read."""
    command = [sys.executable, "-m", "porter", "analyze", str(tree), "-t", target, "--json"]
    said = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    document: dict[str, Any] = json.loads(said)
    return document


def statements(tree: Path, document: dict[str, Any]) -> dict[Statement, list[Place]]:
    """Each statement with its places; of a guess, only the first is in the document."""
    found: dict[Statement, set[Place]] = {}
    for kind, name, sentence in (
        ("findings", "rule", "message"),
        ("differences", "name", "consequence"),
        ("guesses", "name", "reason"),
    ):
        for row in document[kind]:
            sure = UNSURE * (row.get("sure") is False)
            one = Statement(kind, row[name], row[sentence] + sure)
            found.setdefault(one, set()).add((row["path"], row["cell"] or 0, row["line"]))
    rows = {(row["name"], row["language"]): row for row in document["missing"]}
    package, _, version = document["target"].partition("==")
    for name, language, place in _missing_places(tree, package, version):
        if row := rows.get((name, language)):
            said = f"{row['state']}: {'; '.join(row['facts'])}; answer: {row['answer']}"
            if row["facts"] and all(fact.startswith(When.SOME_USES) for fact in row["facts"]):
                said += UNSURE
            found.setdefault(Statement("missing", name, said), set()).add(place)
    return {one: sorted(found[one]) for one in sorted(found)}


def _missing_places(tree: Path, package: str, version: str) -> Iterator[tuple[str, str, Place]]:
    surface, torch = load(package, version), load_torch()
    files = ((file, (tree / file.path).read_bytes()) for file in discover(tree).files)
    for use in uses(files):
        if not use.name.startswith(ANYTHING):
            known = state(use.name, use.language, surface, torch, use.given)
            if known is not None and known.state is not State.PRESENT:
                yield known.name, use.language.value, _place(use)


def is_sure(one: Statement) -> bool:
    """Whether it is no guess, nor a difference that depends on what is not seen."""
    return one.kind != "guesses" and not one.sentence.endswith(UNSURE)


def _place(use: Use) -> Place:
    return use.path, use.cell, use.line


def draw(
    trees: dict[str, dict[Statement, list[Place]]], count: int, seed: int
) -> Iterator[tuple[str, Statement, Place]]:
    """Go through the trees in turn, and take one statement of each that has any left."""
    rng = random.Random(seed)
    left = {name: rng.sample([*found], len(found)) for name, found in sorted(trees.items())}
    order = rng.sample([*left], len(left))
    for _ in range(count):
        order = [name for name in order if left[name]]
        if not order:
            return
        name = order.pop(0)
        order.append(name)
        one = left[name].pop()
        yield name, one, rng.choice(trees[name][one])


def _source(tree: Path, place: Place) -> str:
    path, cell, line = place
    if not cell:
        return excerpt(tree / path, line)
    written = json.loads((tree / path).read_bytes())["cells"][cell - 1]["source"]
    lines = (written if isinstance(written, str) else "".join(written)).split("\n")
    return "\n".join(f"cell {cell}: {one}" for one in lines[max(0, line - 2) : line + 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sure", action="store_true", help="leave out the guesses")
    parser.add_argument("--target", default="paddle==3.3.1")
    options = parser.parse_args()
    roots = {tree.name: tree for tree in options.trees}
    found = {name: statements(tree, analyze(tree, options.target)) for name, tree in roots.items()}
    if options.sure:
        found = {
            name: {s: v for s, v in said.items() if is_sure(s)} for name, said in found.items()
        }
    for name, said in sorted(found.items()):
        print(f"{name}: {len(said)} statements, {sum(map(len, said.values()))} places")
    for number, (name, one, place) in enumerate(draw(found, options.count, options.seed), 1):
        print(f"\n{number}. {one.kind} | {one.name} | {one.sentence}")
        print(f"{name}/{place[0]}:{place[2]} (of {len(found[name][one])} places)")
        print(_source(roots[name], place))


if __name__ == "__main__":
    main()
