"""Built libraries: what they will not find is said before the import that would crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from porter.build import binaries
from porter.host import demangle, process
from porter.host.sandbox import Policy
from porter.model import Diagnostic
from porter.targets import SOURCE, Environment

pytestmark = pytest.mark.real  # a C++ compiler


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site-packages of a framework of one library."""
    site = tmp_path / "site-packages"
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setattr(process, "_policy", Policy(passed=("PYTHONPATH",)))
    (site / "torch" / "lib").mkdir(parents=True)
    loads = "import ctypes, os\nctypes.CDLL(os.path.dirname(__file__) + '/lib/libown.so')\n"
    (site / "torch" / "__init__.py").write_text(loads)
    library(site / "torch" / "lib" / "libown.so", FRAMEWORK)
    return site


FRAMEWORK = "#include <string>\nnamespace own { int size(std::string s) { return s.size(); } }"


def library(path: Path, text: str, *options: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = () if "-c" in options else ("-shared",)
    command = ("g++", *made, "-fPIC", "-x", "c++", "-", "-x", "none", *options, "-o", path)
    subprocess.run(list(map(str, command)), input=text.encode(), check=True)
    return path


def environment(site: Path) -> Environment:
    return Environment(
        python=Path(sys.executable),
        framework="torch",
        version="1",
        build="cpu",
        proxy=True,
        root=str(site / "torch"),
        paths=(str(site),),
    )


def check(*paths: Path) -> tuple[Diagnostic, ...]:
    site = next(p for p in paths[0].parents if p.name == "site-packages")
    logs = site.parent / "logs"
    logs.mkdir(exist_ok=True)
    return binaries.check(paths, environment(site), SOURCE, site.parent / "tree", logs)


def test_a_symbol_that_nothing_gives_is_named_as_people_read_it(site: Path) -> None:
    path = library(site / "pkg" / "_C.so", "int nowhere(int); int f() { return nowhere(1); }")
    (found,) = check(path)
    assert (found.severity, found.name, found.path) == ("error", "nowhere(int)", "pkg/_C.so")
    assert "missing symbol nowhere(int)" in found.cause


def test_a_symbol_of_a_gpu_source_is_told_from_one_that_is_nowhere(site: Path) -> None:
    (site.parent / "tree" / "csrc").mkdir(parents=True)
    (site.parent / "tree" / "csrc" / "k.cu").write_text("int nowhere(int i) { return i; }")
    path = library(site / "_C.so", "namespace a { int nowhere(int); } int f = a::nowhere(1);")
    (found,) = check(path)
    assert found.name == "a::nowhere(int)"
    assert "csrc/k.cu" in found.message


def test_a_symbol_of_a_library_that_is_not_linked_names_the_library(site: Path) -> None:
    text = "#include <string>\nnamespace own { int size(std::string); } int f = own::size({});"
    (found,) = check(library(site / "_C.so", text))
    assert "libown.so exports it" in found.message


def test_another_abi_is_told(site: Path) -> None:
    text = "#define _GLIBCXX_USE_CXX11_ABI 0\n#include <string>\n"
    text += "namespace own { int size(std::string); } int f = own::size({});"
    path = library(site / "_C.so", text, f"-L{site}/torch/lib", "-lown")
    (found,) = [item for item in check(path) if item.name and "own::size" in item.name]
    assert "libown.so has it with the other C++ ABI" in found.message


@pytest.mark.parametrize(
    ("options", "told"),
    [(("-Wl,-rpath,$ORIGIN/torch/lib",), ""), ((), "runtime_library_dirs")],
)
def test_a_library_is_found_by_its_rpath_only(
    options: tuple[str, ...], told: str, site: Path
) -> None:
    text = "#include <string>\nnamespace own { int size(std::string); } int f = own::size({});"
    path = library(site / "_C.so", text, f"-L{site}/torch/lib", "-lown", *options)
    found = check(path)
    assert [item.name for item in found] == (["libown.so"] if told else [])
    assert all(told in item.message for item in found)


def test_a_library_of_torch_is_no_part_of_another_framework(site: Path) -> None:
    other = library(site.parent / "elsewhere" / "libtorch_cpu.so", "int torchs() { return 1; }")
    text = "int torchs(); int f = torchs();"
    options = (f"-L{other.parent}", "-ltorch_cpu", f"-Wl,-rpath,{other.parent}")
    (found,) = check(library(site / "_C.so", text, *options))
    assert found.name == "libtorch_cpu.so"
    assert "link it under torch only" in found.message


def test_what_is_whole_is_not_mentioned(site: Path) -> None:
    first = library(site / "liba.so", "int a() { return 1; }")
    options = (f"-L{site}", "-l:liba.so", "-Wl,-rpath,$ORIGIN")
    second = library(site / "_C.so", "#include <cmath>\nint a(); int f = a() + cos(a());", *options)
    assert check(first, second) == ()


def test_without_cxxfilt_symbols_are_told_as_they_are(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library(site / "_C.so", "int nowhere(int); int f = nowhere(1);")
    monkeypatch.setattr(demangle, "shutil", SimpleNamespace(which=lambda name: None))
    (found,) = check(path)
    assert (found.severity, found.name) == ("error", "_Z7nowherei")


def test_objects_lack_what_neither_they_nor_the_framework_nor_a_gpu_gives(site: Path) -> None:
    first = """#include <string>
    #include <cstdio>
    namespace own { int size(std::string); }
    namespace phi { struct GPUContext { int stream() const; }; }
    struct CUstream_st; void record(CUstream_st*); extern "C" int cudaMalloc();
    int second(); int nowhere();
    extern "C" int atexit(void (*)()); struct Kept { ~Kept(); }; Kept::~Kept() { puts("end"); }
    void* CurrentCUDAStream();
    namespace at { void choose(int); }
    int f(phi::GPUContext& c) {
      static Kept kept; atexit([] {}); CurrentCUDAStream(); at::choose(0);
      record(nullptr); puts("");
      return own::size({}) + c.stream() + cudaMalloc() + second() + nowhere();
    }"""
    header = site / "torch" / "include" / "gpu" / "info.h"
    header.parent.mkdir(parents=True)
    header.write_text("namespace at { void choose(int device); int nowhere(int); }")
    objects = [
        library(site.parent / f"{n}.o", text, "-c")
        for n, text in enumerate([first, "int second() { return 1; }"])
    ]
    found = binaries.check_objects(
        {"pkg._C": objects}, environment(site), SOURCE, site.parent / "tree", site.parent / "logs"
    )
    assert [(item.path, item.name) for item in found] == [("pkg._C", "nowhere()")]
