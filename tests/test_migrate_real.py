"""Migrations against real headers: newer ones, none, a compiler that crashes, sources that fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from porter.host.home import rules_home
from porter.unit import pieces
from porter.unit.installed import load_shipped, read_headers
from porter.unit.parts import absent
from tests.conftest import ROOT

pytestmark = [pytest.mark.real, pytest.mark.long]

COMPAT = "include/paddle/phi/api/include/compat"
BODY = f"{COMPAT}/ATen/core/TensorBody.h"
MEMBERS = """
  at::Tensor narrow(int64_t dim, int64_t start, int64_t length) const {
    return Tensor(paddle::experimental::slice(tensor_, {dim}, {start}, {start + length}, {1}, {}));
  }
  at::Tensor mul(const at::Tensor& other) const {
    return Tensor(paddle::experimental::multiply(tensor_, other._PD_GetInner()));
  }
  at::Tensor mul(const at::Scalar& other) const {
    return Tensor(paddle::experimental::scale(tensor_, other, 0.0f, true));
  }
"""
SETUP = """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="ops",
    packages=["ops"],
    ext_modules=[CppExtension(name="ops._C", sources=["csrc/a.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
"""
SOURCE = """#include <torch/extension.h>
at::Tensor first(const at::Tensor& x, double by) { return x.narrow(0, 0, 1) * by; }
"""


def repository(root: Path, source: str = SOURCE) -> Path:
    for path, text in {
        "setup.py": SETUP,
        "ops/__init__.py": "import torch\nfrom . import _C\n",
        "csrc/a.cpp": source,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def migrated(root: Path, python: Path, code: int, *more: str, **environment: str) -> Any:
    """The document of a migration of a repository for the paddle of an interpreter."""
    words = (
        "migrate",
        root,
        "--vendor",
        "--target",
        "paddle",
        "--target-python",
        python,
        "--json",
        *more,
    )
    done = subprocess.run(
        [sys.executable, "-m", "porter", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def unit_of(document: Any) -> Path:
    run = Path(os.environ["PORTER_HOME"]) / "runs" / document["run"]
    return run / "tree" / "ops" / "_porter_compat"


def lines(folder: Path) -> int:
    return sum(len(p.read_text().splitlines()) for p in folder.rglob("*") if p.is_file())


def home_of(python: Path) -> Path:
    """The folder of an interpreter's paddle."""
    asked = "import paddle; print(paddle.__path__[0])"
    said = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    return Path(said.stdout.strip().splitlines()[-1])


def other(python: Path, folder: Path) -> tuple[Path, Path]:
    """An interpreter with a paddle of its own, every file a link, and the folder of that."""
    home = home_of(python)
    venv.create(folder, symlinks=True)
    site = next(folder.glob("lib/python*/site-packages"))
    for entry in home.parent.iterdir():
        if entry.name != "paddle":
            (site / entry.name).symlink_to(entry)
    subprocess.run(["cp", "-rs", home, site / "paddle"], check=True)
    return folder / "bin" / "python", site / "paddle"


def test_where_headers_gain_members_the_unit_shrinks_and_an_old_one_compiles(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    python, paddle = other(framework_pythons["paddle"], tmp_path / "newer")
    text = (paddle / BODY).read_text()
    at = text.index("  at::Tensor index_select(")
    (paddle / BODY).unlink()
    (paddle / BODY).write_text(text[:at] + MEMBERS + text[at:])
    old = migrated(repository(tmp_path / "old"), framework_pythons["paddle"], 0)
    new = migrated(repository(tmp_path / "new"), python, 0)
    for document in (old, new):
        assert document["units"]["cpp"] == {"compiled": 1, "total": 1, "failed": []}
    assert lines(unit_of(new)) < lines(unit_of(old))
    check(python, paddle, unit_of(old), [tmp_path / "old" / "csrc" / "a.cpp"], tmp_path)


def check(python: Path, paddle: Path, unit: Path, sources: Iterable[Path], folder: Path) -> None:
    """Sources compiled with a unit, against the headers of a paddle."""
    merged = folder / "merged"
    words = (python, unit / "headers.py", merged, unit / "include", paddle / COMPAT)
    subprocess.run(list(map(str, words)), check=True)
    include = paddle / "include"
    compat = paddle / COMPAT
    folders = (merged, include, include / "third_party", compat, compat / "torch/csrc/api/include")
    command = (
        *("g++", "-std=c++17", "-fsyntax-only", "-w", "-DPADDLE_WITH_CUSTOM_KERNEL"),
        *(f"-I{folder}" for folder in (*folders, sysconfig.get_paths()["include"])),
        *map(str, sources),
    )
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_unit_chosen_by_names_compiles(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    python = framework_pythons["paddle"]
    root = tmp_path / "core_ops"
    shutil.copytree(ROOT / "fixtures" / "core_ops", root)
    document = migrated(root, python, 0, "--no-compiler")
    unit = unit_of(document).parent.parent / "core_ops" / "_porter_compat"
    check(python, home_of(python), unit, root.glob("csrc/*.cpp"), tmp_path)


def test_what_is_known_of_the_target_s_headers_is_so(
    framework_pythons: Mapping[str, Path],
) -> None:
    python = framework_pythons["paddle"]
    compat = str(home_of(python) / COMPAT)
    parts = [p for piece in pieces(rules_home() / "paddle" / "polyfills") for p in piece.parts]
    lacking = {part.id for part in absent(parts, compat)}
    found = replace(read_headers(parts, compat), has=sorted({p.id for p in parts} - lacking))
    assert found == load_shipped("paddle", "3.3.1"), "python -m porter.unit makes it again"


def test_a_target_without_headers_is_said(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    python, paddle = other(framework_pythons["paddle"], tmp_path / "bare")
    (paddle / "include").rename(tmp_path / "include")
    found = migrated(repository(tmp_path / "ops"), python, 0)
    assert found["units"]["cpp"] is None
    assert any("has no C++ headers" in note for note in found["notes"])


def test_a_compiler_that_crashes_is_said(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    fake = tmp_path / "g++"
    fake.write_text("#!/bin/sh\nkill -SEGV $$\n")
    fake.chmod(0o755)
    python = framework_pythons["paddle"]
    found = migrated(repository(tmp_path / "ops"), python, 1, CXX=str(fake))
    (failed,) = found["units"]["cpp"]["failed"]
    assert "the compiler crashed" in failed["first_error"]
    assert any("csrc/a.cpp" in note for note in found["notes"])


def test_ten_thousand_errors_are_told_in_their_places(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    calls = "".join(f"int f{n}() {{ return at::nothing_{n}(1); }}\n" for n in range(10_000))
    root = repository(tmp_path / "ops", f"#include <torch/extension.h>\n{calls}")
    found = migrated(root, framework_pythons["paddle"], 1)
    assert found["units"]["cpp"]["compiled"] == 0
    assert {"csrc/a.cpp"} == {r["path"] for r in found["residue"]}
    assert len(found["residue"]) >= 500


def test_a_submodule_that_was_not_brought_is_said(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    source = f'#include "../third_party/lib/lib.h"\n{SOURCE}'
    root = repository(tmp_path / "ops", source)
    (root / ".gitmodules").write_text('[submodule "lib"]\n  path = third_party/lib\n  url = x\n')
    found = migrated(root, framework_pythons["paddle"], 1)
    assert any("third_party/lib is empty" in note for note in found["notes"])


def test_extensions_of_a_project_in_a_folder_are_said_to_be_there(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    repository(tmp_path / "all" / "ops")
    (tmp_path / "all" / "setup.py").write_text("from setuptools import setup\nsetup(name='all')\n")
    found = migrated(tmp_path / "all", framework_pythons["paddle"], 0)
    assert any(f"{tmp_path / 'all'}#ops" in note for note in found["notes"])


def test_where_the_build_script_fails_the_sources_of_the_tree_are_checked(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    root = repository(tmp_path / "ops", f'#include "other/own.h"\n{SOURCE}')
    (root / "headers" / "other").mkdir(parents=True)
    (root / "headers" / "other" / "own.h").write_text("#pragma once\n")
    (root / "setup.py").write_text(f"raise RuntimeError('no GPU here')\n{SETUP}")
    found = migrated(root, framework_pythons["paddle"], 0)
    assert found["units"]["cpp"] == {"compiled": 1, "total": 1, "failed": []}
    assert any("no GPU here" in note for note in found["notes"])
