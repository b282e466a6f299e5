"""Count the functions named like a state or a place, instead of an action or a value.

`python -m tests.names [FOLDER ...]` prints the share of each folder, without arguments of porter,
with the names. A name counts if its first word is a participle (`kept`, `rebuilt_from`), an -ing
form that is no noun (`merging`), or a preposition (`of_line`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PREPOSITIONS = """
about above across after against along among around at before behind below beneath beside between
beyond by during for from in inside into near of off on onto out outside over past per since
through to toward under underneath until upon via with within without
"""
IRREGULAR = """
been begun bent borne bought bound broken brought built caught chosen done drawn driven eaten
fallen fed felt forgotten found frozen given gone grown heard held hidden kept known laid led left
lent lost made meant met mistaken paid rebuilt rewritten said seen sent shaken shown shrunk
sold sought spent spoken stolen stood stuck sunk sworn taken taught thought thrown told torn unbuilt
understood undone unheld unknown unread unseen unwritten withheld won worn written
"""
NOT_ED = "bed bleed breed embed exceed feed need proceed red reed seed speed"
NOT_ING = """
anything beginning binding bring building casing ceiling closing encoding ending everything framing
heading indexing king listing logging mapping meaning nothing opening padding ping ring routing
setting sibling something spelling spring standing string testing thing tiling timing training
typing warning wing
"""
STATES = frozenset(f"{PREPOSITIONS} {IRREGULAR}".split())
OTHERS = frozenset(f"{NOT_ED} {NOT_ING}".split())


def is_state(name: str) -> bool:
    """Return whether a name begins with a participle or a preposition."""
    word = name.strip("_").partition("_")[0]
    return word in STATES or (word.endswith(("ed", "ing")) and word not in OTHERS)


def functions(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the place of each function and method below a folder."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, f"{path}:{node.lineno}"


def share(folder: Path) -> tuple[int, int]:
    """Return how many functions are named like a state, and how many there are."""
    states = [is_state(name) for name, _ in functions(folder)]
    return sum(states), len(states)


def main(arguments: list[str]) -> int:
    for folder in map(Path, arguments or [str(ROOT / "porter")]):
        states, total = share(folder)
        print(f"{states:5} of {total:5} {states / total:6.1%}  {folder}")
        if not arguments:
            print(*(f"{at}: {name}" for name, at in functions(folder) if is_state(name)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
