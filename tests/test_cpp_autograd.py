"""torch::autograd::Function means the same under real torch and real Paddle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import CACHE
from tests.cpp_extensions import PIECES as FOLDER
from tests.cpp_extensions import Extension
from tests.cpp_pieces import overlay

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = ("autograd_engine", "autograd_function", "ivalue", "checks", "tensor_caster")


@pytest.fixture(scope="module")
def extension(framework_pythons: Mapping[str, Path]) -> Extension:
    return Extension("autograd", PIECES, framework_pythons, CACHE / "cpp-extensions")


@pytest.mark.parametrize(
    "function",
    [
        "gradients",
        "twice",
        "results",
        "undefined",
        "in_place",
        "used_twice",
        "errors",
        "from_cpp",
        "engine",
        "freed",
    ],
)
def test_functions_tell_the_same_under_both_frameworks(extension: Extension, function: str) -> None:
    told = extension.told("paddle", function)
    assert told == extension.told("torch", function)


def test_gradients_are_those_of_finite_differences(extension: Extension) -> None:
    told = extension.told("paddle", "gradients")
    assert {name: good for name, good in told.items() if not (good and all(good))} == {}


@pytest.fixture(scope="module")
def recorded(framework_pythons: Mapping[str, Path]) -> Extension:
    pieces = overlay.pieces(FOLDER)
    return Extension("recorded", pieces, framework_pythons, CACHE / "cpp-extensions")


@pytest.mark.parametrize("function", ["gradients", "writes", "spoiled"])
def test_functions_of_tensors_are_recorded(recorded: Extension, function: str) -> None:
    told = recorded.told("paddle", function)
    assert told == recorded.told("torch", function)
