"""Polyfill pieces under real frameworks: they answer as torch does, and the builder builds."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.targets.paddle import PROXY
from porter.unit import Piece, Plane, pieces
from porter.unit.compose import compose

pytestmark = pytest.mark.real
PIECES = pieces(rules_home() / "paddle" / "polyfills")
SCRIPT = Path(__file__).parent / "data" / "torch_semantics.py"
# What differs and may: texts that name a class, a device list or an internal error of torch,
# and ratios that torch rounds to the tensor's own precision.
MAY_DIFFER = (
    "0.3333333432674408",
    "Originating a NumberPair() at item",
    "0.049560546875",
    "No comparison pair was able to handle inputs of type <class 'torch.Tensor'>",
    "Expected one of cpu, cuda",
)


def run(python: Path, *arguments: str | Path, cwd: Path | None = None) -> tuple[int, str]:
    done = subprocess.run(
        [python, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "MAX_JOBS": "1"},
    )
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr


def write(folder: Path, chosen: list[Piece]) -> None:
    for patch in compose(PROXY, "", "this test uses", chosen):
        assert patch.after is not None
        path = folder / patch.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(patch.after)


@pytest.mark.long  # test_compat_package.py runs the same with the package
@pytest.mark.parametrize("order", ["early", "late"])
def test_python_pieces_answer_as_torch_does(
    framework_pythons: Mapping[str, Path], tmp_path: Path, order: str
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    code, torch = run(framework_pythons["torch"], SCRIPT)
    assert code == 0, torch
    script = Path(shutil.copy(SCRIPT, tmp_path))  # methods are torch's below the unit's folder only
    unit = tmp_path / "_porter_compat" / "names.py"
    code, paddle = run(framework_pythons["paddle"], script, unit, order)
    assert code == 0, paddle
    pairs = list(zip(torch.splitlines(), paddle.splitlines(), strict=True))
    assert len(pairs) > 80
    differ = [pair for pair in pairs if pair[0] != pair[1]]
    assert not [pair for pair in differ if not any(text in pair[0] for text in MAY_DIFFER)]
    kinds = [(a.split()[1] == "ok", b.split()[1] == "ok") for a, b in pairs]
    assert all(ours == theirs for ours, theirs in kinds), "success and failure agree everywhere"


@pytest.mark.long
def test_derivatives_and_maps_are_those_of_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    script = Path(shutil.copy(SCRIPT.with_name("torch_transforms.py"), tmp_path))
    code, torch = run(framework_pythons["torch"], script)
    assert code == 0, torch
    code, paddle = run(
        framework_pythons["paddle"], script, tmp_path / "_porter_compat" / "names.py"
    )
    assert code == 0, paddle
    assert len(torch.splitlines()) > 45
    assert paddle == torch


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("torch_library.py", 500),
        ("torch_autograd_functions.py", 289),
        ("torch_second_gradients.py", 110),
        ("torch_forward_mode.py", 22),
        ("torch_missing_names.py", 285),
        ("torch_text_of_tensors.py", 12_000),
        ("torch_views.py", 180),
        ("torch_compiled.py", 40),
        ("torch_aten.py", 150),
        ("torch_internals.py", 25),
        ("torch_tensor_classes.py", 400),
    ],
)
def test_operators_autograd_functions_and_marks_of_compilers_are_those_of_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path, name: str, least: int
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    script = Path(shutil.copy(SCRIPT.with_name(name), tmp_path))
    code, torch = run(framework_pythons["torch"], script)
    assert code == 0, torch
    unit = tmp_path / "_porter_compat" / "names.py"
    code, paddle = run(framework_pythons["paddle"], script, unit)
    assert code == 0, paddle
    assert len(torch.splitlines()) > least
    assert paddle == torch


@pytest.mark.parametrize(
    "chosen", [pytest.param("alone", marks=pytest.mark.long), "with every other piece"]
)
def test_operators_in_place_are_those_of_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path, chosen: str
) -> None:
    every = {piece.id: piece for piece in PIECES if piece.plane is Plane.PYTHON}
    asked = {"python/augmented_assignment": 0} if chosen == "alone" else dict.fromkeys(every)
    while needed := {need for id in asked for need in every[id].needs} - asked.keys():
        asked |= dict.fromkeys(needed)
    write(tmp_path, [every[id] for id in sorted(asked)])
    script = Path(shutil.copy(SCRIPT.with_name("torch_augmented.py"), tmp_path))
    code, torch = run(framework_pythons["torch"], script)
    assert code == 0, torch
    unit = tmp_path / "_porter_compat" / "names.py"
    code, paddle = run(framework_pythons["paddle"], script, unit)
    assert code == 0, paddle
    pairs = [*zip(torch.splitlines(), paddle.splitlines(), strict=True)]
    assert len(pairs) > 250
    differ = [pair for pair in pairs if len({*pair}) > 1]
    alone = ["recorded view", "recorded view of a buffer True"]
    assert [pair[0].partition(" (")[0] for pair in differ] == (alone if chosen == "alone" else [])


@pytest.mark.long
def test_functions_of_families_are_those_of_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    script = Path(shutil.copy(SCRIPT.with_name("torch_functions.py"), tmp_path))
    code, torch = run(framework_pythons["torch"], script)
    assert code == 0, torch
    unit = tmp_path / "_porter_compat" / "names.py"
    code, paddle = run(framework_pythons["paddle"], script, unit)
    assert code == 0, paddle
    lines = torch.splitlines()
    assert len(lines) > 700 and all(line.split()[3] == "ok" for line in lines)
    differ = [pair for pair in zip(lines, paddle.splitlines(), strict=True) if len({*pair}) > 1]
    assert not differ


SETUP = """\
import runpy

import paddle

paddle.enable_compat()
runpy.run_path("_porter_compat/build.py")

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="several",
    packages=["several"],
    ext_modules=[
        CppExtension("several._a", ["a.cpp"], ["headers"], [("VALUE", "1")]),
        CppExtension(name="several._b", sources=["b.cpp"]),
        CppExtension("lone", sources=["lone.cpp"], extra_compile_args=["-O0"]),
    ],
    cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)},
)
"""
MODULE = """\
#include <Python.h>
#ifdef VALUE
#include "own.h"
#endif
static struct PyModuleDef module = {{PyModuleDef_HEAD_INIT, "{name}", 0, -1, 0}};
extern "C" PyObject *PyInit_{name}(void) {{ return PyModule_Create(&module); }}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, [piece for piece in PIECES if piece.id == "build/extension_builder"])
    (tmp_path / "setup.py").write_text(SETUP)
    (tmp_path / "several").mkdir()
    (tmp_path / "several" / "__init__.py").write_text("")
    (tmp_path / "several" / "version.txt").write_text("mine")
    (tmp_path / "kept.o").write_text("mine")
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "own.h").write_text("")
    for stem, name in (("a", "_a"), ("b", "_b"), ("lone", "lone")):
        (tmp_path / f"{stem}.cpp").write_text(MODULE.format(name=name))
    return tmp_path


def test_several_extensions_are_built_where_they_belong(
    framework_pythons: Mapping[str, Path], project: Path
) -> None:
    python = framework_pythons["paddle"]
    code, log = run(python, "setup.py", "build_ext", "--inplace", cwd=project)
    assert code == 0, log
    code, log = run(python, "-c", "import several._a, several._b, lone", cwd=project)
    assert code == 0, log
    built = {path.name.split(".")[0] for path in (project / "several").glob("*.so")}
    assert built == {"_a", "_b"}
    assert (project / "several" / "version.txt").read_text() == "mine"
    assert (project / "kept.o").read_text() == "mine"


@pytest.mark.long
def test_a_wheel_holds_the_libraries_and_no_objects(
    framework_pythons: Mapping[str, Path], project: Path
) -> None:
    code, log = run(framework_pythons["paddle"], "setup.py", "bdist_wheel", cwd=project)
    assert code == 0, log
    (wheel,) = (project / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert len([name for name in names if name.endswith(".so")]) == 3
    assert not [name for name in names if name.endswith((".o", "version.txt"))]


@pytest.mark.long
def test_a_source_that_does_not_compile_fails_the_build(
    framework_pythons: Mapping[str, Path], project: Path
) -> None:
    (project / "b.cpp").write_text("int broken( {\n")
    code, log = run(framework_pythons["paddle"], "setup.py", "build_ext", "--inplace", cwd=project)
    assert code != 0
    assert "several._b: 1 of 1 sources did not compile" in log


OF_THE_PACKAGE = """
import torch
import helper
from torch import split

def answers():
    x, n = torch.tensor([1.0, 2.0]), torch.tensor([3, 1])
    return [
        x.add(1).tolist(), x.clone().div_(2).tolist(), n.sort()[1].tolist(),
        x.clone().true_divide_(x).tolist(), hasattr(x, "true_divide_"),
        torch.equal(x, x), len(split(torch.arange(6), 2)), isinstance(x.device, torch.device),
        torch.inference_mode is not None, helper.largest(n), helper.added(x),
        torch.nn.functional.linear(torch.ones(1, 2), torch.ones(3, 2)).tolist(),
    ]
"""
HELPER = """
import torch

def largest(n):
    return n.max(dim=0).values.item(), torch.equal(n, n)

def added(x):
    v = other = x[1:]
    v += 1
    return x.tolist(), v is other
"""
NATIVE = """
import paddle

def answers():
    x, n = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3, 1])
    try:
        x.add(1)
    except ValueError:
        refused = True
    v = other = x[1:]
    v += 1
    v @= paddle.ones([1, 1])
    return [
        refused, n.sort().tolist(), hasattr(x, "true_divide_"), paddle.equal(x, x).tolist(),
        x.tolist(), v is other, other.tolist(), v.tolist(),
    ]
"""
PROXIED = """
import torch

def answers():
    x, n = torch.tensor([1.0, 2.0]), torch.tensor([3, 1])
    v = x
    v *= 2
    n <<= n
    return [
        x.tolist(), v.tolist(),
        torch.equal(x, x).tolist(), len(torch.split(torch.arange(6), 2)), torch.sort(n).tolist(),
        n.sort().tolist(), hasattr(x, "true_divide_"), callable(torch.device),
    ]
"""
WAYS = {
    "proxy first": "paddle.enable_compat()",
    "torch first": "paddle.enable_compat()\nimport torch, proxied, torch.nn.functional",
    "of some packages": "paddle.enable_compat(scope={'one', 'two', 'helper', 'proxied'})",
    "bystander first": "paddle.enable_compat()\nimport native, proxied, helper",
    "again": "paddle.enable_compat()\nimport torch\npaddle.disable_compat()\n"
    "paddle.enable_compat()",
    "another hook": "paddle.enable_compat()\ndel paddle.compat.proxy._extend_torch_proxy_overrides",
}


LONG_WAYS = [pytest.param(way, marks=pytest.mark.long) for way in WAYS if way != "torch first"]


@pytest.mark.parametrize("way", ["torch first", *LONG_WAYS])
def test_names_and_methods_are_torchs_for_packages_and_what_they_need_alone(
    framework_pythons: Mapping[str, Path], tmp_path: Path, way: str
) -> None:
    for package in ("one", "two"):
        home = tmp_path / package
        home.mkdir()
        write(home, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
        (home / "__init__.py").write_text("from ._porter_compat import names\n")
        (home / "ops.py").write_text(OF_THE_PACKAGE)
    for name, text in {"helper": HELPER, "native": NATIVE, "proxied": PROXIED}.items():
        (tmp_path / f"{name}.py").write_text(text)
    script = tmp_path / "run.py"
    script.write_text(
        f"import paddle\n{WAYS[way]}\nimport one.ops, two.ops, native, proxied\n"
        "print(one.ops.answers() == two.ops.answers())\n"
        "for module in (one.ops, native, proxied):\n    print(module.answers())\n"
    )
    code, told = run(framework_pythons["paddle"], script)
    assert code == 0, told
    package = [[2.0, 3.0], [0.5, 1.0], [1, 0], [1.0, 1.0], True, True, 3, True, True, (3, True)]
    package += [([1.0, 3.0], True), [[2.0, 2.0, 2.0]]]
    native = [True, [1, 3], False, [True, True], [1.0, 2.0], False, [2.0], [3.0]]
    proxied = [[1.0, 2.0], [2.0, 4.0], [True, True], 2, [2, 24], [2, 24], False, False]
    assert told.splitlines()[-4:] == ["True", *map(str, (package, native, proxied))]


BLOCKED = """
import sys

def in_order(n):
    global torch
    torch = sys.modules.get("torch")
    return n.sort().tolist()
"""


@pytest.mark.long
def test_what_paddle_gives_no_proxy_is_left_alone(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    home = tmp_path / "one"
    home.mkdir()
    write(home, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    (home / "__init__.py").write_text("from ._porter_compat import names\nimport torch, blocked\n")
    (tmp_path / "blocked.py").write_text(BLOCKED)
    script = tmp_path / "run.py"
    script.write_text(
        "import paddle\npaddle.enable_compat(blocked_modules={'blocked'})\nimport one, torch\n"
        "x = paddle.to_tensor([3, 1])\nprint(one.blocked.in_order(x), one.blocked.in_order(x))\n"
    )
    code, told = run(framework_pythons["paddle"], script)
    assert code == 0, told
    assert told.splitlines()[-1] == "[1, 3] [1, 3]"


@pytest.mark.parametrize("own", [False, True], ids=["of the package", "and of their own"])
def test_tests_share_what_the_package_has(
    framework_pythons: Mapping[str, Path], tmp_path: Path, own: bool
) -> None:
    home = tmp_path / "one"
    home.mkdir()
    write(home, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    (home / "__init__.py").write_text("from ._porter_compat import names\n")
    asking = "import torch\nx = torch.ones(2)\nprint([torch.equal(x, x), bool(torch.all(x > 0))])\n"
    installed = ("site-packages/two", "site-packages/three")  # the first from this folder
    folders = ("tests", "other", *installed)
    for folder in (*folders, "tests/two"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "asking.py").write_text(asking)
    names = tmp_path / "tests" / "_porter_compat" / "names.py"
    if own:
        write(tmp_path / "tests", [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    script = tmp_path / "run.py"
    script.write_text(
        "import paddle, runpy\npaddle.enable_compat()\nimport one._porter_compat.names as unit\n"
        f"unit.share({str(tmp_path / 'tests' / 'conftest.py')!r})\n"
        + f"runpy.run_path({str(names)!r})\n" * own
        + "".join(
            f"runpy.run_path({str(tmp_path / folder / 'asking.py')!r})\n" for folder in folders
        )
    )
    code, told = run(framework_pythons["paddle"], script)
    assert code == 0, told
    lines = [line for line in told.splitlines() if line.startswith("[")]
    assert [line == "[True, True]" for line in lines] == [True, False, True, False]


STREAMS = """
import runpy, sys, types
import paddle
paddle.enable_compat()
runpy.run_path(sys.argv[1])
import torch

stream = torch.cuda.Stream.__new__(torch.cuda.Stream)  # no GPU is here to make one
stream.stream_base = types.SimpleNamespace(raw_stream=1234)
null = torch.cuda.Stream.__new__(torch.cuda.Stream)
null.stream_base = types.SimpleNamespace(raw_stream=0)
waited = []
other = types.SimpleNamespace(wait_event=waited.append)
event = torch.cuda.Event.__new__(torch.cuda.Event)
event.wait(other)
print(stream.cuda_stream, null.cuda_stream, waited == [event])
wrapped = []
paddle.cuda.get_stream_from_external = lambda *given: wrapped.append(given) or stream
made = torch.cuda.ExternalStream(5, device=torch.device("cpu"))
print(made is stream, isinstance(stream, torch.cuda.ExternalStream), wrapped[0][0])
print(isinstance(3, torch.cuda.ExternalStream))
print(eval("hasattr(stream, 'cuda_stream')"))  # of code that is in no file
"""


def test_streams_have_their_handle_and_events_wait(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    script = tmp_path / "streams.py"
    script.write_text(STREAMS)
    code, told = run(framework_pythons["paddle"], script, tmp_path / "_porter_compat" / "names.py")
    assert code == 0, told
    assert told.splitlines()[-4:] == ["1234 0 True", "True True 5", "False", "False"]
