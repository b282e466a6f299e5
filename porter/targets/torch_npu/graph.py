"""Operators in torchair's graph mode: the graph that their converters build, and what is wrong."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porter.errors import EnvironmentFailed
from porter.host import process
from porter.model import Step
from porter.targets.examined import Examined, Node, Problem

_WORKER = Path(__file__).parent / "workers" / "npu_graph.py"
TIMEOUT = 600.0


def examine(
    python: Path,
    modules: Sequence[str],
    cases: Sequence[Mapping[str, Any]],
    work: Path,
    *,
    path: Sequence[Path] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[Examined, ...]:
    """Compile operators with torchair, in the interpreter of a cell that has torch_npu.

    A case is `{"operator": "space::name", "args": [{"shape": [2, 3], "type": "float16"}, 1.5],
    "kwargs": {...}, "dynamic": false, "grad": false}`. Raises EnvironmentFailed where torchair or a
    module cannot be imported.
    """
    work.mkdir(parents=True, exist_ok=True)
    request, result = work / "request.json", work / "result.json"
    asked = {"path": [str(each) for each in path], "modules": list(modules), "cases": list(cases)}
    request.write_text(json.dumps(asked), encoding="utf-8")
    result.unlink(missing_ok=True)
    step = Step(
        name="graphs",
        argv=(str(python), str(_WORKER), str(request), str(result)),
        cwd=str(work),
        environment=dict(environment or {}),
        timeout=TIMEOUT,
        writable=(str(work),),
    )
    done = process.run(step, work / "graphs.log")
    if not result.is_file():
        raise EnvironmentFailed(
            f"graph mode cannot be examined: {done.tail.strip()[-300:]}", hint=f"see {done.log}"
        )
    return tuple(_read_examined(each) for each in json.loads(result.read_text(encoding="utf-8")))


def _read_examined(said: Mapping[str, Any]) -> Examined:
    return Examined(
        operator=said["operator"],
        graphs=tuple(tuple(_node(each) for each in graph) for graph in said["graphs"]),
        problems=tuple(Problem(**each) for each in said["problems"]),
        notes=tuple(said["notes"]),
        ran=said["ran"],
    )


def _node(said: Mapping[str, Any]) -> Node:
    metas = [each["meta"] for each in said["outputs"]]
    return Node(
        type=said["type"],
        inputs=tuple((each["name"], each["type"]) for each in said["inputs"]),
        attributes=said["attributes"],
        outputs=tuple((each["name"], each["type"]) for each in said["outputs"]),
        shapes=tuple(None if each is None else tuple(each) for each in metas),
        operator=said["operator"],
    )


def differences(nodes: Sequence[Node], expected: Sequence[Node]) -> tuple[str, ...]:
    """How a graph differs from the nodes that are expected, in their order; nothing where it is
    that graph."""
    types, wanted = [each.type for each in nodes], [each.type for each in expected]
    if types != wanted:
        return (f"the nodes are {', '.join(types) or 'none'}, expected {', '.join(wanted)}",)
    found: list[str] = []
    for node, want in zip(nodes, expected, strict=True):
        for what in ("inputs", "outputs"):
            found += _ports(node.type, what, getattr(node, what), getattr(want, what))
        if want.attributes is not None and _round_floats(node) != _round_floats(want):
            found.append(
                f"{node.type}: its attributes are {dict(node.attributes or {})}, "
                f"expected {dict(want.attributes)}"
            )
        if want.shapes and node.shapes != want.shapes:
            found.append(f"{node.type}: its shapes are {node.shapes}, expected {want.shapes}")
    return tuple(found)


def _ports(
    type_: str,
    what: str,
    given: Sequence[tuple[str, str | None]],
    expected: Sequence[tuple[str, str | None]],
) -> list[str]:
    if [name for name, _ in given] != [name for name, _ in expected]:
        said, want = (", ".join(name for name, _ in each) or "none" for each in (given, expected))
        return [f"{type_}: its {what} are {said}, expected {want}"]
    return [
        f"{type_}: `{name}` is {kind}, expected {want}"
        for (name, kind), (_, want) in zip(given, expected, strict=True)
        if want is not None and kind != want
    ]


def _round_floats(node: Node) -> dict[str, Any]:
    """Attributes that are floats have 32 bits in a graph."""

    def narrow(value: Any) -> Any:
        if isinstance(value, float):
            return struct.unpack("f", struct.pack("f", value))[0]
        return [narrow(each) for each in value] if isinstance(value, list) else value

    return {name: narrow(value) for name, value in (node.attributes or {}).items()}
