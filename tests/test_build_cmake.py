"""Units of a CMake build, and what tells CMake of the unit's package for Torch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter.build import cmake_units
from porter.targets import Environment


def test_cmake_is_told_of_the_unit_only_where_no_build_script_runs_it(tmp_path: Path) -> None:
    package = tmp_path / "ops" / "_porter_compat"
    (package / "cmake" / "Torch").mkdir(parents=True)
    folder = str(package / "cmake")
    python = Environment(
        python=Path(sys.executable), framework="x", version="1", build="cpu", paths=(str(tmp_path),)
    )

    def told() -> dict[str, str]:
        return cmake_units.variables(tmp_path, python, tmp_path)

    assert told() == {"Torch_DIR": f"{folder}/Torch", "PYTHONPATH": folder}
    (package / "enable.py").touch()
    assert told() == {}


@pytest.mark.real
def test_units_are_those_of_the_project_without_the_headers_that_cmake_had_written(
    tmp_path: Path,
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "own.cpp").touch()
    (tmp_path / "other.cpp").touch()
    (tree / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\n"
        "add_library(ops STATIC own.cpp ../other.cpp)\n"
        "target_include_directories(ops PRIVATE include ${CMAKE_BINARY_DIR}/porter_torch/include)\n"
        "target_compile_definitions(ops PRIVATE OWN=1)\n"
    )
    python = Environment(python=Path(sys.executable), framework="torch", version="1", build="cpu")
    plan = cmake_units.capture(tree, python, tmp_path / "logs", {})
    assert [unit.path for unit in plan.units] == ["own.cpp"], plan.reason
    (unit,) = plan.units
    assert unit.includes == ("include",)
    assert unit.defines == ("-DOWN=1",)
