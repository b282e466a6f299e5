"""What `make corpus` checks on real repositories, on our fixtures and on odd files; no network."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from porter.model import Style
from tests.conftest import ROOT
from tests.invariants import compare_trees

FIXTURES = sorted(path.name for path in (ROOT / "fixtures").iterdir() if path.is_dir())
# A native extension, Triton, and what is broken or has nothing to port.
QUICK = {"row_ops", "triton_rows", "broken_syntax", "no_torch"}
SETUP = b"""# -*- coding: %s -*-
# caf\xe9
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension  # kept

setup(
    name="odd",
    packages=["odd"],
    ext_modules=[CUDAExtension("odd._C", ["csrc/op.cu"])],  # kept too
    cmdclass={"build_ext": BuildExtension},
)
"""
STREAM = """\
import torch as _torch
from torch import cuda


def raw(x):  # é kept
    stream = _torch.cuda.current_stream()
    return stream.cuda_stream, cuda.current_stream(x.device).cuda_stream
"""
TEST = "import torch\n\n\ndef test_one():\n    assert torch.device(device='cpu')\n"
KERNEL = """\
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>  // kept
#define ROWS(x) \\
  at::zeros({x})
/* a comment that never closes its "quote */
auto s = at::cuda::getCurrentCUDAStream();
const char *raw = R"(at::cuda::getCurrentCUDAStream() // no code)";
"""


def odd_files() -> dict[str, bytes]:
    """A repository of what real ones have and few expect."""
    text = (
        STREAM.encode()
        + b"\n\nKEPT = {}\n\n\ndef kept(x: _torch.Tensor):\n    return KEPT[x.shape]\n"
    )
    return {
        "setup.py": SETUP % b"latin-1",
        "odd/__init__.py": b'"""Odd."""\nfrom __future__ import annotations\nimport torch\n',
        "odd/bom.py": b"\xef\xbb\xbf" + text,
        "odd/crlf.py": text.replace(b"\n", b"\r\n"),
        "odd/no_end.py": text.rstrip(b"\n"),
        "odd/tabs.py": text.replace(b"    ", b"\t"),
        "odd/form_feed.py": text.replace(b"\n\n\n", b"\n\x0c\n\n"),
        "odd/semicolons.py": b"import os; import torch; s = torch.cuda.current_stream()"
        b"; h = s.cuda_stream  # kept\n",
        "odd/continued.py": b"import torch\nh = torch.cuda.current_stream() \\\n  .cuda_stream\n",
        "odd/f_string.py": b"import torch\nt = f'{torch.cuda.current_stream().cuda_stream!r}'\n",
        "odd/shadowed.py": b"def f(torch):\n    return torch.device(device='x')\n",
        "odd/deep.py": b"import torch\nx = " + b"(" * 150 + b"1" + b")" * 150 + b"\n",
        "odd/wrong.py": b"import torch\ndef f(:\n",
        "odd/python2.py": b"import torch\nprint 'x'\n",
        "odd/nul.py": b"import torch\n\0\n",
        "odd/latin.py": b"import torch  # caf\xe9\n",
        "odd/empty.py": b"",
        "csrc/op.cu": KERNEL.encode().replace(b"\n", b"\r\n"),
        "csrc/broken.h": b'#include <torch/extension.h>\nvoid f( { "x\n#if\n',
        "csrc/bytes.cpp": bytes(range(256)) + b"\nat::Tensor x;\n",
        "tests/test_one.py": TEST.encode(),
        "third_party/lib/setup.py": SETUP % b"utf-8",
        "third_party/lib/use.py": text,
        "third_party/lib/LICENSE": b"theirs\n",
        "pyproject.toml": b'[build-system]\r\nrequires = ["setuptools", "torch>=2"]  # kept\r\n',
        "CMakeLists.txt": b"find_package(Torch REQUIRED)  # kept\n",
    }


def porter(*arguments: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "porter", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def migrated(source: Path, style: Style, home: Path) -> tuple[dict[str, Any], Path, Path]:
    """The document of migrate, and the trees before and after; nothing may have crashed."""
    code, document = porter("migrate", str(source), "--style", style)
    assert code in (0, 1), document
    assert document["crashes"] == []
    run = home / "runs" / document["run"]
    return document, run / "base", run / "tree"


def check(source: Path, style: Style, home: Path) -> dict[str, Any]:
    """Everything that has to hold of one repository; the document of its migration."""
    document, before, after = migrated(source, style, home)
    if not after.exists():  # nothing is made of a source that does not name torch
        assert document["patch"]["files"] == 0 and not document["repository"]["uses_torch"]
        return document
    problems, changed = compare_trees(before, after, document["repository"]["vendored"])
    assert problems == []
    assert document["patch"]["files"] == changed
    again, _, _ = migrated(after, style, home)
    assert again["patch"]["files"] == 0, again["patch"]
    return document


@pytest.mark.parametrize("style", [Style.DUAL, pytest.param(Style.FORK, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in FIXTURES],
)
def test_a_fixture_keeps_its_invariants(
    name: str, style: Style, home: Path, tmp_path: Path
) -> None:
    copy = tmp_path / name
    shutil.copytree(ROOT / "fixtures" / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
    document = check(copy, style, home)
    if name == "no_torch":
        assert not document["findings"] and not document["missing"] and not document["residue"]


@pytest.mark.parametrize("style", [Style.DUAL, pytest.param(Style.FORK, marks=pytest.mark.long)])
def test_odd_files_keep_their_invariants(style: Style, home: Path, tmp_path: Path) -> None:
    source = tmp_path / "odd"
    for path, data in odd_files().items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_bytes(data)
    document = check(source, style, home)
    assert document["repository"]["vendored"] == ["third_party"]
    assert not any(f["path"].startswith("third_party") for f in document["findings"])
    unread = {skipped["path"] for skipped in document["skipped"]}
    assert {"odd/wrong.py", "odd/python2.py", "odd/nul.py", "odd/latin.py"} <= unread
    edited = {f["path"] for f in document["findings"] if f["safety"] == "safe"}
    assert {"setup.py", "odd/bom.py", "odd/crlf.py", "odd/tabs.py"} <= edited
