"""Operators and classes of C++ mean the same under real torch and real Paddle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import CACHE
from tests.cpp_extensions import Extension

pytestmark = pytest.mark.real
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
    "function", ["arguments", "refused", "results", "dispatched", "errors", "classes"]
)
def test_registered_code_tells_the_same_under_both_frameworks(
    extension: Extension, function: str
) -> None:
    assert extension.told("paddle", function) == extension.told("torch", function)
