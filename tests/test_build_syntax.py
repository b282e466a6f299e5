"""Checks of units: what the compiler finds, where, and which parts are used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from porter.build import syntax, tasks
from porter.build.extensions import CompileUnit
from porter.build.syntax import Checked, check_units
from porter.build.units import Compilers
from porter.model import Device
from porter.targets.protocol import CompileArguments, Environment
from tests.system import need


@pytest.fixture(scope="module", autouse=True)
def host_compiler() -> None:
    need("g++")


HEADERS = {
    "fw/tensor.h": """#pragma once
namespace at {
class Tensor {
 public:
  int dim() const { return 1; }
  Tensor view(int size) const { return *this; }
};
}  // namespace at
""",
    "fw/all.h": "#pragma once\n#include <fw/tensor.h>\n#include <fw/big.h>\n",
    "fw/big.h": "#pragma once\n#ifdef TORCH_EXTENSION_NAME\n#endif\n",
    "fw/broken.h": "#pragma once\ninline int broken(at::Tensor t) { return t.nothing(); }\n",
}
UNIT = {
    "fw/more.h": """#pragma once
#include <fw/tensor.h>
// porter: FW_CHECK
#define FW_CHECK(x) at::check(x)

namespace at {

// porter: at::Options
class [[deprecated("porter:at::Options")]] Options {
 public:
  int n = 0;
};

// porter: at::check(bool)
[[deprecated("porter:at::check(bool)")]] inline bool check(bool x) { return x; }

// porter: at::first(Options)
[[deprecated("porter:at::first(Options)")]] inline int first(Options o = {}) { return o.n; }

// porter: at::sum(Tensor)
[[deprecated("porter:at::sum(Tensor)")]] inline int sum(Tensor x) { return first() + x.dim(); }

// porter: at::of(T)
template <class T>
[[deprecated("porter:at::of(T)")]] int of(T x) { return sum(x); }

// porter: at::unused()
[[deprecated("porter:at::unused()")]] inline int unused() { return FW_CHECK(true); }

}  // namespace at
""",
}


@dataclass(frozen=True)
class Fake:
    """A framework that is one folder of headers."""

    includes: tuple[str, ...]
    name: str = "fake"
    default_version: str = "1"
    distributions: tuple[str, ...] = ()
    activation: Mapping[str, str] = field(default_factory=dict)
    prelude: str = ""
    ported: Mapping[str, str] = field(default_factory=dict)
    failure_marks: tuple[str, ...] = ()
    probe: str = ""

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        flags = ("-std=c++17",)
        return CompileArguments(includes=self.includes, defines=(), flags=flags, stand_ins={})


Check = Callable[..., tuple[Checked, ...]]


@dataclass
class Place:
    """A project, a framework's headers, a unit's headers and what a check keeps."""

    root: Path
    compiled: list[str] = field(default_factory=list)

    def write(self, files: Mapping[str, str], below: str = "project") -> None:
        for name, text in files.items():
            path = self.root / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def check(self, *paths: str, timeout: float = 60, **changes: object) -> tuple[Checked, ...]:
        self.compiled.clear()
        tools = changes.pop("tools", Compilers())
        units = [replace(CompileUnit(path=p, extension="e"), **changes) for p in paths]  # type: ignore[arg-type]
        environment = Environment(
            python=Path(sys.executable), framework="fake", version="1", build="cpu"
        )
        return check_units(
            self.root / "project", units, environment, Fake((str(self.root / "fw"),)),  # type: ignore[arg-type]
            [self.root / "unit"], self.root / "kept", tools=tools, timeout=timeout,  # type: ignore[arg-type]
            on_line=self.compiled.append,
        )  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.write(HEADERS, "fw")
    made.write(UNIT, "unit")
    return made


def test_an_error_has_its_place_and_name(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/tensor.h>\nint f(at::Tensor t) {\n  return t.sum();\n}\n"})
    (found,) = place.check("a.cpp")
    (error,) = found.diagnostics
    assert not found.ok
    assert (error.path, error.line, error.column) == ("a.cpp", 3, 12)
    assert (error.scope, error.name) == ("at::Tensor", "sum")


def test_the_parts_that_a_unit_uses_and_those_they_use(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/more.h>\nint f(at::Tensor t) { return at::sum(t); }\n"})
    (found,) = place.check("a.cpp")
    assert found.ok
    assert found.used == {"at::sum(Tensor)"}
    assert ("at::sum(Tensor)", "at::first(Options)") in found.edges
    assert ("at::first(Options)", "at::Options") in found.edges, "a type in a declaration"


def test_a_template_uses_what_its_instantiation_uses(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/more.h>\nint f(at::Tensor t) { return at::of(t); }\n"})
    (found,) = place.check("a.cpp")
    assert "at::of(T)" in found.used
    assert ("at::of(T)", "at::sum(Tensor)") in found.edges


def test_what_the_standard_library_makes_of_a_class_is_used(place: Place) -> None:
    """A compiler keeps what it has to say within its own headers to itself, unless it is asked."""
    mark = "at::Held::Held(int)"
    held = (
        "#pragma once\nnamespace at {\nstruct Held {\n  Held() = default;\n"
        f'  // porter: {mark}\n  [[deprecated("porter:{mark}")]] Held(int) {{}}\n}};\n}}\n'
    )
    place.write({"fw/held.h": held}, "unit")
    source = "#include <fw/held.h>\n#include <vector>\n"
    place.write({"a.cpp": source + "void f(std::vector<at::Held>& v) { v.emplace_back(1); }\n"})
    (found,) = place.check("a.cpp")
    assert found.ok and found.used == {mark}


def test_a_macro_is_used_with_what_is_in_it(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/more.h>\nbool f() { return FW_CHECK(true); }\n"})
    (found,) = place.check("a.cpp")
    assert found.used == {"FW_CHECK", "at::check(bool)"}
    assert ("at::unused()", "FW_CHECK") in found.edges


def test_only_what_changed_is_compiled_again(place: Place) -> None:
    place.write(
        {"a.cpp": '#include "own.h"\nint f() { return own; }\n', "own.h": "extern int own;\n"}
    )
    place.write({"b.cpp": "int g();\n"})
    place.check("a.cpp", "b.cpp")
    assert place.check("a.cpp", "b.cpp")[0].ok
    assert place.compiled == []
    place.write({"own.h": "\n"})
    again = place.check("a.cpp", "b.cpp")
    assert [found.ok for found in again] == [False, True]
    assert len(place.compiled) == 1
    place.write({"fw/more.h": UNIT["fw/more.h"] + "// another\n"}, "unit")
    place.check("b.cpp")
    assert len(place.compiled) == 1


def test_a_source_of_two_extensions_is_checked_once(place: Place) -> None:
    place.write({"a.cpp": "int f();\n"})
    assert [found.ok for found in place.check("a.cpp", "a.cpp")] == [True, True]
    assert len(place.compiled) == 1


@pytest.fixture
def large(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Headers so large that it is worth while to precompile them."""
    monkeypatch.setattr(tasks, "_LIGHTEST", 1)
    units = {
        f"{n}.cpp": f"#include <fw/more.h>\nint f{n}() {{ return at::first(); }}\n"
        for n in range(4)
    }
    place.write(units)
    return place


def test_a_precompiled_header_changes_no_result(large: Place) -> None:
    alone = large.check("0.cpp")
    assert not list((large.root / "kept" / "pch").glob("*/*.gch"))
    found = large.check("0.cpp", "1.cpp", "2.cpp", "3.cpp", defines=("-DX",))
    assert list((large.root / "kept" / "pch").glob("*/*.gch"))
    assert {(f.used, f.edges) for f in found} == {(alone[0].used, alone[0].edges)}


def test_a_macro_that_a_header_asks_for_keeps_it_from_being_precompiled(large: Place) -> None:
    text = "#define {}\n#include <fw/more.h>\nint f() {{ return at::first(); }}\n"
    large.write({f"{n}.cpp": text.format("ASKED_FOR") for n in range(4)})
    large.write({"fw/big.h": "#pragma once\n#ifdef ASKED_FOR\n#error asked\n#endif\n"}, "fw")
    large.write({"fw/tensor.h": HEADERS["fw/tensor.h"] + "#include <fw/big.h>\n"}, "fw")
    assert not any(found.ok for found in large.check("0.cpp", "1.cpp", "2.cpp", "3.cpp"))
    large.write({f"{n}.cpp": text.format("OWN") for n in range(4)})
    assert all(found.ok for found in large.check("0.cpp", "1.cpp", "2.cpp", "3.cpp"))
    assert list((large.root / "kept" / "pch").glob("*/*.gch"))


def test_a_precompiled_header_serves_several_extensions(large: Place) -> None:
    large.write({f"{n}.cpp": "#include <fw/more.h>\n#include <fw/all.h>\n" for n in range(6)})
    large.check("0.cpp", "1.cpp", "2.cpp", defines=("-DTORCH_EXTENSION_NAME=a",))
    large.check("3.cpp", "4.cpp", "5.cpp", defines=("-DTORCH_EXTENSION_NAME=b", "-DEXTENSION"))
    assert len(list((large.root / "kept" / "pch").glob("*/*.gch"))) == 1
    logs = (path.read_text() for path in (large.root / "kept" / "logs").iterdir())
    assert not any("not used" in log for log in logs)


def test_a_precompiled_header_hides_no_missing_include(large: Place) -> None:
    large.write({"4.cpp": "int f(at::Tensor t);\n"})
    found = large.check(*(f"{n}.cpp" for n in range(5)))
    assert [f.ok for f in found] == [True, True, True, True, False]


def test_flags_about_warnings_do_not_count(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/more.h>\nint f() { int unused; return at::first(); }\n"})
    (found,) = place.check("a.cpp", flags=("-Wall", "-Werror", "-w", "-O3", "-g", "-DON"))
    assert found.ok
    assert "at::first(Options)" in found.used


def test_what_cannot_be_checked_has_a_reason(place: Place, tmp_path: Path) -> None:
    (gone,) = place.check("gone.cpp")
    assert "no such file" in gone.reason
    place.write({"a.cpp": "int f();\n", "k.cu": "", "slow.cpp": "int f();\n"})
    (no_compiler,) = place.check("a.cpp", tools=Compilers(host=("no-such-compiler",)))
    assert "no-such-compiler" in no_compiler.reason
    (kernel,) = place.check("k.cu")
    assert kernel.reason
    assert not any(found.ok for found in (gone, no_compiler, kernel))


def compiler(folder: Path, text: str) -> Compilers:
    path = folder / "compiler"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return Compilers(host=(str(path),))


def test_a_compiler_that_crashes_or_never_ends_is_a_reason(place: Place, tmp_path: Path) -> None:
    place.write({"a.cpp": "int f();\n"})
    said = 'echo "a.cpp:1:1: internal compiler error: Segmentation fault"; exit 1'
    (crashed,) = place.check("a.cpp", tools=compiler(tmp_path, said))
    assert "crashed" in crashed.reason
    (killed,) = place.check("a.cpp", tools=compiler(tmp_path, "kill -SEGV $$"))
    assert "crashed" in killed.reason
    (slow,) = place.check("a.cpp", tools=compiler(tmp_path, "sleep 30"), timeout=0.3)
    assert "not checked within" in slow.reason
    (silent,) = place.check("a.cpp", tools=compiler(tmp_path, "exit 3"))
    assert silent.reason
    (again,) = place.check("a.cpp")
    assert again.ok, "what had a reason is done again"


def test_a_word_about_crashes_in_a_message_is_no_crash(place: Place) -> None:
    place.write({"a.cpp": '#warning "Segmentation fault"\nint f();\n'})
    (found,) = place.check("a.cpp")
    assert found.ok
    assert not found.reason


def test_a_compiler_that_crashes_on_a_precompiled_header_does_without(
    large: Place, tmp_path: Path
) -> None:
    text = 'case "$*" in *"-include "*) echo "internal compiler error: x"; exit 1;; esac'
    found = large.check(
        "0.cpp", "1.cpp", "2.cpp", "3.cpp", tools=compiler(tmp_path, f'{text}\nexec g++ "$@"')
    )
    assert all(one.ok and one.used for one in found)


def test_ten_thousand_errors_are_not_all_read(place: Place) -> None:
    place.write({"a.cpp": "".join(f"int f{n}() {{ return x{n}; }}\n" for n in range(10_000))})
    (found,) = place.check("a.cpp")
    assert 100 < len(found.diagnostics) < 1_000


def test_an_error_in_a_header_of_the_framework_is_placed_in_the_unit(place: Place) -> None:
    place.write({"a.cpp": "#include <fw/tensor.h>\n#include <fw/broken.h>\n"})
    (found,) = place.check("a.cpp")
    (error,) = found.diagnostics
    assert (error.path, error.line) == ("a.cpp", 2)
    assert "broken.h" in error.message


def test_clang_is_given_no_header_of_gcc(place: Place) -> None:
    assert syntax._is_clang(Compilers(host=("ccache", "clang++-19")))
    assert not syntax._is_clang(Compilers())


def test_a_missing_header_does_not_hide_what_else_is_missing(place: Place) -> None:
    place.write({"a.cpp": """#include <fw/tensor.h>
#include <fw/none.h>
#include <fw/nothing.h>
int f(at::Tensor t) { return g() + t.sum() + h(); }
"""})  # fmt: skip
    (found,) = place.check("a.cpp")
    causes = [item.cause for item in found.diagnostics]
    assert causes.count("missing header fw/none.h") == 3, "g and h may be declared there"
    assert "missing header fw/nothing.h" in causes
    assert "at::Tensor has no member sum" in causes


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("at::Lost f(at::Tensor t) {", "return t.sum(); }"),
        ("int f(std::vector<at::Lost> a, at::Tensor t) {", "return t.sum(); }"),
        ("template <class T> int f(at::Lost<T> a, at::Tensor t) {", "return t.sum(); }"),
        ("struct F : public at::Lost<F> {", "int f(at::Tensor t) { return t.sum(); } };"),
        ("struct F : at::Lost {", "int f(at::Tensor t) { return t.sum(); } };"),
        ("at::Lost f(at::Lost x, at::Tensor t) {", "x.gone(); return x + t.sum(); }"),
        ("at::Lost f(at::Tensor t) {", "at::Later g(at::Tensor t); return t.sum(); }"),
    ],
)
def test_what_stands_behind_a_missing_type_is_found(place: Place, head: str, body: str) -> None:
    place.write({"a.cpp": f"#include <fw/tensor.h>\n#include <vector>\n{head}\n{body}\n"})
    (found,) = place.check("a.cpp")
    assert not found.ok
    named = [(d.scope, d.name) for d in found.diagnostics if d.name]
    assert named.count(("at::Tensor", "sum")) == 1
    assert ("at", "Lost") in named
    assert not [d for d in found.diagnostics if d.name in ("gone", "operator+")]


def test_classes_in_the_place_of_missing_types_add_no_errors(place: Place) -> None:
    source = """#include <fw/tensor.h>
struct Own { int n; };
at::Lost::Inner f(at::Lost x) { return x.y() + 1; }
int g(const Own& o) { return o.m; }
"""
    place.write({"a.cpp": source})
    (found,) = place.check("a.cpp")
    assert {d.name for d in found.diagnostics if d.name} <= {"Lost", "m", "Inner"}
    assert all(not d.message.count("porter") for d in found.diagnostics)
