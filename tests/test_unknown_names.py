"""Names that porter's surfaces cannot judge, asked of a build of the target."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.console import Console
from porter.model import Extension, Language, Missing, ProjectFacts, Residue, State
from porter.run import store
from porter.run.record import RunRecord, SourceRecord
from porter.stages import verify
from porter.surface import capture
from tests.records import changed

# No list of torch's names has them: they are asked for.
HERE, GONE = "torch.cuda.some_new_function", "torch.cuda.another_new_function"


def left(name: str, state: State = State.UNKNOWN) -> Residue:
    return Residue(path="a.py", line=1, column=1, name=name, reason="not listed", state=state)


def wanted(name: str, language: Language = Language.PYTHON) -> Missing:
    return Missing(name=name, language=language, uses=1, state=State.UNKNOWN)


@pytest.fixture
def kept(home: Path) -> RunRecord:
    source = SourceRecord(written="ops", identity="path:/ops", kind="path")
    begun = store.begin(store.create(), source)
    return changed(begun, target="paddle", target_version="3.3.1")


def test_what_the_build_has_is_no_residue_and_what_it_lacks_is_missing(
    kept: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []

    def ask(python: Path, package: str, names: set[str]) -> dict[str, State]:
        asked.append(names)
        return {name: State.PRESENT if name == HERE else State.MISSING for name in names}

    monkeypatch.setattr(capture, "ask", ask)
    of_cpp = wanted("c10::cuda::some_function", Language.CPP)
    library = left("cutlass.torch")  # no name of torch's
    judged = left("torch.tensor")  # one that porter's surface has, unknown for another reason
    gone = left("torch.fft.gone", State.MISSING)
    before = changed(
        kept,
        residue=(left(HERE), left(GONE), library, judged, gone),
        missing=(wanted(HERE), wanted(GONE), of_cpp),
    )
    after = verify.resolve_unknown(before, Path("python"), Console(quiet=True))
    assert asked == [{HERE, GONE}]
    assert [(r.name, r.state) for r in after.residue] == [
        (GONE, State.MISSING),
        ("cutlass.torch", State.UNKNOWN),
        ("torch.tensor", State.UNKNOWN),
        ("torch.fft.gone", State.MISSING),
    ]
    assert {m.name: m.state for m in after.missing} == {
        GONE: State.MISSING,
        of_cpp.name: State.UNKNOWN,
    }
    settled = verify.resolve_unknown(after, Path("python"), Console(quiet=True))
    assert settled == after and len(asked) == 1, "nothing is left to be asked"


def test_what_was_compiled_with_torchs_own_headers_has_their_names(kept: RunRecord) -> None:
    extension = Extension("ops._C", "NpuExtension", ("csrc/a.cpp",), "setup.py", 1)
    paths = ("csrc/a.cpp", "csrc/a.h", "tools/b.cpp", "ops/c.py")
    residue = tuple(dataclasses.replace(left("c10::Dispatcher"), path=path) for path in paths)
    gone = dataclasses.replace(left("c10::gone", State.MISSING), path="csrc/a.cpp")
    facts = ProjectFacts(extensions=(extension,))
    after = verify.note_built_against_torch(changed(kept, facts=facts, residue=(*residue, gone)))
    assert [r.path for r in after.residue] == ["tools/b.cpp", "ops/c.py", "csrc/a.cpp"]


def test_an_interpreter_without_the_target_leaves_the_record_as_it_is(
    kept: RunRecord, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    before = changed(kept, residue=(left(HERE),))
    assert verify.resolve_unknown(before, python, Console(quiet=True)) == before


@pytest.mark.real
def test_a_build_is_asked_for_names(framework_pythons: Mapping[str, Path]) -> None:
    names = {"torch.nn.Linear", "torch.no_such_thing", "torch.cuda.no_such_thing"}
    assert capture.ask(framework_pythons["paddle"], "paddle", names) == {
        "torch.nn.Linear": State.PRESENT,
        "torch.no_such_thing": State.MISSING,
        "torch.cuda.no_such_thing": State.MISSING,
    }
