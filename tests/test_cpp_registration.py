"""Operators and classes of C++ mean the same under real torch and real Paddle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.targets.paddle import PROXY
from porter.unit import Plane, pieces
from porter.unit.compose import compose
from tests.conftest import CACHE
from tests.cpp_extensions import Extension

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = (
    "autograd_engine",
    "autograd_function",
    "checks",
    "containers",
    "custom_class",
    "dispatcher",
    "ivalue",
    "registration",
    "registration_old",
    "tensor_caster",
)


@pytest.fixture(scope="module")
def extension(framework_pythons: Mapping[str, Path]) -> Extension:
    return Extension("registration", PIECES, framework_pythons, CACHE / "cpp-extensions")


@pytest.mark.parametrize(
    "function",
    ["arguments", "refused", "results", "dispatched", "errors", "classes", "through_pybind"],
)
def test_registered_code_tells_the_same_under_both_frameworks(
    extension: Extension, function: str
) -> None:
    assert extension.told("paddle", function) == extension.told("torch", function)


def test_python_gives_operators_of_cpp_kernels_gradients_and_neighbours(
    extension: Extension, tmp_path: Path
) -> None:
    shipped = pieces(rules_home() / "paddle" / "polyfills")
    of_python = [piece for piece in shipped if piece.plane is Plane.PYTHON]
    (names,) = (patch for patch in compose(PROXY, "", "this test uses", of_python))
    unit = tmp_path / "names.py"
    unit.write_bytes(names.after or b"")
    ours = extension.told("paddle", "from_python", unit)
    assert len(ours) > 25
    assert ours == extension.told("torch", "from_python")
