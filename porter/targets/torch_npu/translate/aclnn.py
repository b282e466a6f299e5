"""Whether a kernel means what an operator of CANN does, by the table `aclnn.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.targets.torch_npu.translate.emit import Whole, elementwise
from porter.targets.torch_npu.translate.instructions import Vector
from porter.targets.torch_npu.translate.prelude import NAMESPACE

_TABLE = Path(__file__).with_name("aclnn.toml")
_EITHER_WAY = frozenset(("Add", "Mul"))
_NAME = re.compile(r"\b(?:self|other)\b")


@dataclass(frozen=True, slots=True)
class Operator:
    name: str
    arguments: tuple[str, ...]
    meaning: tuple[str, ...]
    exact: bool
    source: str

    def kernels(self) -> Iterator[str]:
        """CUDA kernels that mean the same."""
        tensors = [name for name in self.arguments if name in ("self", "other")]
        given = ", ".join(f"const float *__restrict__ {name}" for name in tensors)
        index = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
        for meaning in self.meaning:
            value = _NAME.sub(lambda found: f"{found[0]}[i]", meaning)
            body = f"{index} if (i < n) out[i] = {value};"
            yield f"__global__ void k({given}, float *out, int n) {{ {body} }}"


@cache
def table() -> tuple[Operator, ...]:
    """The operators that a kernel may be."""
    read = tomllib.loads(_TABLE.read_text())
    return tuple(
        Operator(
            name=str(each["name"]),
            arguments=tuple(each["arguments"]),
            meaning=tuple(each["meaning"]),
            exact=bool(each["exact"]),
            source=str(each["source"]),
        )
        for each in read["operator"]
    )


Tree = tuple[object, ...]


def choose_operator(whole: Whole, read: Callable[[str], Whole]) -> tuple[str, str] | None:
    """In place of a kernel and its launch: a remark, and a call of the operator it is; `read` gives
    what a CUDA kernel computes."""
    pointers = {*whole.loads, *whole.stores}
    types = {whole.elements[name] for name in pointers}
    apart = len(whole.stores) == 1 and not set(whole.loads) & set(whole.stores)
    if not apart or whole.guards or whole.kept or len(types) != 1:
        return None
    (type,) = types
    own = _tree(whole)
    for operator in table():
        if type != "float" and not (operator.exact and type in whole.floats):
            continue
        for kernel in operator.kernels():
            if (names := _same(_tree(read(kernel)), own, {})) is not None:
                return _call(whole, operator, names)
    return None


def _call(whole: Whole, operator: Operator, names: Mapping[str, str]) -> tuple[str, str]:
    names = {**names, "out": next(iter(whole.stores))}
    given = [
        f"{names[a]}_tensor_" if a in names else f"at::Scalar({a})" for a in operator.arguments
    ]
    tensors = [
        f"const at::Tensor {name}_tensor_ = {NAMESPACE}::tensor({name}, length_);"
        for name in names.values()
    ]
    scalars = [g for g in given if g.startswith("at::Scalar")]
    values = [
        f"const at::Scalar scalar_{k}_{g.removeprefix('at::Scalar')};"
        for k, g in enumerate(scalars)
    ]
    given = [f"scalar_{scalars.index(g)}_" if g in scalars else g for g in given]
    call = f"EXEC_NPU_CMD_EXT({operator.name}, {', '.join(given)});"
    means = f"{names['out']} is {_NAME.sub(lambda found: names[found[0]], operator.meaning[0])}"
    remark = f"// `{whole.name}` is {operator.name}, of each element: {means}.\n"
    return remark, elementwise(whole, [*tensors, *values, call])


def _tree(whole: Whole) -> Tree:
    """What is stored, as a tree of instructions."""
    return trees(whole)[next(iter(whole.stores))]


def trees(whole: Whole) -> dict[str, Tree]:
    """What is stored by each pointer, as trees of instructions."""
    made = {i.to.number: i for i in whole.instructions}
    loads = {vector.number: name for name, vector in whole.loads.items()}

    def tree(value: Vector | str) -> Tree:
        if isinstance(value, str):
            return ("constant", _number(value))
        if value.number in loads:
            return ("element", loads[value.number])
        instruction = made[value.number]
        parts = tuple(tree(given) for given in instruction.given)
        if instruction.name == "Duplicate":
            return parts[0]
        # With a scalar or with one for each element: the same.
        return ({"Adds": "Add", "Muls": "Mul"}.get(instruction.name, instruction.name), *parts)

    return {name: tree(value) for name, value in whole.stores.items()}


def _number(text: str) -> str:
    bare = re.sub(r"static_cast<float>\((-?[\d.]+f?)\)", r"\1", text).strip()
    while bare.startswith("(") and bare.endswith(")") and not set(bare[1:-1]) & set("()"):
        bare = bare[1:-1]
    try:
        return repr(float(bare.rstrip("f")))
    except ValueError:
        return text


def _same(pattern: Tree, own: Tree, names: Mapping[str, str]) -> dict[str, str] | None:
    """Which pointer each tensor of the pattern is, if the two are the same."""
    match pattern, own:
        case ("element", str() as tensor), ("element", str() as pointer):
            return {**names, tensor: pointer} if names.get(tensor, pointer) == pointer else None
        case (str() as a, *first), (str() as b, *second):
            if a != b or len(first) != len(second):
                return None
            if a == "constant":
                return dict(names) if first == second else None
            orders = [second, second[::-1]] if a in _EITHER_WAY else [second]
            for order in orders:
                found: dict[str, str] | None = dict(names)
                for left, right in zip(first, order, strict=True):
                    assert isinstance(left, tuple) and isinstance(right, tuple)
                    found = _same(left, right, found) if found is not None else None
                if found is not None:
                    return found
    return None
