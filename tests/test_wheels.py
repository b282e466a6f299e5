"""Wheels for users of a target: what they ask for in the place of torch, and how they are tried."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from porter import targets
from porter.build import environment, packages, requirements, wheels
from porter.console import Console
from porter.errors import EnvironmentFailed, PorterError
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    PortedWheel,
    ProjectFacts,
    Stage,
    Status,
    StepResult,
    Tree,
)
from porter.report.wheel import wheel_text
from porter.run import store
from porter.run.record import PatchRecord, SourceRecord
from porter.run.store import Run
from porter.stages import wheel as stage
from porter.stages.options import Options
from porter.targets import Environment
from porter.unit.package import build_wheel
from tests.records import changed

PADDLE = targets.TARGETS["paddle"]
METADATA = """\
Metadata-Version: 2.4
Name: ops
Version: 1.0
Summary: Opérateurs, for a line that is longer than those that the email module would leave alone
Author-email: "Ä. B." <a@b.c>
License: first
        second
Requires-Dist: torch>=2.4
Requires-Dist: packaging
Requires-Dist: torchvision; extra == "images"
Provides-Extra: images

# Öps

A body: with a colon,
Requires-Dist: and what looks like a header.
"""


def made(folder: Path, files: Mapping[str, str | bytes], name: str = "ops") -> Path:
    """A wheel by hand, with a RECORD."""
    info = f"{name}-1.0.dist-info"
    whole: dict[str, bytes] = {
        path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()
    }
    whole.setdefault(f"{info}/METADATA", METADATA.encode())
    whole[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\n"
    whole[f"{info}/WHEEL"] += b"Tag: py3-none-any\n"
    record = io.StringIO()
    rows = [(path, digest(data), len(data)) for path, data in whole.items()]
    csv.writer(record).writerows([*rows, (f"{info}/RECORD", "", "")])
    whole[f"{info}/RECORD"] = record.getvalue().encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inner, data in whole.items():
            archive.writestr(inner, data)
    return path


def digest(data: bytes) -> str:
    return f"sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()}"


def test_only_the_requirements_of_metadata_change() -> None:
    found = wheels.set_requirements(METADATA.encode(), ["packaging", "paddlepaddle>=3.3.1,<3.4"])
    gone = METADATA.replace("Requires-Dist: torch>=2.4\n", "", 1)
    gone = gone.replace("Requires-Dist: packaging\n", "")
    gone = gone.replace('Requires-Dist: torchvision; extra == "images"\n', "")
    new = "Requires-Dist: packaging\nRequires-Dist: paddlepaddle>=3.3.1,<3.4\n\n"
    assert found.decode() == gone.replace("\n\n", f"\n{new}", 1)


def bare(*paths: Path) -> Environment:
    return Environment(
        python=Path("python"),
        framework="paddle",
        version="3.3.1",
        build="cpu",
        paths=tuple(map(str, paths)),
    )


def planning(monkeypatch: pytest.MonkeyPatch, brought: Mapping[str, Sequence[str]]) -> None:
    """Have pip plan these distributions for requirements."""

    def plan(environment: object, asked: Sequence[str], folder: Path, name: str) -> object:
        names = [name for text in asked for name in brought.get(text, ())]
        result = StepResult(
            name=name,
            argv=(),
            returncode=0,
            seconds=0.0,
            timed_out=False,
            marked=None,
            log="",
            tail="",
        )
        return tuple(packages.pip.Planned(name, "1", "") for name in names), result

    monkeypatch.setattr(packages, "plan", plan)
    monkeypatch.setattr(requirements, "is_satisfied", lambda wanted, environment: False)


def test_what_brings_torch_goes_and_all_else_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning(monkeypatch, {"torchvision>=0.1": ["torch", "torchvision"], "einops": ["einops"]})
    asked = (
        "torch>=2.4",
        "nvidia-cublas-cu12; platform_system == 'Linux'",
        'torchvision>=0.1; extra == "images"',
        "einops",
        'torch-thing; extra == "more"',
        "tilelang==0.1",
    )
    found = wheels.replace_torch(asked, PADDLE, bare(), tmp_path)
    assert found.kept == ("einops", 'torch-thing; extra == "more"', "tilelang-paddle==0.1")
    assert found.removed == {
        "torch>=2.4": "Paddle replaces it",
        "nvidia-cublas-cu12; platform_system == 'Linux'": "Paddle replaces it",
        'torchvision>=0.1; extra == "images"': "it would install torch",
        "tilelang==0.1": "its port is tilelang-paddle==0.1",
    }


@pytest.mark.parametrize(
    ("version", "build", "native", "asked"),
    [
        ("3.3.1", "cpu", True, ("paddlepaddle>=3.3.1,<3.4",)),
        ("3.3.1", "cuda", True, ("paddlepaddle-gpu>=3.3.1,<3.4",)),
        ("3.3.1", "cpu", False, ()),  # any build does, under whichever name
        ("0.0.0", "cpu", True, ()),  # built from source: no index has it
    ],
)
def test_compiled_code_asks_for_the_build_that_it_is_linked_with(
    version: str, build: str, native: bool, asked: tuple[str, ...]
) -> None:
    assert PADDLE.wheel_requires(version, build, native=native) == asked


def test_a_target_beside_torch_makes_no_such_wheel() -> None:
    assert targets.TARGETS["torch_npu"].wheel_requires("2.13.0", "cpu", native=True) is None


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("import porter_compat\n", True),
        ("if find('porter_compat'):\n    import porter_compat  # noqa\n", True),
        ("def f():\n    from porter_compat.pieces import scope\n", True),
        ("from . import _porter_compat\n", False),
        ("from .porter_compat import f\n", False),
        ("# import porter_compat\nNAME = 'porter_compat'\n", False),
        ("import porter_compat: not Python\n", False),
    ],
)
def test_the_package_is_asked_for_where_code_imports_it(
    tmp_path: Path, text: str, imported: bool
) -> None:
    other = made(tmp_path, {"porter_compat/__init__.py": ""}, "porter_compat")
    assert wheels.imports(made(tmp_path, {"ops/__init__.py": text}), other) is imported


@pytest.mark.parametrize(
    ("version", "asked"), [("0.1.0", "a-b>=0.1,<0.2"), ("1.2.3", "a-b>=1.2,<2")]
)
def test_bounds_end_where_a_version_may_break(version: str, asked: str) -> None:
    assert wheels.version_requirement(Path(f"a_b-{version}-py3-none-any.whl")) == asked


def test_libraries_make_a_wheel_native(tmp_path: Path) -> None:
    assert not wheels.is_native(made(tmp_path, {"ops/__init__.py": "", "ops/a.so.py": ""}))
    assert wheels.is_native(made(tmp_path, {"ops/_C.cpython-311-x86_64-linux-gnu.so": b""}))
    assert wheels.is_native(made(tmp_path, {"ops.libs/liba.so.1": b""}))


def test_what_is_printed_says_what_changed_and_what_did_not_do() -> None:
    found = PortedWheel(
        path="dist/ops.whl",
        target="paddle",
        version="3.3.1",
        added=("paddlepaddle>=3.3.1,<3.4",),
        removed={"torch": "Paddle replaces it"},
        requires=("packaging", "paddlepaddle>=3.3.1,<3.4"),
        installed=("ops",),
        problem="import ops: it was killed",
    )
    assert wheel_text(found, PADDLE).splitlines() == [
        "dist/ops.whl, for Paddle 3.3.1",
        "  no longer requires torch: Paddle replaces it",
        "  requires           paddlepaddle>=3.3.1,<3.4",
        "  requires as before packaging",
        "installed over Paddle alone, no index: ops",
        "imported there: nothing",
        "it does not do: import ops: it was killed",
    ]


# In the target's environment.


@pytest.fixture
def base(framework_pythons: Mapping[str, Path], tmp_path: Path) -> Environment:
    return environment.use(framework_pythons["paddle"], PADDLE, tmp_path)


@pytest.fixture
def overlay(base: Environment, tmp_path: Path) -> Environment:
    return environment.overlay(base, tmp_path / "venv")


@pytest.mark.real
def test_a_rewritten_wheel_has_a_right_record(base: Environment, tmp_path: Path) -> None:
    files = {"ops/__init__.py": "", "ops/data, with a comma.txt": "ö"}
    first = made(tmp_path / "first", files)
    second = wheels.rewrite(first, ["packaging"], base, tmp_path / "work")
    assert second.name == first.name and wheels.asks_for(second) == ("packaging",)
    with zipfile.ZipFile(second) as archive:
        found = {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}
    rows = [*csv.reader(io.StringIO(found["ops-1.0.dist-info/RECORD"].decode()))]
    assert {path for path, _, _ in rows} == {*found}
    for path, stated, size in rows:
        if not path.endswith("RECORD"):
            assert (stated, int(size)) == (digest(found[path]), len(found[path]))
    assert found["ops/data, with a comma.txt"].decode() == "ö"


@pytest.mark.real
def test_a_wheel_that_is_damaged_is_an_error_with_a_log(base: Environment, tmp_path: Path) -> None:
    path = tmp_path / "ops-1.0-py3-none-any.whl"
    path.write_bytes(b"PK\3\4 no archive")
    with pytest.raises(EnvironmentFailed, match="unpack") as error:
        wheels.rewrite(path, [], base, tmp_path / "work")
    assert "unpack.log" in error.value.hint


PLAIN = METADATA[: METADATA.index("Requires-Dist")] + "Requires-Dist: {}\n"


def tried(overlay: Environment, tmp_path: Path, requirement: str, code: str) -> wheels.Trial:
    metadata = PLAIN.format(requirement)
    files = {"ops/__init__.py": code, "ops-1.0.dist-info/METADATA": metadata}
    wheel = made(tmp_path / "logs", files)
    return wheels.try_out(wheel, (), overlay, PADDLE, tmp_path / "logs")


@pytest.mark.real
@pytest.mark.parametrize(
    ("requirement", "code", "trial"),
    [
        ("paddlepaddle>=3.3,<4", "import paddle\n", wheels.Trial(("ops",), ("ops",))),
        (
            "numpy",
            "import torch\n",
            wheels.Trial(("ops",), ("ops",), "import paddle; paddle.enable_compat()"),
        ),
        (
            "numpy",
            "raise ValueError('x')\n",
            wheels.Trial(
                ("ops",),
                (),
                "import paddle; paddle.enable_compat()",
                "import ops: ValueError: x",
            ),
        ),
    ],
    ids=["imported", "imported after what a program says", "not imported"],
)
def test_a_wheel_is_installed_and_imported_without_torch(
    overlay: Environment, tmp_path: Path, requirement: str, code: str, trial: wheels.Trial
) -> None:
    assert tried(overlay, tmp_path, requirement, code) == trial


@pytest.mark.real
def test_a_wheel_whose_bounds_this_target_does_not_meet_cannot_be_installed(
    overlay: Environment, tmp_path: Path
) -> None:
    found = tried(overlay, tmp_path, "paddlepaddle>=99", "")
    assert "cannot be installed without an index" in found.problem and not found.imported


@pytest.mark.long
@pytest.mark.real
def test_code_that_imports_the_package_is_imported_as_it_is(
    overlay: Environment, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    package = shutil.copy(build_wheel(PADDLE.rules / PADDLE.pack, tmp_path), tmp_path / "logs")
    code = "import porter_compat\nimport torch\nassert torch.device('cpu').type == 'cpu'\n"
    metadata = PLAIN.format(wheels.version_requirement(Path(package)))
    files = {"ops/__init__.py": code, "ops-1.0.dist-info/METADATA": metadata}
    wheel = made(tmp_path / "logs", files)
    found = wheels.try_out(wheel, [Path(package)], overlay, PADDLE, tmp_path / "logs")
    assert found == wheels.Trial(("ops", "porter-compat"), ("ops",))


# What the command refuses.


@pytest.fixture
def run(home: Path) -> Run:
    """One that was migrated."""
    made = store.create()
    source = SourceRecord(written="ops", identity="path:/ops", kind="path")
    kept = store.begin(made, source).replace_stage(
        Stage(name="migrate", status=Status.OK, seconds=1)
    )
    made.save(changed(kept, target="paddle", target_version="3.3.1", patch=PatchRecord(path="p")))
    return made


def refused(run: Run, tmp_path: Path) -> PorterError:
    with pytest.raises(PorterError) as error:
        stage.wheel(run, tmp_path / "dist", Options(), Console(quiet=True))
    assert error.value.hint and not (tmp_path / "dist").exists()
    return error.value


def test_a_tree_that_does_not_build_gives_no_wheel(run: Run, tmp_path: Path) -> None:
    cell = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)
    failed = BuildResult(cell=cell, status=Status.FAILED, reason="no matching function")
    run.save(changed(run.load(), builds=(failed,)))
    error = refused(run, tmp_path)
    assert isinstance(error, EnvironmentFailed) and "no matching function" in str(error)


def test_a_target_beside_torch_is_refused(run: Run, tmp_path: Path) -> None:
    run.save(changed(run.load(), target="torch_npu", target_version="2.13.0"))
    assert "used with torch" in str(refused(run, tmp_path))


def test_a_tree_without_torch_needs_no_such_wheel(run: Run, tmp_path: Path) -> None:
    run.save(changed(run.load(), facts=ProjectFacts()))
    assert "no file uses torch" in str(refused(run, tmp_path))
