"""What compilers say of a tree's units, told once, at its place, or as why it is not known."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from porter.build import compiler
from porter.build.diagnostics import parse, plain
from porter.build.syntax import Checked
from porter.build.vendored import merge_headers
from porter.errors import EnvironmentFailed
from porter.model import Device, Language, Missing, Residue, State
from porter.run.record import Analysis, Migration, RunRecord, SourceRecord
from porter.stages import checked
from porter.stages.migrate import _begin_record, and_lacking, and_refused
from porter.stages.options import Options
from porter.stages.unit_plans import guess_units
from porter.targets import Environment
from porter.targets.protocol import CompileArguments
from porter.unit.parts import parts_of


def looked(log: str, tree: Path, reason: str = "") -> dict[Device, tuple[Checked, ...]]:
    one = Checked(
        path="a.cpp",
        extension="_C",
        ok=False,
        seconds=0,
        diagnostics=parse(log, tree),
        reason=reason,
    )
    return {Device.CPU: (one,)}


def test_a_file_that_is_no_cpp_is_one_place_for_each_kind_of_stumbling(tmp_path: Path) -> None:
    strays = [f"a.cpp:{n}:1: error: stray ‘\\{n}’ in program" for n in range(1, 30)]
    ends = [f'a.cpp:{n}:9: error: missing terminating " character' for n in range(1, 30)]
    found = checked.residue(looked("\n".join([*strays, *ends]), tmp_path))
    assert [(r.line, r.column) for r in found] == [(1, 1), (1, 9)]


def test_every_use_of_a_missing_name_is_a_place(tmp_path: Path) -> None:
    log = "\n".join(f"a.cpp:{n}:1: error: ‘gone’ is not a member of ‘at’" for n in range(1, 4))
    assert [r.line for r in checked.residue(looked(log, tmp_path))] == [1, 2, 3]


def test_a_name_of_no_namespace_is_written_as_one(tmp_path: Path) -> None:
    log = "a.cpp:1:1: error: ‘mbrlen’ has not been declared in ‘::’"
    assert [r.name for r in checked.residue(looked(log, tmp_path))] == ["::mbrlen"]


def test_names_of_the_standard_library_are_found_in_files_of_the_tree_alone(tmp_path: Path) -> None:
    log = "\n".join(
        f"{path}:3:6: error: {said}"
        for path, said in (
            ("/usr/include/x.h", "‘numeric_limits’ is not a member of ‘std’"),
            ("csrc/a.h", "‘numeric_limits’ is not a member of ‘std’"),
            ("csrc/a.cpp", "‘unique_ptr’ in namespace ‘std’ does not name a template type"),
            ("csrc/a.cpp", "‘Tensor’ is not a member of ‘at’"),
            ("csrc/a.cpp", "‘numeric_limits’ was not declared in this scope"),
        )
    )
    assert checked.find_undeclared(looked(log, tmp_path)) == (
        ("csrc/a.cpp", "std::unique_ptr"),
        ("csrc/a.h", "std::numeric_limits"),
    )


def test_why_a_unit_was_not_checked_is_its_first_error_and_a_note(tmp_path: Path) -> None:
    found = looked("", tmp_path, "the compiler crashed: signal 11")
    (unit,) = checked.units(found)
    assert unit.diagnostics[0].message == "the compiler crashed: signal 11"
    assert checked.explain_unchecked(found) == ("the compiler crashed: signal 11: a.cpp",)


def test_what_the_compiler_lacks_is_no_longer_unknown(tmp_path: Path) -> None:
    known = Missing(name="at::gone", language=Language.CPP, uses=1, state=State.UNKNOWN)
    log = "a.cpp:1:1: error: ‘gone’ is not a member of ‘at’"
    assert [m.state for m in and_lacking((known,), looked(log, tmp_path))] == [State.MISSING]


def test_headers_that_a_unit_cannot_be_merged_with_are_said(tmp_path: Path) -> None:
    unit = tmp_path / "pkg" / "_porter_compat"
    (unit / "include").mkdir(parents=True)
    (unit / "headers.py").write_text("raise SystemExit('no class Tensor any more')")
    environment = Environment(
        python=Path(sys.executable),
        framework="paddle",
        version="9.9",
        build="cpu",
        paths=(str(tmp_path / "site"),),
    )
    arguments = CompileArguments(includes=(), defines=(), flags=(), stand_ins={}, compat="compat")
    with pytest.raises(EnvironmentFailed) as told:
        merge_headers(tmp_path, environment, arguments, tmp_path / "out")
    assert "no class Tensor any more" in str(told.value)
    assert "pkg/_porter_compat/headers.py" in str(told.value)


def test_a_first_stumbling_is_the_cause_of_the_next(tmp_path: Path) -> None:
    log = "a.cpp:1:1: error: stray ‘\\1’ in program\na.cpp:1:2: error: stray ‘\\2’ in program"
    first, second = parse(log, tmp_path)
    assert second.cause == first.cause == plain("c++", first.message).cause


@pytest.mark.parametrize(
    ("asked", "there", "found"),
    [
        ("", ("clang++",), ("clang++",)),
        ("", ("clang++", "g++"), ("g++",)),
        ("wrapper g++", ("wrapper", "g++"), ("wrapper", "g++")),
        ("icpx", ("g++",), ("g++",)),
    ],
)
def test_the_compiler_is_the_users_or_one_that_is_there(
    asked: str,
    there: tuple[str, ...],
    found: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in there:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", asked)
    assert compiler.host() == found


def test_a_new_migration_forgets_what_the_last_one_noted() -> None:
    source = SourceRecord(written=".", identity=".", kind="path")
    kept = RunRecord(id="1", porter_version="1", created=0, cwd=".", source=source)
    kept = dataclasses.replace(
        kept, analysis=Analysis(notes=("a",)), migration=Migration(notes=("b",))
    )
    assert kept.notes == ("a", "b")
    assert _begin_record(kept, Options()).notes == ("a",)


@pytest.mark.parametrize(
    ("path", "ok", "kept"),
    [
        ("a.cpp", True, 0),
        ("a.cpp", False, 1),
        ("b.h", True, 0),
        ("b.h", False, 1),
        ("c.cu", True, 1),
    ],
)
def test_what_no_list_judges_the_compiler_does(
    path: str, ok: bool, kept: int, tmp_path: Path
) -> None:
    (one,) = looked("", tmp_path)[Device.CPU]
    found = {Device.CPU: (dataclasses.replace(one, ok=ok),)}
    left = Residue(path=path, line=1, column=1, name="c10::x", reason="?", state=State.UNKNOWN)
    assert len(and_refused((left,), found)) == kept


def test_what_a_build_has_copied_of_the_unit_is_no_source(tmp_path: Path) -> None:
    for folder in ("ops/_porter_compat", "build/lib/ops/_porter_compat"):
        for name in ("include/porter_compat/strides.h", "include/ATen/Dispatch.h"):
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#include <porter_compat/strides.h>\n")
    (tmp_path / "a.cpp").write_text("#include <porter_compat/strides.h>\nat::Tensor x;\n")
    assert [(unit.path, unit.includes) for unit in guess_units(tmp_path)] == [("a.cpp", ())]


def test_a_word_in_a_comment_makes_no_unit_of_torch(tmp_path: Path) -> None:
    (tmp_path / "other.cc").write_text("// obtain a copy of the License at\nint x;\n")
    (tmp_path / "own.cc").write_text("void f(const at::Tensor& x);\n")
    assert [unit.path for unit in guess_units(tmp_path)] == ["own.cc"]


def test_a_source_that_always_includes_a_header_of_cuda_is_a_unit_for_cuda(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    guard = "#ifndef UTILS_H\n#define UTILS_H\n#include <ATen/cuda/CUDAContext.h>\n#endif\n"
    (tmp_path / "src" / "utils.h").write_text(guard)
    choice = "#pragma once\n#ifdef WITH_CUDA\n#include <cuda_runtime.h>\n#endif\n"
    (tmp_path / "src" / "choice.h").write_text(choice)
    (tmp_path / "src" / "cuda_names.h").write_text("#pragma once\n#include <string>\n")
    texts = {
        "by_header.cpp": '#include "utils.h"\n#include <torch/extension.h>\n',
        "itself.cpp": "#include <torch/extension.h>\n#include <cublas_v2.h>\n",
        "for_both.cpp": '#include "choice.h"\n#include <torch/extension.h>\n',
        "kernel.cu": "#include <torch/extension.h>\n",
        "by_its_own.cpp": '#include "cuda_names.h"\n#include <torch/extension.h>\n',
        "with_custom.cpp": "#include <torch/extension.h>\n#include <custom/cuda_free.hpp>\n",
    }
    for name, text in texts.items():
        (tmp_path / "src" / name).write_text(text)
    found = {unit.path.removeprefix("src/") for unit in guess_units(tmp_path) if unit.for_cuda}
    assert found == {"by_header.cpp", "itself.cpp", "kernel.cu"}


def test_what_a_compiler_did_not_tell_the_use_of_is_asked_for_by_its_errors(tmp_path: Path) -> None:
    header = """namespace c10 {
// extends
struct Half {
  Half(int value);
  operator double() const;
  int bits();
};
void other();
}
"""
    parts = parts_of("p", (("include/h.h", header.encode()),))
    log = 'a.cpp(1): error: no suitable constructor exists to convert from "int" to "c10::Half"'
    whole = {Device.CPU: (dataclasses.replace(looked("", tmp_path)[Device.CPU][0], ok=True),)}
    found = checked.prune(whole, looked(log, tmp_path), parts)
    assert found == {
        p.id for p in parts if p.names[0] in ("c10::Half::Half", "c10::Half::operatordouble")
    }
    log = "a.cpp:1:2: error: ‘other’ is not a member of ‘c10’"
    assert checked.prune(whole, looked(log, tmp_path), parts) == {"c10::other()"}
    assert not checked.prune(looked(log, tmp_path), looked(log, tmp_path), parts)
