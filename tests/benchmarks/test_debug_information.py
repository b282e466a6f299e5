"""What a unit with torch's headers costs in porter's builds, against the compiler given `-g`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from porter.build import objects
from tests.system import need

UNIT = "#include <torch/extension.h>\nat::Tensor f(at::Tensor x) { return x + 1; }\n"
ENOUGH = 1.15


def seconds(argv: Sequence[str | Path]) -> float:
    """Of processor time: others on the machine matter less."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.real
@pytest.mark.long
def test_units_cost_less_without_debug_information(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    compiler = need("g++")
    python = framework_pythons["torch"]
    asked = "import torch, sysconfig; from torch.utils.cpp_extension import include_paths as i; "
    asked += "print(*i(), sysconfig.get_paths()['include'], sep='\\n')"
    folders = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    (tmp_path / "unit.cpp").write_text(UNIT)
    flags = ["-g", "-O3", "-std=c++20", "-fPIC", "-c", str(tmp_path / "unit.cpp"), "-o"]
    flags += [
        str(tmp_path / "unit.o"),
        *(f"-isystem{f}" for f in folders.stdout.split(os.linesep) if f),
    ]
    ours = seconds(
        [
            *objects.make_cached_command(compiler, [tmp_path], objects.Cache(tmp_path / "store")),
            *flags,
        ]
    )
    plain = seconds([compiler, *flags])
    sys.stdout.write(
        f"with -g {plain:.1f} s, in porter's builds {ours:.1f} s: {plain / ours:.2f}\n"
    )
    assert plain / ours > ENOUGH
