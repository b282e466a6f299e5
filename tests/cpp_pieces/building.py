"""Compiles test modules, unoptimized and with a precompiled header, and keeps what it made."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cpp_pieces.examples import Examples
from tests.cpp_pieces.sources import blamed, source

HERE = Path(__file__).resolve().parent
KEPT = 4  # precompiled headers of each framework; one takes up to half a gigabyte
IN_USE = 3600  # seconds for which another process may want one
_OURS = re.compile(r"_ZNK?(2at|3c10|5torch|6paddle|3phi)")
_ASKED = """
import importlib.util, json, sysconfig
home = importlib.util.find_spec("{}").submodule_search_locations[0]
print(json.dumps([sysconfig.get_paths()["include"], home]))
"""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How modules are built for a framework: `flags` compile, `link` links; `key` is of both."""

    framework: str
    python: Path
    home: Path
    flags: tuple[str, ...]
    link: tuple[str, ...]
    runner_flags: tuple[str, ...]
    libraries: tuple[Path, ...]
    cache: Path
    precompile: bool = True


@dataclass(frozen=True, slots=True)
class Module:
    """A module that was built, and the numbers of the examples in it, in their order."""

    path: Path
    numbers: tuple[int, ...]


def asked(python: Path, framework: str) -> tuple[Path, Path]:
    """Where Python's headers and the framework are."""
    done = subprocess.run(
        [python, "-c", _ASKED.format(framework)], capture_output=True, text=True, check=True
    )
    include, home = json.loads(done.stdout)
    return Path(include), Path(home)


def torch(python: Path, cache: Path) -> Toolchain:
    """The toolchain of torch."""
    include, home = asked(python, "torch")
    common = ("-std=c++20", f"-I{home}/include", f"-I{home}/include/torch/csrc/api/include")
    lib = home / "lib"
    names = ("torch_cpu", "torch", "c10", "torch_python")
    link = (f"-L{lib}", f"-Wl,-rpath,{lib}", *(f"-l{name}" for name in names))
    flags = (*common, f"-I{include}")
    libraries = tuple(lib / f"lib{name}.so" for name in names)
    return Toolchain("torch", python, home, flags, link, flags, libraries, cache)


def paddle(python: Path, overlay: Path, caster: Path, cache: Path, precompile: bool) -> Toolchain:
    """The toolchain of Paddle, with the merged headers of all pieces, and of the caster only."""
    include, home = asked(python, "paddle")
    compat = f"{home}/include/paddle/phi/api/include/compat"
    below = (f"{home}/include", f"{home}/include/third_party", compat)
    folders = (*below, f"{compat}/torch/csrc/api/include", str(include))
    common = tuple(f"-I{folder}" for folder in folders)
    defined = ("-std=c++17", "-DPORTER_TEST_PADDLE", "-DPADDLE_WITH_CUSTOM_KERNEL")
    libraries = (home / "base/libpaddle.so", *sorted((home / "libs").glob("lib[pc][ho]*.so")))
    link = tuple(str(path) for path in libraries)
    rpath = tuple(f"-Wl,-rpath,{folder}" for folder in (home / "base", home / "libs"))
    link = ("-Wl,--no-as-needed", *link, *rpath)
    flags = (*defined, f"-I{overlay}", *common)
    runner = (*defined, f"-I{caster}", *common)
    return Toolchain("paddle", python, home, flags, link, runner, libraries, cache, precompile)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time is inside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def compiler(tools: Toolchain, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["g++", "-O0", "-w", "-fPIC", "-fdiagnostics-color=never", "-fmax-errors=0"]
    command += [*tools.flags, *(str(argument) for argument in arguments)]
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def header_error(tools: Toolchain) -> str:
    """What the compiler says of the headers, or nothing."""
    told = tools.cache / "headers" / f"{_header_key(tools)}.told"
    if not told.is_file():
        told.parent.mkdir(parents=True, exist_ok=True)
        done = compiler(tools, "-fsyntax-only", "-x", "c++", HERE / "harness.h")
        told.write_text(done.stderr if done.returncode else "")
    return told.read_text()


def _header_key(tools: Toolchain) -> str:
    own = [(HERE / name).read_text() for name in ("harness.h", "result.h")]
    return f"{tools.framework}-{digest(tools.flags, own)}"


@functools.cache
def header(tools: Toolchain) -> Path:
    """The harness header, beside its precompiled form if the toolchain wants one.

    Raises RuntimeError with the compiler's errors.
    """
    folder = tools.cache / "headers" / _header_key(tools)
    made = folder / "harness.h"
    precompiled = folder / "harness.h.gch"
    with locked(folder.with_suffix(".lock")):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("harness.h", "result.h"):
            shutil.copy(HERE / name, folder / name)
        if tools.precompile and not precompiled.is_file():
            part = folder / "new.gch"
            done = compiler(tools, "-x", "c++-header", made, "-o", part)
            if done.returncode:
                raise RuntimeError(done.stderr)
            part.rename(precompiled)
        os.utime(folder)
    _forget_old(folder)
    return made


def _forget_old(new: Path) -> None:
    framework = new.name.split("-")[0]
    others = [path for path in new.parent.glob(f"{framework}-*/") if path != new]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        if time.time() - path.stat().st_mtime > IN_USE:
            shutil.rmtree(path, ignore_errors=True)


def runner(tools: Toolchain) -> Path:
    """The Python module that calls cases. Raises RuntimeError with the compiler's errors."""
    texts = [(HERE / name).read_text() for name in ("runner.cpp", "result.h")]
    made = tools.cache / "runners" / f"{tools.framework}-{digest(tools.runner_flags, texts)}.so"
    with locked(made.with_suffix(".lock")):
        if not made.is_file():
            part = made.with_suffix(".part")
            command = ["g++", "-O0", "-w", "-fPIC", "-shared", *tools.runner_flags]
            command += [HERE / "runner.cpp", "-o", part, *tools.link]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            part.rename(made)
    return made


def headers_of(tools: Toolchain, paths: Sequence[str]) -> list[str]:
    """Which of a piece's headers its modules include: those torch has, of the CPU."""
    include = tools.home / "include"
    below = [include, include / "torch/csrc/api/include"]
    plain = [path for path in paths if "cuda" not in path.lower()]
    return [path for path in plain if any((folder / path).is_file() for folder in below)]


def build(
    tools: Toolchain, piece: Examples, numbers: Sequence[int], headers: Sequence[str]
) -> tuple[list[Module], dict[int, str]]:
    """The modules that hold these examples of a piece, and why others are in none."""
    numbers, errors = list(numbers), {}
    while numbers:
        path, output = _module(tools, source(piece, numbers, headers))
        if path is not None:
            return [Module(path, tuple(numbers))], errors
        wrong = {n: error for n, error in blamed(output).items() if n in numbers}
        if not wrong and len(numbers) == 1:
            return [], errors | {numbers[0]: _first_error(output)}
        if not wrong:
            half = len(numbers) // 2
            first, failed = build(tools, piece, numbers[:half], headers)
            second, more = build(tools, piece, numbers[half:], headers)
            return first + second, errors | failed | more
        errors |= wrong
        numbers = [n for n in numbers if n not in wrong]
    return [], errors


def _first_error(output: str) -> str:
    lines = [line for line in output.splitlines() if "error" in line or "undefined" in line]
    return lines[0] if lines else output[-600:]


def _module(tools: Toolchain, text: str) -> tuple[Path | None, str]:
    """The shared object, or None and the errors."""
    prefix = header(tools)
    stem = tools.cache / "modules" / f"{tools.framework}-{digest(prefix.parent.name, text)}"
    made, failed = stem.with_suffix(".so"), stem.with_suffix(".errors")
    if made.is_file():
        return made, ""
    if failed.is_file():
        return None, failed.read_text()
    stem.parent.mkdir(parents=True, exist_ok=True)
    unit = stem.with_suffix(".cpp")
    unit.write_text(text)
    part = stem.with_suffix(f".{os.getpid()}.part")
    done = compiler(tools, "-shared", "-include", prefix, unit, "-o", part, *tools.link)
    output = done.stderr if done.returncode else undefined(tools, part)
    if output:
        part.unlink(missing_ok=True)
        failed.write_text(output)
        return None, output
    part.rename(made)
    return made, ""


def undefined(tools: Toolchain, module: Path) -> str:
    """The C++ functions of the framework that a module needs and no library exports."""
    done = subprocess.run(["nm", "-D", "-u", module], capture_output=True, text=True, check=True)
    needed = set(re.findall(r"^\s+U (_Z\S+)", done.stdout, re.MULTILINE))
    missing = sorted(s for s in needed - exported(tools) if _OURS.match(s))
    if not missing:
        return ""
    names = subprocess.run(["c++filt", *missing], capture_output=True, text=True).stdout
    return f"undefined in {tools.framework}: {names}"


@functools.cache
def exported(tools: Toolchain) -> frozenset[str]:
    """The mangled names that a framework's libraries export."""
    made = tools.cache / f"exports-{tools.framework}-{digest(tools.libraries)}"
    if not made.is_file():
        names = set()
        for library in tools.libraries:
            command = ["nm", "-D", "--defined-only", "-f", "posix", library]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            names.update(line.split(" ", 1)[0].split("@")[0] for line in text.splitlines())
        part = made.with_suffix(f".{os.getpid()}")
        part.write_text("\n".join(sorted(n for n in names if n.startswith("_Z"))))
        part.rename(made)
    return frozenset(made.read_text().split("\n"))
