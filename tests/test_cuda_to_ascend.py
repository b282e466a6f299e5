"""CUDA kernels as Ascend C: what is translated computes the same, what is not is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from porter.ascend.translate.kernels import kernels
from porter.emulated.ascend import toolkit
from porter.emulated.ascend.kernels import emulate
from porter.languages.cpp import parse
from tests.conftest import CACHE, ROOT

DATA = Path(__file__).parent / "data"
CASES = DATA / "cuda_to_ascend"


@pytest.mark.real
def test_what_is_translated_computes_what_the_source_does(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    source = CASES / "elementwise.cu"
    found = {k.name: k for k in kernels(parse(source.read_bytes(), source.name))}
    assert found.pop("sometimes").reason  # its bound is one of two conditions
    assert [k.reason for k in found.values() if not k.text] == []
    (tmp_path / "translated.inc").write_text("\n".join(k.text for k in found.values()))
    shutil.copy(CASES / "driver.cpp", tmp_path / "driver.asc")
    libraries = toolkit(CACHE) / "lib64"
    folders = [tmp_path, CASES, DATA / "emulated_ascend"]
    made = emulate([tmp_path / "driver.asc"], folders, tmp_path / "out")
    assert made.refused == ()
    linked = (f"-L{libraries}", "-lascendcl", f"-Wl,-rpath,{libraries}")
    program = tmp_path / "program"
    command = ("g++", "-O1", *made.flags, *made.sources, "-o", program, *linked)
    subprocess.run(command, check=True)
    result = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
    assert result.stdout.count("ok ") == 2 * len(found) + 3
