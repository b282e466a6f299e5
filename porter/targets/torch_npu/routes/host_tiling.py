"""A tiling function of a package -> a function of the host that fills the same structure."""

from __future__ import annotations

from porter.languages.cpp import Kind
from porter.targets.torch_npu.routes.definition import Operator
from porter.targets.torch_npu.routes.host_function import (
    HostFunction,
    Written,
    declared_names,
    name_of,
    parameters,
)
from porter.targets.torch_npu.routes.kernels import items
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

_MACROS = ("TILING_DATA", "IMPL_OP", "REGISTER_")
_TODO = """\
// TODO(porter): {reason}: rewrite the following for tensors.
{text}
inline bool {name}({parameters}) {{
    TORCH_CHECK_NOT_IMPLEMENTED(false, "{operator}: its tiling is not written yet");
}}
"""


def write(files: Files, operator: Operator, out: Written) -> None:
    """Add what fills an operator's tiling data."""
    wanted = {operator.tiling}
    found: list[tuple[Reader, int, int]] = []
    sources = [(files.reader(path), path) for path in files.include_closure(operator.host)]
    while True:  # names lead to names
        more = [
            (reader, first, last)
            for reader, _ in sources
            for first, last in items(reader)
            if declared_names(reader, first, last) & wanted
            and (reader, first, last) not in found
            and not any(w.startswith(_MACROS) for w in reader.words(first, last)[:2])
            and "OpDef" not in reader.words(first, last)
        ]
        if not more:
            break
        found += more
        for reader, first, last in more:
            tokens = reader.code.tokens[first : last + 1]
            wanted |= {t.text for t in tokens if t.kind is Kind.NAME} - {operator.data}
    order = [path for _, path in reversed(sources)]
    found.sort(key=lambda one: (order.index(one[0].unit.path), one[1]))
    for reader, first, last in found:
        key = f"{reader.unit.path}:{first}:{operator.data}"
        if _is_own(reader, first, last, operator):
            key = f"{key}:{operator.name}"
        if key in out.items:
            continue
        try:
            out.items[key] = HostFunction(reader, operator, out).text(first, last)
        except Refused as error:
            line = error.line or reader.line(first)
            if not _is_own(reader, first, last, operator):
                parts = out.items
                out.items = {k: v for k, v in parts.items() if not k.startswith(reader.unit.path)}
            out.left.append((reader.unit.path, line, error.reason))
            out.items[f"todo:{operator.name}"] = _todo(reader, first, last, operator, error.reason)
            return


def _is_own(reader: Reader, first: int, last: int, operator: Operator) -> bool:
    return operator.tiling in declared_names(reader, first, last)


def _todo(reader: Reader, first: int, last: int, operator: Operator, reason: str) -> str:
    text = "\n".join(f"// {line}".rstrip() for line in reader.text(first, last).split("\n"))
    return _TODO.format(
        reason=reason,
        text=text,
        name=name_of(operator),
        parameters=parameters(operator),
        operator=operator.name,
    )
