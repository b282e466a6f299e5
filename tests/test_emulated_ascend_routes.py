"""Operators that were converted from one route to another compute what they did: the fixture's own
tests pass with each of its operators by another route than its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from porter.build import ascend_emulation, environment
from porter.emulators.npu.package import build_package
from tests.conftest import CACHE
from tests.system import need
from tests.test_ascend_routes import ADD, OPP, converted, only_aclnn, only_direct, only_opplugin

pytestmark = [pytest.mark.real, pytest.mark.long]


def written(files: dict[str, bytes], route: str, folder: Path) -> Path:
    after, done = converted(files, route)
    assert len(done.operators) == 1
    for path, text in after.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def test_the_same_numbers_by_every_other_route(tmp_path: Path) -> None:
    need("g++")
    cell = environment.overlay(ascend_emulation.base(home=CACHE), tmp_path / "cell")
    ascend_emulation.install(cell, CACHE)
    own = ascend_emulation.folder(cell, CACHE)
    launched = written(only_direct(), "aclnn", tmp_path / "launched")
    called = written(only_aclnn(), "direct", tmp_path / "called")
    generated = written(only_opplugin(), "aclnn", tmp_path / "generated")

    opp = shutil.copytree(launched / "opp", tmp_path / "opp")
    for path in OPP:
        shutil.copy(ADD / path, tmp_path / path)
    host = sorted((opp / "op_host").glob("*.cpp"))
    build_package(host, opp / "op_kernel", tmp_path / "vendor", own)

    variables = {**os.environ, **ascend_emulation.variables(own, os.environ["PATH"])}
    # All of it as one source: torch's headers take longer to compile than the rest.
    source = called / "csrc" / "all.asc"
    others = (launched / "csrc/add_direct.cpp", generated / "csrc/npu_add_custom.cpp")
    text = (called / "csrc/add_aclnn.asc").read_text()
    source.write_text(text + "".join(f'#include "{other}"\n' for other in others))
    project = tmp_path / "project"
    shutil.copytree(ADD / "ascend_add", project / "ascend_add")
    (project / "tests").mkdir()
    shutil.copy(ADD / "tests" / "test_add.py", project / "tests")
    site = Path(cell.root).parent
    third_party = site / "torch_npu" / "include" / "third_party"
    folders = [site / "torch/include", site / "torch/include/torch/csrc/api/include"]
    folders += [Path(sysconfig.get_path("include")), site / "torch_npu/include"]
    folders += [third_party / "op-plugin"]
    folders += [
        third_party / name for name in ("acl/inc", "hccl/inc", "op-plugin/op_plugin/include")
    ]
    command = ["bisheng", "-x", "asc", "--npu-arch=dav-2201", "-shared", "-fPIC", "-O0", "-g0"]
    command += ["-DCURRENT_VERSION=V2R13", *(f"-I{folder}" for folder in folders), str(source)]
    command += [f"-L{site / name / 'lib'}" for name in ("torch", "torch_npu")]
    command += ["-ltorch_npu", "-ltorch_cpu", "-lc10", "-o", str(project / "ascend_add/_all.so")]
    done = subprocess.run(command, capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr[:3000]

    counts = tmp_path / "counts"
    result = subprocess.run(
        [cell.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "ASCEND_CUSTOM_OPP_PATH": str(tmp_path / "vendor"),
            "PORTER_EMULATED_LATE": "1",
            "PORTER_EMULATED_COUNTS": str(counts),
        },
    )
    said = result.stdout + result.stderr
    assert result.returncode == 0 and "77 passed" in said, said[-3000:]
    ran = set(json.loads(counts.read_text().splitlines()[-1])["kernel"])
    assert ran == {"add_direct_custom", "add_custom", "add_custom<DTYPE_X>"}
