"""The object cache: reused when the preprocessed input agrees, and out of the way otherwise."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from porter.build import objects
from porter.build.objects import Cache

SOURCE = '#include "part.h"\nint twice(int x) { return FACTOR * x; }\n'
COUNTER = """#!/bin/sh
case " $* " in *" -E "*) ;; *) echo x >> {count} ;; esac
exec {real} "$@"
"""


class Bench:
    """A compiler that counts its real compilations, behind the cache."""

    def __init__(self, folder: Path) -> None:
        real = shutil.which("g++")
        assert real, "the tests need g++"
        self.folder, self.count = folder, folder / "count"
        self.compiler = folder / "bin" / "g++"
        self.compiler.parent.mkdir()
        self.compiler.write_text(COUNTER.format(count=self.count, real=real))
        self.compiler.chmod(0o755)

    def tree(self, name: str, header: str = "#define FACTOR 2\n", source: str = SOURCE) -> Path:
        tree = self.folder / name
        tree.mkdir(exist_ok=True)
        (tree / "part.h").write_text(header)
        (tree / "unit.cpp").write_text(source)
        return tree

    def compile(self, tree: Path, *flags: str) -> subprocess.CompletedProcess[str]:
        command = objects.make_cached_command(
            str(self.compiler), [tree], Cache(self.folder / "objects")
        )
        unit = str(tree / "unit.cpp")
        argv = [*command, "-c", unit, "-o", str(tree / "unit.o"), f"-I{tree}", *flags]
        return subprocess.run(argv, capture_output=True, text=True, cwd=tree)

    @property
    def compiled(self) -> int:
        return len(self.count.read_text().split()) if self.count.exists() else 0


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_same_input_in_another_tree_is_compiled_once(bench: Bench) -> None:
    one, two = bench.tree("one"), bench.tree("two")
    assert bench.compile(one).returncode == bench.compile(two).returncode == 0
    assert bench.compiled == 1
    assert (one / "unit.o").read_bytes() == (two / "unit.o").read_bytes()


@pytest.mark.parametrize("flag", ["-O2", "-std=c++17", "-march=native"])
def test_another_flag_is_another_object(bench: Bench, flag: str) -> None:
    tree = bench.tree("one")
    bench.compile(tree)
    bench.compile(tree, flag)
    assert bench.compiled == 2


def test_debug_information_is_made_only_where_it_is_meant(bench: Bench) -> None:
    tree = bench.tree("one")
    sizes = []
    for flags in ((), ("-g",), ("-g1",)):
        bench.compile(tree, *flags)
        sizes.append((tree / "unit.o").stat().st_size)
    assert bench.compiled == 2
    assert sizes[0] == sizes[1] < sizes[2]


def test_a_changed_header_is_another_object(bench: Bench) -> None:
    bench.compile(bench.tree("one"))
    bench.compile(bench.tree("one", header="#define FACTOR 3\n"))
    assert bench.compiled == 2


def test_a_macro_that_changes_the_text_is_another_object(bench: Bench) -> None:
    tree = bench.tree("one", header="")
    bench.compile(tree, "-DFACTOR=2")
    bench.compile(tree, "-DFACTOR=3")
    bench.compile(tree, "-DFACTOR=2", "-DUNUSED=1")
    assert bench.compiled == 2


def test_a_path_of_the_tree_in_the_program_is_another_object(bench: Bench) -> None:
    for name in ("one", "two"):
        tree = bench.tree(name, source=SOURCE + "const char* where() { return ROOT; }\n")
        bench.compile(tree, f'-DROOT="{tree}/data"')
    assert bench.compiled == 2


def test_warnings_are_said_again_with_the_paths_of_this_tree(bench: Bench) -> None:
    source = SOURCE + "int unused(int x) { int y = 1; return x; }\n"
    one, two = bench.tree("one", source=source), bench.tree("two", source=source)
    first, second = bench.compile(one, "-Wall"), bench.compile(two, "-Wall")
    assert bench.compiled == 1
    assert "unused variable" in first.stderr
    assert second.stderr == first.stderr.replace(str(one), str(two))


def test_an_error_is_the_compilers_own_and_is_never_kept(bench: Bench) -> None:
    tree = bench.tree("one", source="int f() { return nowhere; }\n")
    for _ in range(2):
        done = bench.compile(tree)
        assert done.returncode != 0
        assert "nowhere" in done.stderr
    assert bench.compiled == 2


def test_a_missing_header_is_the_compilers_own_error(bench: Bench) -> None:
    done = bench.compile(bench.tree("one", source='#include "gone.h"\n'))
    assert done.returncode != 0
    assert "gone.h: No such file" in done.stderr


def test_a_dependency_file_is_written_on_a_hit_too(bench: Bench) -> None:
    tree = bench.tree("one")
    bench.compile(tree)
    bench.compile(tree, "-MMD", "-MF", str(tree / "unit.d"))
    assert bench.compiled == 1
    text = (tree / "unit.d").read_text()
    assert "part.h" in text and text.startswith(str(tree / "unit.o"))


def test_linking_and_questions_go_straight_to_the_compiler(bench: Bench) -> None:
    tree = bench.tree("one")
    bench.compile(tree)
    command = objects.make_cached_command(
        str(bench.compiler), [tree], Cache(bench.folder / "objects")
    )
    version = subprocess.run([*command, "-dumpversion"], capture_output=True, text=True)
    assert version.stdout.strip()[0].isdigit()
    linked = [*command, "-shared", "-o", str(tree / "unit.so"), str(tree / "unit.o")]
    assert subprocess.run(linked).returncode == 0
    assert (tree / "unit.so").is_file()


def test_a_store_that_cannot_be_written_costs_only_the_reuse(bench: Bench) -> None:
    (bench.folder / "objects").write_text("not a folder")
    tree = bench.tree("one")
    assert bench.compile(tree).returncode == 0
    assert (tree / "unit.o").is_file()


def test_a_damaged_entry_is_compiled_again(bench: Bench) -> None:
    tree = bench.tree("one")
    bench.compile(tree)
    (entry,) = (bench.folder / "objects").glob("*/*/object")
    entry.unlink()
    assert bench.compile(tree).returncode == 0
    assert bench.compiled == 2


def test_wrappers_carry_the_compilers_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("CC", raising=False)
    found = objects.wrappers(tmp_path / "bin", [tmp_path], Cache(tmp_path / "objects"))
    assert Path(found["CXX"]).name == "g++"
    done = subprocess.run([found["CXX"], "-dumpversion"], capture_output=True, text=True)
    assert done.returncode == 0


def test_a_compiler_with_a_launcher_of_its_own_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "ccache g++")
    monkeypatch.setenv("CC", "no-such-compiler")
    found = objects.wrappers(tmp_path / "bin", [tmp_path], Cache(tmp_path / "objects"))
    assert "CXX" not in found and "CC" not in found
