"""What it costs to compile against all headers of porter-compat, and not those of a unit alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import porter_home
from tests.benchmarks.test_debug_information import seconds
from tests.porting import porter
from tests.system import need
from tests.test_compat_package import cache, installed, run, wheel

__all__ = ["cache", "installed", "wheel"]  # fixtures

pytestmark = [pytest.mark.real, pytest.mark.long]
FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = """
    import sysconfig
    import porter_compat, paddle
    from torch.utils.cpp_extension import include_paths
    print(*include_paths(), sysconfig.get_path("include"), sep="\\n")
"""
FLAGS = ("-std=c++17", "-O2", "-g0", "-w", "-fPIC", "-DTORCH_EXTENSION_NAME=_C")


@pytest.mark.parametrize("fixture", ["vecops", "core_ops"])
def test_all_headers_cost_little_more_than_those_of_a_unit(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    fixture: str,
) -> None:
    compiler, python = need("g++"), framework_pythons["paddle"]
    status, said = run(python, FOLDERS, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    every, *paddles = said.splitlines()
    home, source = tmp_path / "home", tmp_path / fixture
    home.mkdir()
    (home / "envs").symlink_to(porter_home() / "envs")
    shutil.copytree(FIXTURES / fixture, source)
    porter(home, "migrate", str(source), "--target", "paddle", "--vendor")
    (tree,) = home.glob("runs/*/tree")
    unit = next(tree.glob("*/_porter_compat/headers.py"))
    compat = next(folder for folder in paddles if folder.endswith("/compat"))
    own = tmp_path / "own"
    subprocess.run([python, unit, own, unit.with_name("include"), compat], check=True)
    taken = {own: 0.0, Path(every): 0.0}
    for file in sorted(tree.glob("csrc/*.cpp")):
        for folder in taken:
            found = [f"-I{one}" for one in (folder, *paddles)]
            command = [compiler, *FLAGS, *found, "-c", str(file), "-o", str(tmp_path / "unit.o")]
            taken[folder] += min(seconds(command) for _ in range(2))
    pruned, whole = taken.values()
    sys.stdout.write(
        f"{fixture}: {pruned:.1f} s with the headers of a unit, {whole:.1f} s with all, "
        f"{whole / pruned:.2f} times\n"
    )
    assert whole < 1.35 * pruned
