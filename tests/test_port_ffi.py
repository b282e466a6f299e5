"""Our fixtures with TileLang kernels and with kernels behind TVM FFI: ported, and run on Paddle.

What CI runs is the patch and one cell; `make meaning` ports them whole, under both frameworks.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from porter.build import driver, environment
from porter.build.cell import Options
from porter.model import Cell, Device, Evidence, Status, Tree
from porter.targets import TARGETS
from porter.unit import package
from tests.conftest import ROOT
from tests.porting import porter, without_the_unit

pytestmark = [pytest.mark.real, pytest.mark.long]
FIXTURES = [("tilelang_relu", 8), ("tvm_ffi_add", 10)]
PADDLE = TARGETS["paddle"]


def patch_of(name: str, document: Any) -> None:
    assert not document["residue"] and not document["open"]
    assert [item for item in document["missing"] if not item["answer"]] == []
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / f"fixtures/{name}.patch").read_text()


@pytest.mark.parametrize(("name", "passing"), FIXTURES)
def test_what_is_ported_passes_its_tests_on_paddle(
    name: str, passing: int, own_home: Path, framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    _, document = porter(own_home, "migrate", str(ROOT / "fixtures" / name))
    patch_of(name, document)
    tree = own_home / "runs" / document["run"] / "tree"
    base = environment.use(framework_pythons["paddle"], PADDLE, tmp_path)
    cell = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)
    wheel = package.wheel(PADDLE.rules / PADDLE.pack)
    options = Options(jobs=1, compat_wheel=wheel)
    built = driver.build(tree, cell, base, PADDLE, tmp_path / "cell", options)
    assert built.status is Status.OK, built.reason
    tests = subprocess.run(
        [built.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        capture_output=True,
        text=True,
        cwd=tmp_path / "cell" / "tree",
        env={
            **os.environ,
            **PADDLE.activation,
            "TVM_FFI_CACHE_DIR": str(tmp_path),
            "PYTEST_ADDOPTS": "",
        },
    )
    assert f"\n{passing} passed" in tests.stdout, tests.stdout + tests.stderr


@pytest.mark.long
@pytest.mark.parametrize(("name", "passing"), FIXTURES)
def test_the_fixture_is_ported_whole(name: str, passing: int, own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures" / name))
    assert (code, document["verdict"]) == (0, "PORTED"), document["reasons"]
    patch_of(name, document)
    tests = document["tests"]
    assert {tests[side]["passed"] for side in ("source", "patched_source", "target")} == {passing}
    assert tests["lost"] == []
    parity = document["parity"]  # of tilelang_relu some compare the CUDA source that is lowered
    assert parity["passed"] > 20 and parity["failed"] == 0
