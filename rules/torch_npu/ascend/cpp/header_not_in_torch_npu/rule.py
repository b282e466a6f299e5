"""`#include <torch_npu/...>` and `<op_plugin/...>` of headers that are in no wheel."""

from collections.abc import Iterator

from porter.ascend.own_files import has_header, is_own_file
from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Span
from porter.surface.load import load_newest
from porter.targets.torch_npu.names import LIBTORCH, uses_libtorch

ONLY_THERE = ("torch_npu/", "op_plugin/", "third_party/op-plugin/")
ALL = "npu_cpp_extension.h"  # brings streams, OpCommand, OpPreparation and EXEC_NPU_CMD_EXT


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts):
        return
    surface = load_newest("torch_npu")
    there = {header for header, _ in unit.includes}
    for header, token in unit.includes:
        if not header.startswith(ONLY_THERE) or f"<{header}>" in surface.cpp:
            continue
        if has_header(header, facts) or (header == LIBTORCH and uses_libtorch(unit)):
            continue
        new = _elsewhere(header, surface.cpp) or ALL
        inner = Span(token.start + 1, token.end - 1)
        edit = Edit(inner, new.encode())
        if new in there:  # included already: the line goes
            edit = Edit(_line(unit, token.start), b"")
        there.add(new)
        said = f"torch_npu {surface.version} has no {header}"
        yield Match(token.span, (edit,), message=f"{said}: {new} has what it is meant for")


def _elsewhere(header: str, names: object) -> str:
    """The one header of this file name that torch_npu keeps somewhere else."""
    last = "/" + header.rpartition("/")[2] + ">"
    found = [n[1:-1] for n in names if n.endswith(last)]  # type: ignore[attr-defined]
    full = [name for name in found if name.startswith(ONLY_THERE[:2])]
    return full[0] if len(full) == 1 else ""


def _line(unit: Unit, offset: int) -> Span:
    start = unit.line_start(offset).start
    end = unit.data.find(b"\n", offset)
    return Span(start, len(unit.data) if end == -1 else end + 1)
