"""Functions computed in Python mean the same, and can be differentiated, under both frameworks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from tests.conftest import CACHE
from tests.cpp_extensions import Extension
from tests.cpp_pieces import overlay

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = overlay.closure(
    rules_home() / "paddle" / "polyfills" / "cpp",
    ["convolution", "interpolation", "losses", "normalization", "padding", "pooling"],
)


@pytest.fixture(scope="module")
def extension(framework_pythons: Mapping[str, Path]) -> Extension:
    return Extension("calls", PIECES, framework_pythons, CACHE / "cpp-extensions")


@pytest.mark.parametrize("function", ["gradients", "none_recorded", "threads", "errors"])
def test_functions_tell_the_same_under_both_frameworks(extension: Extension, function: str) -> None:
    told = extension.told("paddle", function)
    assert told == extension.told("torch", function)
    assert told
