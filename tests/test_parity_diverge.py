"""The first operation that differs, with a few lines that stand for torch on both sides."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from rich.console import Console
from typer.testing import CliRunner

from porter.cli.app import app
from porter.errors import UsageError
from porter.model import Device, Divergence, FirstDifference, ParityCase, TensorSpec
from porter.parity import diverge, trace
from porter.parity.diverge import pair_events
from porter.parity.examine import examine_case
from porter.parity.side import Side
from porter.parity.trace import Bench, Event, Site, Sources, Trace
from porter.report import divergence as report
from porter.stages import diverge as stage
from tests.conftest import ROOT

HERE = Path(__file__).parent
SCHEMA = json.loads((ROOT / "docs/reference/divergence.schema.json").read_text())
PRELUDE = "import os\nos.environ['SIDE'] = 'target'\n"
# what the stand-in has besides; the target's is wrong in some of it
TORCH = """

import ctypes
import sys

TARGET = os.environ.get("SIDE") == "target"
Tensor.__add__ = lambda self, other: Tensor(self.array + getattr(other, "array", other))
Tensor.__mul__ = lambda self, other: Tensor(self.array * getattr(other, "array", other))


class no_grad:
    def __enter__(self): pass
    def __exit__(self, *error): pass


Tensor.copy_ = lambda self, other: self.array.__setitem__(..., other.array)


def double(x): return Tensor(x.array * (3 if TARGET else 2))
def noisy(x): return Tensor(x.array * (1 + 1e-7 * TARGET))
def narrow(x): return Tensor(x.array.astype("float64") if TARGET else x.array)
def rows(x): return [x, x] if TARGET else (x, x)
def fill(x, value):
    if not TARGET:
        x.array[...] = value
def call_back(function, x):
    found = [function(x + n) for n in ((1, 0) if TARGET else (0, 1))]
    return found[0 if not TARGET else 1]
def call_wrong(function, x): return function(x + TARGET)
def randn(*shape):
    return Tensor(np.random.default_rng(TARGET).normal(size=shape).astype("float32"))
def refuse(x):
    if TARGET:
        raise NotImplementedError("no kernel")
    return x
def crash(x):
    if TARGET:
        ctypes.string_at(0)
    return x
"""
TRITON = """
import os


class Kernel:
    def __init__(self, fn): self.fn = fn
    def __getitem__(self, grid): return lambda *args: self.run(*args)
    def run(self, x, out): out.array[...] = x.array + (os.environ.get("SIDE") == "target")


def jit(fn): return Kernel(fn)
"""
OPS = """\
import os

import torch
import triton


@triton.jit
def copy_kernel(x, out):
    out[0] = x[0]


def launched(x):
    out = x + 0
    copy_kernel[(1,)](x, out)
    return out


def result(x):
    y = x + 1
    return torch.double(y) + 1


def rounding(x):
    return torch.noisy(x) + 1


def dtype(x):
    return torch.narrow(x)


def mutation(x):
    y = x + 0
    torch.fill(y, 2.0)
    return y + 1


def slightly(x):
    found = torch.rows(x)
    return torch.double(found[0])


def only_slightly(x):
    return torch.rows(x)[0]


def own(x):
    factor = 2.0 if os.environ.get("SIDE") == "target" else 1.0
    return (x + 1) * factor


def more(x):
    if os.environ.get("SIDE") == "target":
        x = x + 0
        x = x + 0
    return torch.double(x)


def random(x):
    y = torch.randn(2, 3)
    return torch.double(x + y)


def refused(x):
    try:
        torch.missing
    except AttributeError:
        x = x + 1
    return torch.refuse(x)


def lacking(x):
    y = x + 1
    if os.environ.get("SIDE") == "target":
        torch.nothing(y)
    return y


def crashed(x):
    return torch.crash(x + 1)


def alike(x):
    return x + 1


def called_back(x):
    return torch.call_back(lambda y: y * 2, x)


def called_wrong(x):
    return torch.call_wrong(lambda y: y * 3, x)
"""


def line_of(code: str) -> int:
    return next(number for number, line in enumerate(OPS.splitlines(), 1) if code in line)


def examined(function: str, folder: Path) -> Divergence:
    tree = folder / "tree"
    (tree / "repo").mkdir(parents=True)
    (tree / "repo" / "__init__.py").write_text("")
    (tree / "repo" / "ops.py").write_text(OPS)
    (folder / "modules").mkdir()
    (folder / "modules" / "torch.py").write_text((HERE / "faketorch.py").read_text() + TORCH)
    (folder / "modules" / "triton.py").write_text(TRITON)
    sides = [
        Side(
            name=name,
            python=Path(sys.executable),
            prelude=prelude,
            work=folder,
            environment={"PYTHONPATH": f"{tree}:{folder / 'modules'}"},
            timeout=20,
        )
        for name, prelude in (("source", ""), ("target", PRELUDE))
    ]
    case = ParityCase(name=function, call=f"repo.ops:{function}", args=(TensorSpec(shape=(2, 3)),))
    sources = Sources(tree, {"repo": "repo"})
    bench = Bench(folder=folder, sides=(sides[0], sides[1]), names=("torch", "fake"))
    return examine_case(case, Device.CPU, bench, (sources, sources), ("cases.toml", 7))


def first(function: str, folder: Path) -> FirstDifference:
    found = examined(function, folder)
    document = json.loads(report.encode(found))
    jsonschema.validate(document, SCHEMA)
    assert found.first is not None
    return found.first


@pytest.mark.parametrize(
    ("function", "kind", "code", "layer"),
    [
        ("result", "result", "torch.double(y)", "proxy"),
        ("dtype", "result", "torch.narrow(", "proxy"),
        ("mutation", "arguments", "torch.fill(", "proxy"),
        ("slightly", "result", "torch.double(found", "proxy"),
        ("own", "inputs", "(x + 1) * factor", "the repository's Python"),
        ("more", "result", "torch.double(x)", "proxy"),
        ("random", "result", "torch.double(x + y)", "proxy"),
        ("refused", "error", "torch.refuse(", "proxy"),
        ("lacking", "error", "torch.nothing(", "proxy"),
        ("launched", "arguments", "copy_kernel[", "kernel"),
        ("called_wrong", "inputs", "y * 3", "proxy"),
        ("crashed", "crash", "torch.crash(", "proxy"),
    ],
)
def test_the_first_operation_that_differs_is_named(
    tmp_path: Path, function: str, kind: str, code: str, layer: str
) -> None:
    found = first(function, tmp_path)
    assert (found.kind, found.path, found.line) == (kind, "repo/ops.py", line_of(code)), found
    assert (found.layer, found.sure) == (layer, function != "called_wrong")


def test_the_message_names_both_values_and_the_script_shows_them(tmp_path: Path) -> None:
    found = first("result", tmp_path)
    assert "6 of 6 elements differ" in found.message
    assert found.arguments["args[0]"].startswith("tensor float32 [2, 3] = [")
    assert found.source != found.target and found.source.startswith("tensor float32 [2, 3] = [")
    assert found.agreed == 1
    script = Path(found.script).read_text()
    assert "result = torch.double(x0)" in script and not found.needs
    assert found.said.startswith("result: 6 of 6 elements differ, as at (0, 0): ")


def test_a_branch_or_a_value_of_the_repository_is_the_cause(tmp_path: Path) -> None:
    found = first("own", tmp_path)
    assert found.place == f"repo/ops.py:{line_of('factor = 2.0 if')}"
    assert "1.0" in found.source and "2.0" in found.target
    assert found.needs == "repo.ops", "what goes in differs: only the function around it shows that"


def test_the_place_of_a_kernel_is_that_of_its_function(tmp_path: Path) -> None:
    found = first("launched", tmp_path)
    assert found.place == f"repo/ops.py:{line_of('@triton.jit')}"
    assert found.evidence[0].startswith("copy_kernel is launched")


def test_operations_of_one_side_alone_are_borne_and_told(tmp_path: Path) -> None:
    found = first("more", tmp_path)
    assert [each.partition(" ")[2] for each in found.only_target] == ["x + 0", "x + 0"]
    assert found.only_source == ()


def test_a_list_for_a_tuple_is_no_divergence(tmp_path: Path) -> None:
    assert examined("only_slightly", tmp_path).first is None


@pytest.mark.parametrize(
    ("function", "operations"), [("rounding", 3), ("alike", 2), ("called_back", 4)]
)
def test_what_is_within_the_tolerance_is_no_divergence(
    tmp_path: Path, function: str, operations: int
) -> None:
    found = examined(function, tmp_path)
    assert found.first is None
    assert found.operations == (operations, operations)
    assert found.endings == ("", "")
    assert "no divergence" in shown(found)


def test_the_text_has_place_layer_and_script(tmp_path: Path) -> None:
    text = shown(examined("result", tmp_path))
    for part in (f"repo/ops.py:{line_of('torch.double(y)')}", "proxy", "reproduce.py", "given"):
        assert part in text


def shown(found: Divergence) -> str:
    console = Console(width=300, file=io.StringIO())
    console.print(*report.render(found))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


# -------------------------------------------------------------------- pairing


def made(*words: str) -> Trace:
    events = tuple(
        Event(number=n, site=Site(path="a.py", line=n, word=word), kind="operation")
        for n, word in enumerate(words, 1)
    )
    return Trace(folder=Path(), events=events, steps=())


def pairs(source: Trace, target: Trace) -> list[tuple[int, int]]:
    return [(other.number, number) for number, other in sorted(pair_events(source, target).items())]


def test_traces_are_paired_around_what_one_side_has() -> None:
    assert pairs(made("a", "b", "c"), made("a", "x", "b", "y", "c")) == [(1, 1), (2, 3), (3, 5)]
    assert pairs(made("a", "x", "x", "b"), made("a", "b")) == [(1, 1), (4, 2)]
    assert pairs(made("a"), made("b")) == []


def test_long_loops_are_paired_in_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diverge, "REPEATED", 100)
    loop = made(*("a", "b") * 500)
    assert pairs(loop, loop) == [(n, n) for n in range(1, 1001)]


def test_a_trace_that_was_cut_short_is_read_up_to_there(tmp_path: Path) -> None:
    site = {"path": "a.py", "line": 1, "function": "", "kind": "call", "label": "f"}
    lines: list[Any] = [
        {"number": 0, **site, "word": "f", "name": ""},
        {"start": 1, "site": 0, "callee": {"of": "framework"}, "arguments": {}},
    ]
    text = "\n".join(map(json.dumps, lines)) + '\n{"end": 1, "resu'
    (tmp_path / trace.TRACE).write_text(text)
    found = trace.read(tmp_path)
    assert [what for what, _ in found.steps] == ["start"]


# ------------------------------------------------------------------- the stage


def test_a_case_is_found_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "porter.parity.toml"
    file.write_text('[[case]]\ncall = "a:b"\nname = "one"\n\n[[case]]\nname = "two"\n')
    assert stage._place(file, ParityCase(name="two", call="a:b")) == (file.name, 6)
    point = ParityCase(name="one [float16]", call="a:b", group="one")
    assert stage._place(file, point) == (file.name, 3)


def test_nothing_is_compared_before_there_is_a_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "setup.py").write_text("import torch\n")
    monkeypatch.chdir(tmp_path / "project")
    done = CliRunner().invoke(app, ["parity", "diverge", "some case"])
    assert isinstance(done.exception, UsageError)
    assert "not been migrated yet" in str(done.exception)
