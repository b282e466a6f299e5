"""Modules of torch::nn that an extension binds mean the same under real torch and real Paddle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import CACHE
from tests.cpp_extensions import PIECES, Extension
from tests.cpp_pieces import overlay

pytestmark = [pytest.mark.real, pytest.mark.long]


@pytest.fixture(scope="module")
def extension(framework_pythons: Mapping[str, Path]) -> Extension:
    pieces = overlay.pieces(PIECES)
    return Extension("modules", pieces, framework_pythons, CACHE / "cpp-extensions")


@pytest.mark.parametrize(
    "function",
    [
        "texts",
        "forward",
        "gradients",
        "training",
        "names",
        "modes",
        "dtypes",
        "copies",
        "inside",
        "states",
    ],
)
def test_modules_tell_the_same_under_both_frameworks(extension: Extension, function: str) -> None:
    told = extension.told("paddle", function)
    assert told == extension.told("torch", function)
