"""How fast files are scanned, against a peer in the same run, so that a slow machine passes."""

from __future__ import annotations

import ast
import gc
import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.migrate.scan import Job, scan
from porter.model import Form
from porter.rules.loader import load_pack
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.uses.lookup import uses_in

# A finder that walks every tree again adds about 0.5 to the first factor, a rule that goes over
# all tokens again 0.5 to the second.
PYTHON_FACTOR = 5.0  # of ast.parse and ast.walk of the same files; measured: 2.5
NATIVE_FACTOR = 12.0  # of one regular expression that splits the same files into words; 6.6
MEMORY_FACTOR = 4.0  # of the memory for one of twelve files of a size; 1.6

PYTHON = """
import torch
import torch.nn.functional as F


class Layer{n}(torch.nn.Module):
    def __init__(self, size: int = {n}) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(size, size))
        self.stream = torch.cuda.Stream()

    def forward(self, x: torch.Tensor, bias=None) -> torch.Tensor:
        values = [float(v) * {n} for v in range(10) if v % 2]
        with torch.cuda.stream(self.stream):
            y = F.linear(x.to(device="cuda"), self.weight, bias).contiguous()
        if y.numel() > {n} and x.is_cuda:
            y = torch.cat([y, x.new_empty(3)], dim=-1) + sum(values)
        return y.view(-1, {n}).transpose(0, 1)
"""
NATIVE = """
// rows of {n}
template <typename scalar_t>
__global__ void kernel{n}(const scalar_t *__restrict__ x, scalar_t *y, int64_t n) {{
  const int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * static_cast<scalar_t>({n}) + scalar_t(0.5f); /* half */
}}
at::Tensor run{n}(const at::Tensor &x) {{
  TORCH_CHECK(x.is_cuda(), "x must be on the device, not ", x.device());
  auto y = at::empty_like(x);
  kernel{n}<float><<<1, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}}
"""
WORDS = re.compile(rb"\s+|//[^\n]*|/\*.*?\*/|\"[^\"]*\"|\w+|.", re.DOTALL)


def make(root: Path, text: str, ending: str) -> list[bytes]:
    for k in range(12):
        body = "".join(text.format(n=100 * k + n) for n in range(60))
        (root / f"part{k}{ending}").write_text(body)
    return [path.read_bytes() for path in sorted(root.glob(f"*{ending}"))]


def seconds(work: Callable[[], object], best_of: int = 3) -> float:
    """CPU seconds of the best of some runs: what other processes cost is left out."""
    taken = []
    for _ in range(best_of):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def scanning(root: Path) -> Callable[[], object]:
    found = discover(root)
    pack = load_pack("paddle").active(None, Form())
    facts = survey(root, found)
    job = Job(root=root, facts=facts, pack=pack, form=Form(), look_up=uses_in)
    return lambda: scan(job, found.files, jobs=1)


def parsed(files: list[bytes]) -> None:
    for data in files:
        for _ in ast.walk(ast.parse(data)):
            pass


def split(files: list[bytes]) -> None:
    for data in files:
        for match in WORDS.finditer(data):
            match.group()


def ratio(folder: Path, text: str, ending: str, peer: Callable[[list[bytes]], None]) -> float:
    files = make(folder, text, ending)
    work = scanning(folder)
    work()  # rules and surfaces are loaded once
    gc.disable()
    try:
        return seconds(work) / seconds(lambda: peer(files))
    finally:
        gc.enable()


def test_python_costs_a_few_times_its_parse(tmp_path: Path) -> None:
    assert ratio(tmp_path, PYTHON, ".py", parsed) < PYTHON_FACTOR


@pytest.mark.long
def test_cuda_costs_a_few_times_its_words(tmp_path: Path) -> None:
    assert ratio(tmp_path, NATIVE, ".cu", split) < NATIVE_FACTOR


def growth(folder: Path) -> float:
    """Greatest memory of scanning twelve files of one size, by that of one of them."""
    make(folder, PYTHON, ".py")
    (folder / "alone").mkdir()
    (folder / "alone" / "part0.py").write_bytes((folder / "part0.py").read_bytes())
    peaks = []
    for root in (folder / "alone", folder):
        work = scanning(root)
        work()
        tracemalloc.start()
        try:
            work()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return peaks[1] / peaks[0]


@pytest.mark.long
def test_a_file_is_forgotten_when_it_is_read(tmp_path: Path) -> None:
    assert growth(tmp_path) < MEMORY_FACTOR
