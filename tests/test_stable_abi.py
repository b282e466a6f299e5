"""The shim of torch's stable ABI: official wheels under Paddle do what they do under torch."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.targets.paddle import wheels
from tests.conftest import CACHE
from tests.porting import porter
from tests.system import need
from tests.test_compat_package import installed, wheel

__all__ = ["installed", "wheel"]  # fixtures

HOME = rules_home() / "paddle" / "compat" / "porter_compat" / "stable_abi"
DATA = Path(__file__).parent / "data" / "stable_abi"
# Compiled once for all tests, beside the environments.
KEPT = {"PORTER_COMPAT_CACHE": str(CACHE / "stable-abi")}
# Dtypes that Paddle has none of.
LACKING = {"complex32", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2"}


# The subpackage of porter_compat without what that does when it is imported.
ALONE = """\
import sys, types
alone = sys.modules["porter_compat"] = types.ModuleType("porter_compat")
alone.__path__ = [{package!r}]
from porter_compat import stable_abi
"""


stable_abi = wheels._shim()


def run(*arguments: object, **variables: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **KEPT, **variables},
    )
    return done.returncode, done.stdout, done.stderr


def output(*arguments: object, **variables: str) -> str:
    code, out, err = run(*arguments, **variables)
    assert code == 0, out[-2000:] + err[-4000:]
    return out


def linked(source: Path, made: Path, python: Path) -> Path:
    """A library as in an official wheel: compiled against torch's headers, linked with torch's."""
    torch = Path(output(python, "-c", "import torch; print(torch.__file__)").strip()).parent
    flags = ["-std=c++17", "-O1", "-fPIC", "-shared", "-w", f"-I{torch / 'include'}"]
    link = [f"-L{torch / 'lib'}", "-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu", "-lc10"]
    target = "-DTORCH_TARGET_VERSION=0x020b000000000000"
    flags += [target] if source.name == "operators.cpp" else []
    output("g++", *flags, source, "-o", made, *link)
    return made


@pytest.mark.real
@pytest.mark.long
def test_c_functions_do_what_those_of_torch_do(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    torch, paddle = framework_pythons["torch"], framework_pythons["paddle"]
    library = linked(DATA / "probe.cpp", tmp_path / "libprobe.so", torch)
    call = f"import ctypes; ctypes.CDLL({str(library)!r}).probe()"
    expected = output(torch, "-c", f"import torch; {call}").splitlines()
    load = "from porter_compat import stable_abi; stable_abi.load"
    script = f"import sys; sys.path.insert(0, {str(installed)!r}); {load}({str(library)!r}); {call}"
    found = output(paddle, "-W", "ignore", "-c", script).splitlines()
    assert len(expected) > 350
    differ = [pair for pair in zip(expected, found, strict=True) if len({*pair}) > 1]
    lacking = {re.fullmatch(r"made of (\w+): fails", ours)[1] for _, ours in differ}  # type: ignore[index]
    assert lacking == LACKING


@pytest.mark.real
@pytest.mark.long
def test_registered_operators_are_those_of_torch_in_python(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    torch, paddle = framework_pythons["torch"], framework_pythons["paddle"]
    library = linked(DATA / "operators.cpp", tmp_path / "liboperators.so", torch)
    script = shutil.copy(DATA / "operators.py", tmp_path)
    expected = output(torch, "-W", "ignore", script, library)
    assert len(expected.splitlines()) > 50
    assert output(paddle, "-W", "ignore", script, library, installed) == expected


@pytest.mark.real
@pytest.mark.long
def test_the_sources_say_what_the_compiled_library_has(
    framework_pythons: Mapping[str, Path], installed: Path
) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); from porter_compat import stable_abi;"
        "stable_abi.enable(); print(stable_abi.build.libraries())"
    )
    folder = Path(output(framework_pythons["paddle"], "-W", "ignore", "-c", script).strip())
    library = stable_abi.elf.read(folder / "libtorch_cpu.so")
    given = {symbol.name for symbol in library.given}
    assert library.soname == "libtorch_cpu.so"
    assert stable_abi.inspection.exported() <= given
    rest = given - stable_abi.inspection.exported()
    assert {name for name in rest if "torch" in name} <= {"PyInit__porter_stable_abi"}
    for name in ("libtorch.so", "libc10.so", "libtorch_cuda.so", "libc10_cuda.so"):
        forward = stable_abi.elf.read(folder / name)
        assert forward.soname == name and "libtorch_cpu.so" in forward.needed


@pytest.mark.real
def test_functions_that_the_shim_leaves_out_are_known(
    framework_pythons: Mapping[str, Path],
) -> None:
    torch = Path(
        output(framework_pythons["torch"], "-c", "import torch; print(torch.__file__)").strip()
    )
    headers = torch.parent / "include" / "torch" / "csrc"
    declared: set[str] = set()
    for path in (
        "stable/c/shim.h",
        "inductor/aoti_torch/c/shim.h",
        "inductor/aoti_torch/generated/c_shim_aten.h",
    ):
        text = re.sub(r"//.*", "", (headers / path).read_text(encoding="utf-8"))
        declared |= {*re.findall(r"AOTI_TORCH_EXPORT[\w\s:*]*?[\s*](\w+)\(", text)}
    assert len(declared) > 200
    listed = (DATA / "left_out.txt").read_text(encoding="utf-8").split()
    assert sorted(declared - stable_abi.inspection.exported()) == listed


# --- official wheels ------------------------------------------------------------------------


def torchcodec(folder: Path, version: str, python: Path) -> Path:
    """TorchCodec as it comes from the package index, unpacked."""
    where = folder / f"torchcodec-{version}"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    kept = CACHE / "stable-abi" / "wheels"
    kept.mkdir(parents=True, exist_ok=True)
    if not [*kept.glob(f"torchcodec-{version}-*.whl")]:
        download = [python, "-m", "pip", "download", "--quiet", "--no-deps", "-d", kept]
        output(*download, "--only-binary", ":all:", f"torchcodec=={version}")
    (found,) = kept.glob(f"torchcodec-{version}-*.whl")
    output(*install, "--no-deps", "--no-compile", "--target", where, found)
    return where


def altered(folder: Path) -> list[str]:
    """The files of a wheel that are not as its list of files says."""
    (record,) = folder.glob("*.dist-info/RECORD")
    found = []
    for name, digest, _ in csv.reader(record.read_text(encoding="utf-8").splitlines()):
        if digest and not name.startswith(("..", "/")):
            content = hashlib.sha256((folder / name).read_bytes()).digest()
            if base64.urlsafe_b64encode(content).rstrip(b"=").decode() != digest.partition("=")[2]:
                found.append(name)
    return found


def recordings(folder: Path) -> tuple[Path, Path]:
    """A video with B-frames and sound, and sound alone."""
    ffmpeg = need("ffmpeg")
    video, sound = folder / "video.mp4", folder / "sound.wav"
    picture = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10:duration=2"]
    tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=1"]
    codecs = ["-c:v", "mpeg4", "-g", "7", "-bf", "2", "-c:a", "aac"]
    output(ffmpeg, "-v", "error", *picture, *tone, *codecs, video)
    output(ffmpeg, "-v", "error", *tone, "-ac", "2", sound)
    return video, sound


@pytest.mark.real
@pytest.mark.long
def test_the_official_wheel_of_torchcodec_decodes_as_under_torch(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    torch, paddle = framework_pythons["torch"], framework_pythons["paddle"]
    video, sound = recordings(tmp_path)
    folder = torchcodec(tmp_path, "0.13.0", paddle)
    script = shutil.copy(DATA / "decoding.py", folder)
    expected = output(torch, "-W", "ignore", script, folder, video, sound)
    assert len(expected.splitlines()) > 80
    assert output(paddle, "-W", "ignore", script, folder, video, sound, installed) == expected
    assert not altered(folder)


# What a CPU build of torch lacks that a wheel for CUDA is linked with, so that it can be compared.
STAND_IN = (
    ALONE
    + """\
import ctypes, pathlib

import torch

stable_abi.build.kept = lambda name, write: stable_abi.build.cache.make(name, write, {made})
stable_abi.standins._installed = lambda name: False
for name in ("libtorch_cuda.so", "libc10_cuda.so"):
    ctypes.CDLL(str(stable_abi.standins.make(name, ["aoti_torch_get_current_cuda_stream"])))
for library in {libraries}:
    stable_abi.standins.load(stable_abi.elf.read(library))
"""
)


@pytest.mark.real
@pytest.mark.long
def test_a_wheel_for_cuda_decodes_without_cuda_as_under_torch(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    torch, paddle = framework_pythons["torch"], framework_pythons["paddle"]
    video, sound = recordings(tmp_path)
    folder = torchcodec(tmp_path, "0.17.0", paddle)
    libraries = [*map(str, (folder / "torchcodec").glob("libtorchcodec_*.so"))]
    made = f"pathlib.Path({str(tmp_path / 'stand-ins')!r})"
    text = STAND_IN.format(package=str(installed / "porter_compat"), made=made, libraries=libraries)
    (folder / "stand_in.py").write_text(text, encoding="utf-8")
    script = shutil.copy(DATA / "decoding.py", folder)
    expected = output(torch, "-W", "ignore", script, folder, video, sound)
    assert "of 16 bits uint16[3, 120, 160]" in expected
    arguments = [script, folder, video, sound, installed, "--without-cuda"]
    assert output(paddle, "-W", "ignore", *arguments) == expected
    assert not altered(folder)


@pytest.mark.long
@pytest.mark.parametrize("version", ["0.13.0", "0.17.0"])
def test_a_wheel_is_checked_without_running_it(tmp_path: Path, version: str) -> None:
    folder = torchcodec(tmp_path, version, Path(sys.executable))
    (file,) = (CACHE / "stable-abi" / "wheels").glob(f"torchcodec-{version}-*.whl")
    report = stable_abi.check(file)
    assert report.fits and len(report.libraries) > 10 and len(report.there) > 70
    assert stable_abi.check(folder) == report, "unpacked or not"
    one = stable_abi.check(folder / "torchcodec" / "libtorchcodec_custom_ops5.so")
    assert one.fits and {*one.there} < {*report.there}


def library(place: Path, text: str, *needed: str) -> Path:
    """A library of some C++ that is linked with libraries of these names."""
    for name in needed:
        empty = place.parent / name
        if not empty.exists():
            output("g++", "-shared", "-x", "c++", os.devnull, f"-Wl,-soname,{name}", "-o", empty)
    flags = ["-shared", "-fPIC", "-x", "c++", "-", "-x", "none", "-Wl,--no-as-needed"]
    links = [place.parent / name for name in needed]
    command = [*map(str, ["g++", *flags, *links, "-o", place])]
    subprocess.run(command, input=text, text=True, check=True)
    return place


def test_what_is_missing_for_a_library_is_named(tmp_path: Path) -> None:
    need("g++")
    stable = """\
extern "C" int aoti_torch_get_dim(void *, long *);
extern "C" int torch_made_up(void *);
extern "C" int aoti_torch_scatter_out(void *);
extern "C" int other_function(void *);
namespace at { int number(int); }
int f(long *x) { return aoti_torch_get_dim(x, x) + torch_made_up(x) + other_function(x); }
int g(long *x) { return aoti_torch_scatter_out(x) + at::number(1); }
"""
    path = library(tmp_path / "libone.so", stable, "libtorch.so", "libtorch_cpu.so")
    report = stable_abi.check(path)
    assert report.libraries == ("libone.so",) and not report.fits
    assert report.there == ("aoti_torch_get_dim",)
    assert report.missing == ("_ZN2at6numberEi", "aoti_torch_scatter_out", "torch_made_up")
    assert str(report).splitlines() == [
        "1 libraries need 4 symbols of torch, 3 of which are missing",
        "  _ZN2at6numberEi",
        "  aoti_torch_scatter_out",
        "  torch_made_up",
    ]


def test_porter_says_what_a_wheel_needs_of_torch(tmp_path: Path, home: Path) -> None:
    need("g++")
    calls = """\
extern "C" int aoti_torch_get_dim(void *, long *);
extern "C" int torch_made_up(void *);
int f(long *x) { return aoti_torch_get_dim(x, x) + torch_made_up(x); }
"""
    one = library(tmp_path / "libone.so", calls, "libtorch.so")
    made = tmp_path / "ops-1.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as file:
        file.write(one, "ops/libone.so")
    code, said = porter(home, "analyze", str(made), "--target", "paddle")
    assert code == 1
    assert said == {
        "wheel": made.name,
        "target": "paddle",
        "libraries": ["ops/libone.so"],
        "there": ["aoti_torch_get_dim"],
        "missing": ["torch_made_up"],
    }


@pytest.mark.parametrize("content", [b"", b"PK\3\4 no archive", None])
def test_what_is_no_wheel_is_refused_by_name(
    tmp_path: Path, home: Path, content: bytes | None
) -> None:
    made = tmp_path / "ops-1.0-py3-none-any.whl"
    if content is None:  # an archive of a library that is none
        with zipfile.ZipFile(made, "w") as file:
            file.writestr("ops/libone.so", b"\x7fELF but no more")
    else:
        made.write_bytes(content)
    command = [sys.executable, "-m", "porter", "analyze", made]
    code, _, error = run(*command, PORTER_HOME=str(home))
    assert code == 2
    assert made.name in error and "Traceback" not in error


def test_symbols_of_a_wheel_itself_are_not_torchs(tmp_path: Path) -> None:
    need("g++")
    folder = tmp_path / "wheel"
    folder.mkdir()
    library(folder / "liba.so", 'extern "C" int torch_ours() { return 1; }')
    calls = 'extern "C" int torch_ours(); extern "C" int aoti_torch_abi_version();'
    calls += "int f() { return torch_ours() + aoti_torch_abi_version(); }"
    library(folder / "libb.so", calls, "libtorch.so")
    with zipfile.ZipFile(tmp_path / "wheel.whl", "w") as file:
        for name in ("liba.so", "libb.so"):
            file.write(folder / name, f"pkg/{name}")
    report = stable_abi.check(tmp_path / "wheel.whl")
    assert report.libraries == ("pkg/libb.so",) and report.there == ("aoti_torch_abi_version",)
    assert report.fits


def test_what_is_not_linked_with_torch_is_said_to_be_so(tmp_path: Path) -> None:
    need("g++")
    path = library(tmp_path / "libc.so", "int f() { return 1; }")
    report = stable_abi.check(path)
    assert not report.fits and str(report) == "nothing in it is linked with torch"


def test_stand_ins_for_cuda_give_error_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("g++")
    name = "libcudart.so.97"  # which nobody has installed
    calls = """\
#define SEEN extern "C" __attribute__((visibility("default")))
extern "C" int cudaFree(void *);
extern "C" const char *cudaGetErrorString(int);
extern "C" void **__cudaRegisterFatBinary(void *);
SEEN int code() { return cudaFree(nullptr); }
SEEN const char *text() { return cudaGetErrorString(1); }
static void **registered = __cudaRegisterFatBinary(nullptr);
"""
    functions = ["cudaFree", "cudaGetErrorString", "__cudaRegisterFatBinary"]
    below, make = tmp_path / "linked with", stable_abi.build.cache.make
    monkeypatch.setattr(stable_abi.build, "kept", lambda name, write: make(name, write, below))
    made = stable_abi.standins.make(name, functions)
    shutil.copy(made, tmp_path)
    path = library(tmp_path / "libuser.so", calls, name)
    wanted = stable_abi.elf.read(path).wanted
    assert {s.version for s in wanted if "cuda" in s.name} == {name}
    (tmp_path / name).unlink()
    script = f"""\
{ALONE.format(package=str(HOME.parent))}
import ctypes, pathlib
below, make = pathlib.Path({str(tmp_path / "made")!r}), stable_abi.build.cache.make
stable_abi.build.kept = lambda name, write: make(name, write, below)
path = {str(path)!r}
try:
    ctypes.CDLL(path)
except OSError as error:
    print(str(error).partition(":")[0])
stable_abi.standins.load(stable_abi.elf.read(path))
user = ctypes.CDLL(path)
user.text.restype = ctypes.c_char_p
print(user.code(), user.text().decode())
"""
    assert output(sys.executable, "-c", script).splitlines() == [
        name,
        "100 no CUDA device: this library stands in for one that is not installed",
    ]


# --- compiling ------------------------------------------------------------------------------

FAKE_COMPILER = """\
#!/bin/sh
# Logs what it is asked for, and writes the output it is asked for.
[ "$1" = --version ] && { echo "fake 1.0"; exit 0; }
echo "$@" >> "$FAKE_LOG"
[ -n "$FAKE_FAILS" ] && { echo "error: no such header" >&2; exit 1; }
sleep 0.05
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo made > "$2"; shift; done
"""
BUILD = (
    ALONE
    + """\
import warnings
sys.path.insert(0, {paddle!r})
try:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        folder = stable_abi.build.libraries()
        print(folder, *sorted(each.name for each in folder.iterdir()))
        print(*(each.message for each in said))
except stable_abi.CannotBuild as error:
    print("cannot build:", error)
"""
)


@pytest.fixture
def compiler(tmp_path: Path, installed: Path) -> dict[str, str]:
    """A compiler that writes nothing of use at once, and a Paddle that there is nothing of."""
    fake = tmp_path / "fake"
    fake.write_text(FAKE_COMPILER)
    fake.chmod(0o755)
    paddle = tmp_path / "site" / "paddle" / "__init__.py"
    (paddle.parent / "version").mkdir(parents=True)
    (paddle.parent / "version" / "__init__.py").write_text("")
    paddle.write_text('__version__ = "9.9"\n')
    (tmp_path / "build.py").write_text(
        BUILD.format(paddle=str(paddle.parent.parent), package=str(installed / "porter_compat"))
    )
    return {
        "CXX": str(fake),
        "FAKE_LOG": str(tmp_path / "log"),
        "PORTER_COMPAT_CACHE": str(tmp_path / "cache"),
        "MAX_JOBS": "2",
    }


def compiled(log: str) -> int:
    return sum(" -c " in line for line in Path(log).read_text().splitlines())


def test_two_processes_compile_the_shim_once(tmp_path: Path, compiler: dict[str, str]) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, tmp_path / "build.py"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **compiler},
        )
        for _ in range(3)
    ]
    said = {each.communicate()[0] for each in started}
    assert len(said) == 1 and "libtorch_cpu.so" in said.pop()
    assert compiled(compiler["FAKE_LOG"]) == len([*(HOME / "csrc").glob("*.cpp")])
    (place,) = (tmp_path / "cache").iterdir()
    kept = sorted(each.name for each in place.iterdir())
    assert [name.partition("-")[0] for name in kept] == [".stable", "stable"], "and a lock"


def test_another_paddle_has_libraries_of_its_own(tmp_path: Path, compiler: dict[str, str]) -> None:
    first = output(sys.executable, tmp_path / "build.py", **compiler)
    again = output(sys.executable, tmp_path / "build.py", **compiler)
    paddle = tmp_path / "site" / "paddle" / "__init__.py"
    paddle.write_text(paddle.read_text().replace("9.9", "9.10"))
    shutil.rmtree(paddle.parent / "__pycache__", ignore_errors=True)
    other = output(sys.executable, tmp_path / "build.py", **compiler)
    assert first == again != other
    assert "/cache/9.9-" in first and "/cache/9.10-" in other


def test_a_compiler_that_fails_leaves_nothing_and_says_why(
    tmp_path: Path, compiler: dict[str, str]
) -> None:
    said = output(sys.executable, tmp_path / "build.py", **compiler, FAKE_FAILS="1")
    assert said.startswith("cannot build: the compiler refused a file of the shim")
    assert "error: no such header" in said
    (place,) = (tmp_path / "cache").iterdir()
    assert not [each for each in place.iterdir() if each.is_dir()]
    said = output(sys.executable, tmp_path / "build.py", **compiler)
    assert "libtorch_cpu.so" in said, "the next process tries again"


def test_without_a_compiler_the_error_names_what_helps(
    tmp_path: Path, compiler: dict[str, str]
) -> None:
    said = output(sys.executable, tmp_path / "build.py", **compiler | {"CXX": "no-such-compiler"})
    assert said.startswith("cannot build: no-such-compiler was not found")
    assert "Install g++" in said


def test_a_cache_that_cannot_be_written_gives_a_temporary_folder(
    tmp_path: Path, compiler: dict[str, str]
) -> None:
    (tmp_path / "file").write_text("")
    place = {"PORTER_COMPAT_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    said = output(sys.executable, tmp_path / "build.py", **compiler | place)
    folder, warning = said.splitlines()
    assert folder.startswith(f"{tmp_path}/porter-compat-") and "libtorch_cpu.so" in folder
    assert (
        "libraries are compiled for this process alone" in warning
        and "PORTER_COMPAT_CACHE" in warning
    )
    assert not Path(folder.split()[0]).exists(), "it is gone with the process"


def test_a_cache_that_was_filled_is_read_where_it_cannot_be_written(
    tmp_path: Path, compiler: dict[str, str]
) -> None:
    first = output(sys.executable, tmp_path / "build.py", **compiler)
    (cache,) = (tmp_path / "cache").iterdir()
    for lock in cache.glob(".*.lock"):
        lock.unlink()
    cache.chmod(0o555)
    try:
        assert output(sys.executable, tmp_path / "build.py", **compiler) == first
    finally:
        cache.chmod(0o755)
    assert not [*cache.glob(".*.lock")], "nothing was written"


# --- reading libraries ------------------------------------------------------------------------


def test_libraries_are_read_as_pyelftools_reads_them() -> None:
    from elftools.elf.dynamic import DynamicSection
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    path = Path(sys.executable).resolve()
    places = [path, *Path("/lib/x86_64-linux-gnu").glob("lib*.so.*")][:60]
    assert len(places) > 20
    for place in places:
        found = stable_abi.elf.read(place)
        with place.open("rb") as file:
            sections = [*ELFFile(file).iter_sections()]
            tags = [t for s in sections if isinstance(s, DynamicSection) for t in s.iter_tags()]
            symbols = [
                symbol
                for section in sections
                if isinstance(section, SymbolTableSection) and section.name == ".dynsym"
                for symbol in section.iter_symbols()
                if symbol.name
            ]
        assert found.needed == tuple(t.needed for t in tags if t.entry.d_tag == "DT_NEEDED")
        assert [found.soname] == ([t.soname for t in tags if t.entry.d_tag == "DT_SONAME"] or [""])
        bound = [s for s in symbols if s["st_info"]["bind"] in ("STB_GLOBAL", "STB_WEAK")]
        wanted = {
            s.name
            for s in bound
            if s["st_shndx"] == "SHN_UNDEF" and s["st_info"]["bind"] == "STB_GLOBAL"
        }
        given = {s.name for s in bound if s["st_shndx"] != "SHN_UNDEF"}
        assert {s.name for s in found.wanted} == wanted, place
        assert {s.name for s in found.given} == given, place


@pytest.mark.parametrize(
    "content",
    [b"", b"text", b"\x7fELF", b"\x7fELF\x02\x01" + b"\xff" * 80],
    ids=["empty", "text", "only a beginning", "sizes beyond the file"],
)
def test_what_is_no_library_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.so"
    path.write_bytes(content)
    with pytest.raises(stable_abi.elf.NotAnElfFile):
        stable_abi.elf.read(path)
