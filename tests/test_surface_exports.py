"""What libraries export of torch's names is read with its overloads."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.model import State, Symbol
from porter.surface.cpp_capture import add_exports, find_exports
from porter.surface.load import load

SOURCE = """namespace at { struct Tensor {};
int add(int) { return 1; } int add(Tensor) { return 2; }
namespace { int hidden(int) { return 3; } } int (*kept)(int) = hidden; }
namespace c10 { struct Device { Device(int) noexcept; bool operator==(const Device&) const; }; }
c10::Device::Device(int) noexcept {} bool c10::Device::operator==(const Device&) const { return 1; }
namespace own { int add(int) { return 4; } }
"""


@pytest.mark.real
def test_overloads_of_torchs_names_are_read(tmp_path: Path) -> None:
    command = ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(tmp_path / "libown.so")]
    subprocess.run(command, input=SOURCE.encode(), check=True)
    assert find_exports(tmp_path, tmp_path) == {
        "at::add": ("at::add(at::Tensor)", "at::add(int)"),
        "c10::Device::Device": ("c10::Device::Device(int)",),
        "c10::Device::operator==": ("c10::Device::operator==(c10::Device const&) const",),
    }


def test_what_is_exported_and_not_declared_stays_missing() -> None:
    known = {"at::add": Symbol(kind="function", state=State.MISSING)}
    found = add_exports(known, {"at::add": ("at::add(int)",), "at::own": ("at::own()",)})
    assert (found["at::add"].state, found["at::add"].signatures) == (
        State.MISSING,
        ("at::add(int)",),
    )
    assert found["at::own"].state is State.PRESENT


@pytest.mark.parametrize("version", ["3.3.0", "3.3.1"])
def test_the_surfaces_have_the_overloads_of_what_is_exported(version: str) -> None:
    assert len(load("paddle", version).cpp["torch::Library::Library"].signatures) == 2
