"""What an operator for Ascend NPUs has not, and what follows for who uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from porter.model import AscendPart, AscendPiece, AscendRoute

_BACKWARD = re.compile(r"_(?:backward|grad|bwd)(?![a-z])")  # its own derivative is asked of nobody


def lacks_of(
    name: str, pieces: Sequence[AscendPiece], routes: Sequence[AscendRoute], pybind: bool
) -> Iterator[str]:
    """What a complete operator would have. A yaml entry's parts are generated or are in torch."""
    parts = {piece.part for piece in pieces}
    if AscendRoute.OPPLUGIN in routes:
        return
    if AscendPart.RUNNER in parts or AscendRoute.RUNNER in routes:
        yield from _lacks_of_plugin(name, parts)
        return
    in_python = any(piece.form.startswith("torch.library.") for piece in pieces)
    if pybind and not in_python and not parts & {AscendPart.META, AscendPart.CONVERTER}:
        yield "schema"  # who registers a meta function or a converter has one
    if AscendPart.META not in parts:
        yield "meta function"
    if any(p.form == "OpDef" for p in pieces) and AscendPart.SHAPES not in parts:
        yield "shape inference"  # without which a graph cannot allocate its outputs
    if AscendPart.AUTOGRAD not in parts and not _BACKWARD.search(name):
        yield "backward"
    if AscendRoute.LAUNCH in routes and AscendRoute.ACLNN not in routes:
        yield "ACLNN operator"  # so that it cannot enter a GE graph
    elif AscendPart.CONVERTER not in parts:
        yield "graph converter"
    if AscendPart.TEST not in parts:
        yield "test"


def _lacks_of_plugin(name: str, parts: Set[AscendPart]) -> Iterator[str]:
    """The same of an operator that a framework's runner runs."""
    asked = {
        AscendPart.BINDING: "binding",
        AscendPart.WRAPPER: "Python wrapper",
        AscendPart.GRAPH: "graph mode",
        AscendPart.AUTOGRAD: "" if _BACKWARD.search(name) else "backward",
        AscendPart.TEST: "test",
    }
    yield from (said for part, said in asked.items() if said and part not in parts)
