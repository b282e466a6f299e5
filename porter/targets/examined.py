"""What a framework finds out about operators: their entries in yaml, and their graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry at its line: the aclnn operator that it runs, what is wrong, what is to be known."""

    name: str
    line: int
    runs: str
    problems: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong: with the `converter`'s signature, the `meta` function, the `graph` that was
    built, its `values`, or the operator run `eager`; and the function at fault, where one is."""

    kind: str
    text: str
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of a graph: inputs and outputs by the prototype's names with their types (`DT_FLOAT`),
    None as the type of any. `attributes` None: any."""

    type: str
    inputs: tuple[tuple[str, str | None], ...] = ()
    attributes: Mapping[str, Any] | None = None
    outputs: tuple[tuple[str, str | None], ...] = ()
    shapes: tuple[tuple[int, ...] | None, ...] = ()  # of the outputs, as far as they are known
    operator: str = ""  # of torch's, whose converter made it


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """An operator with one set of arguments: its graphs (forward, backward), as they were built.
    `ran` is `yes`, or why the graph did not run."""

    operator: str
    graphs: tuple[tuple[Node, ...], ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    ran: str
