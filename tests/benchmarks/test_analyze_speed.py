"""How much work it is to scan files: counted, so that a slow or busy machine passes. Seconds beside
those of peers are what `python -m tests.benchmarks.analyze TREE` prints."""

from __future__ import annotations

import ast
import cProfile
import re
import shutil
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from porter import targets
from porter.migrate.scan import Job, scan
from porter.model import Form
from porter.rules.loader import load_pack
from porter.surface.load import load
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.uses.asked import LookUp

# Calls of functions, Python's own too, with Python 3.11. A finder that walks every tree again adds
# 1 to 4 to the first, a rule that goes over all tokens again 0.5 or more to the second.
CALLS_A_NODE = 18.3  # of the syntax tree; measured: 17.6, with calls fitted to torch's signatures
CALLS_A_WORD = 3.8  # of C++; 3.6
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


def make(root: Path, text: str, ending: str, files: int = 12, parts: int = 60) -> list[bytes]:
    for k in range(files):
        body = "".join(text.format(n=100 * k + n) for n in range(parts))
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
    look_up = LookUp.of(load("paddle", targets.resolve("paddle")[1]))
    job = Job(root=root, facts=facts, pack=pack, form=Form(), look_up=look_up)
    return lambda: scan(job, found.files, jobs=1)


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, by anything."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def nodes(data: bytes) -> int:
    return sum(1 for _ in ast.walk(ast.parse(data)))


def words(data: bytes) -> int:
    return sum(1 for _ in WORDS.finditer(data))


def calls_by_size(folder: Path, text: str, ending: str, size: Callable[[bytes], int]) -> float:
    files = make(folder, text, ending, files=1)
    work = scanning(folder)
    work()  # rules and surfaces are loaded once
    return calls(work) / sum(map(size, files))


def test_python_costs_few_calls_a_node(tmp_path: Path) -> None:
    assert calls_by_size(tmp_path, PYTHON, ".py", nodes) < CALLS_A_NODE


def test_cuda_costs_few_calls_a_word(tmp_path: Path) -> None:
    assert calls_by_size(tmp_path, NATIVE, ".cu", words) < CALLS_A_WORD


def test_cost_is_linear_in_the_number_of_files(tmp_path: Path) -> None:
    make(tmp_path, PYTHON, ".py", files=1, parts=20)
    counted = []
    for copies in (1, 2, 4, 8):
        folder = tmp_path / f"of{copies}"
        folder.mkdir()
        for number in range(copies):
            shutil.copy(tmp_path / "part0.py", folder / f"copy{number}.py")
        work = scanning(folder)
        work()
        counted.append(calls(work) / copies)
    assert max(counted) < 1.02 * min(counted)


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
