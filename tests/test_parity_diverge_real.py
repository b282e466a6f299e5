"""First divergence: a fault planted in each layer is found, with its layer and its line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter import targets
from porter.model import Device, Divergence, FirstDifference, ParityCase, TensorSpec
from porter.parity.examine import examine_case
from porter.parity.side import Side
from porter.parity.trace import Bench, Sources
from tests import planted
from tests.conftest import CACHE

pytestmark = [pytest.mark.real, pytest.mark.long]
OPS = "planted/ops.py"
LINES = (planted.HERE / OPS).read_text().splitlines()
CPP = (planted.HERE / "planted" / "planted.cpp").read_text().splitlines()


@pytest.fixture(scope="module")
def trees(
    framework_pythons: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    return planted.lay_out(tmp_path_factory.mktemp("planted"), framework_pythons, CACHE / "planted")


def line_of(code: str, lines: list[str] = LINES) -> int:
    return next(number for number, line in enumerate(lines, 1) if code in line)


def examined(
    function: str,
    trees: tuple[Path, Path],
    pythons: Mapping[str, Path],
    folder: Path,
    tensors: int = 1,
) -> Divergence:
    frameworks = (targets.SOURCE, targets.framework("paddle"))
    sides = []
    for framework, tree in zip(frameworks, trees, strict=True):
        sides.append(
            Side(
                name="source" if framework is targets.SOURCE else "target",
                python=pythons[framework.name],
                prelude=framework.prelude if framework is not targets.SOURCE else "",
                work=folder,
                environment={**framework.activation, "PYTHONPATH": str(tree)},
                timeout=60,
            )
        )
    case = ParityCase(
        name=function,
        call=f"planted.ops:{function}",
        args=tuple(TensorSpec(shape=(6, 3), seed=n) for n in range(tensors)),
    )
    sources = tuple(Sources(root=tree, packages={"planted": "planted"}) for tree in trees)
    bench = Bench(folder=folder, sides=(sides[0], sides[1]), names=("torch", "paddle"))
    return examine_case(case, Device.CPU, bench, (sources[0], sources[1]))


@pytest.mark.parametrize(
    ("function", "tensors", "operation", "layer", "place"),
    [
        ("chunks", 1, "torch.split(", "proxy", "manipulation.py"),
        ("entropy", 1, "torch.xlogy(", "Python polyfill", "planted/_porter_compat/names.py"),
        ("scaled", 1, "(x + 1) * factor", "the repository's Python", f"{OPS}:IF"),
        ("kernel", 1, "_C.doubled(", "kernel", "planted/planted.cpp:KERNEL"),
        ("native_polyfill", 1, "_C.total(", "C++ polyfill", "include/ATen/core/TensorBody.h"),
        ("binding", 2, "_C.difference(", "binding", "planted/planted.cpp"),
    ],
)
def test_a_planted_fault_is_found_with_its_layer_and_its_line(
    trees: tuple[Path, Path],
    framework_pythons: Mapping[str, Path],
    tmp_path: Path,
    function: str,
    tensors: int,
    operation: str,
    layer: str,
    place: str,
) -> None:
    found = examined(function, trees, framework_pythons, tmp_path, tensors).first
    assert isinstance(found, FirstDifference)
    assert (found.path, found.line) == (OPS, line_of(operation)), found
    assert found.layer == layer, found
    place = place.replace("IF", str(line_of("if str(x.dtype)")))
    place = place.replace("KERNEL", str(line_of("at::Tensor doubled(", CPP)))
    assert place in found.place, found
    if function == "scaled":  # random numbers go in, which no script has again
        assert "scaled under torch again: result: " in found.no_script
    else:
        assert Path(found.script).is_file(), found.no_script
        assert found.needs == ("planted._C" if "_C" in operation else "")
