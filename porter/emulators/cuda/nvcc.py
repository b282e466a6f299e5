"""nvcc's command line for the emulation: what build systems call where they would call nvcc.

It takes what they say to nvcc of one source, has `emulate` rewrite it and g++ compile it. What is
for the device's code generator only is dropped: there is none here.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.emulators.cuda import INCLUDE, emulate

VERSION = """porter's nvcc: CUDA kernels compiled as C++, to run on the CPU
Cuda compilation tools, release 13.0, V13.0.88
"""
_ERROR = "nvcc (emulated): error"
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
# Options of nvcc's own: with the value in the next word, and alone or with `=`.
_DROPPED_PAIRS = {
    *("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code"),
    *("-Xptxas", "--ptxas-options", "-Xcudafe", "--cudafe-options", "-Xnvlink", "-t", "--threads"),
    *("-maxrregcount", "--maxrregcount", "-ccbin", "--compiler-bindir", "-x", "--x"),
    *("-diag-suppress", "--diag-suppress", "-split-compile", "--split-compile", "-Xfatbin"),
    *("-cudart", "--cudart", "--default-stream", "-default-stream", "-cudadevrt", "--cudadevrt"),
    *("-diag-error", "--diag-error", "-diag-warn", "--diag-warn", "-keep-dir", "--keep-dir"),
    *("-static-global-template-stub", "--static-global-template-stub"),
    *("-device-entity-has-hidden-visibility", "--device-entity-has-hidden-visibility"),
    *("-device-stack-protector", "--device-stack-protector", "-jtd", "--jump-table-density"),
    *("-opt-info", "--optimization-info", "-split-compile-extended", "--split-compile-extended"),
}
_DROPPED = (
    *("--expt-", "-expt-", "--extended-lambda", "-extended-lambda", "--use_fast_math"),
    *("-use_fast_math", "-lineinfo", "--generate-line-info", "-rdc", "--relocatable-device-code"),
    *("--forward-", "-forward-", "--ftz", "-ftz", "--prec-", "-prec-", "--fmad", "-fmad"),
    *("--resource-usage", "-res-usage", "-G", "--device-debug", "--keep", "-keep"),
    "-Wno-deprecated-",
    *("--no-compress", "-compress-mode", "--compress-mode", "--source-in-ptx", "-src-in-ptx"),
    *("--display-error-number", "--no-display-error-number", "-err-no", "--extra-device-"),
    *("--restrict", "-restrict", "--ptx", "--disable-warnings"),
)
_RENAMED = {
    "--generate-dependencies-with-compile": "-MD",
    "--dependency-output": "-MF",
    "--compile": "-c",
    "--device-c": "-c",
    "-dc": "-c",
    "--output-file": "-o",
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--define-macro": "-D",
    "--pre-include": "-include",
    "--debug": "-g",
    "--shared": "-shared",
}
_VALUED = {"-o", "-I", "-isystem", "-D", "-U", "-include", "-MF", "-MT", "-MQ", "-L", "-l"}


@dataclass(slots=True)
class Command:
    """One command line, read."""

    host: list[str] = field(default_factory=list)  # for g++, in its order
    includes: list[tuple[str, Path]] = field(default_factory=list)  # -I or -isystem, folder
    sources: list[Path] = field(default_factory=list)
    kernels: set[Path] = field(default_factory=set)  # those of the sources that have any
    output: Path | None = None
    dependencies: Path | None = None
    compiles: bool = False


def host_compiler() -> list[str]:
    """The command of the C++ compiler: CXX is a program or, as `ccache g++ -O1`, a command."""
    chosen = os.environ.get("CXX") or "g++"
    return [chosen] if shutil.which(chosen) else shlex.split(chosen)


def main(
    argv: Sequence[str],
    library: Path,
    cccl: Path | None,
    say: Callable[[str], object],
    warn: Callable[[str], object],
) -> int:
    """Do what nvcc would with these arguments; the exit status.

    `library` is the emulated runtime, and `cccl` the folder that has Thrust, if there is one. What
    goes to standard output and to standard error is given to `say` and `warn`.
    """
    if {"--version", "-V"} & set(argv):
        say(VERSION)
        return 0
    if {"-dlink", "--device-link", "-ptx", "-cubin", "-fatbin", "--cubin", "--fatbin"} & set(argv):
        warn(f"{_ERROR}: device code is not supported: only -c and linking are\n")
        return 1
    command = _read(argv)
    cxx = host_compiler()
    if not command.compiles:
        linked = [*command.host, *map(str, command.sources), f"-L{library.parent}", "-lcudart"]
        named = ["-o", str(command.output)] if command.output else []
        return run([*cxx, *linked, *named])
    if len(command.sources) != 1:
        warn(f"{_ERROR}: one source at a time, not {len(command.sources)}\n")
        return 1
    (source,) = command.sources
    output = command.output or Path(f"{source.stem}.o")
    folder = output.with_name(f"{output.name}.emulated").absolute()
    flags, compiled, folders = [f"-I{INCLUDE}"], source, command.includes
    if command.kernels or {"-x", "--x"} & set(argv):
        home = library.parent.parent
        own = [
            path for _, path in folders if path.is_dir() and not is_installed(path, (INCLUDE, home))
        ]
        checked = bool(os.environ.get("PORTER_EMULATED_CHECKED"))
        made = emulate([source], own, folder, cccl=cccl, checked=checked)
        for refusal in made.refused:
            warn(f"{refusal.path}({refusal.line}): warning: not emulated: {refusal.reason}\n")
        flags, (compiled,) = ["-O1", *made.flags], made.sources  # nvcc optimises unasked
        folders = [(option, path) for option, path in folders if path not in own]
    flags += [word for option, path in folders for word in (option, str(path))]
    status = run([*cxx, *flags, *command.host, "-c", str(compiled), "-o", str(output)])
    if command.dependencies is not None and status == 0:
        _name_originals(command.dependencies, folder / "tree")
    return status


def is_installed(folder: Path, ours: Iterable[Path]) -> bool:
    """Whether a folder is of the system, an interpreter, a framework or `ours`, and not of the
    sources."""
    path = folder.resolve()
    packages = {"site-packages", "dist-packages"} & set(path.parts)
    roots = [*map(Path, ("/usr", "/opt", sys.base_prefix)), *(own.resolve() for own in ours)]
    return bool(packages) or any(path.is_relative_to(root) for root in roots)


def _read(argv: Sequence[str]) -> Command:
    return read(_options(argv), _SOURCES, (".cu",))


def read(
    options: Iterable[tuple[str, str]], sources: tuple[str, ...], kernels: tuple[str, ...]
) -> Command:
    """Options with their values as a command; sources of kernels are those whose
    names end so, or before which such a language is named."""
    command, language = Command(), ""
    for option, value in options:
        if option == "-o":
            command.output = Path(value)
        elif option == "-c":
            command.compiles = True
        elif option == "-I" or option == "-isystem":
            command.includes.append((option, Path(value)))
        elif option == "-MF":
            command.dependencies = Path(value)
            command.host += [option, value]
        elif option == "-x":
            language = value
        elif option in _VALUED:
            command.host += [option, value]
        elif option.endswith(sources) and not option.startswith("-"):
            command.sources.append(Path(option))
            if language or option.endswith(kernels):
                command.kernels.add(Path(option))
        else:
            command.host.append(option)
    return command


def _options(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Options with their values, as g++ names them, without those of the device's compiler."""
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("-Xcompiler", "--compiler-options"):
            for part in (value if equals else next(words, "")).replace("'", "").split(","):
                yield from _options([part]) if part.startswith("-I") else [(part, "")]
        elif name in ("-Xlinker", "--linker-options"):
            yield f"-Wl,{value if equals else next(words, '')}", ""
        elif name in _DROPPED_PAIRS:
            if not equals:
                next(words, "")
        elif word.startswith(_DROPPED):
            continue
        else:
            name = _RENAMED.get(name, name)
            short = next(
                (o for o in ("-I", "-D", "-U", "-L", "-l", "-o") if word.startswith(o)), ""
            )
            if name in _VALUED:
                yield name, value if equals else next(words, "")
            elif short and len(word) > 2:
                yield short, word[2:]
            else:
                yield name + equals + value, ""


def _name_originals(dependencies: Path, tree: Path) -> None:
    """In a list of dependencies, the user's files in place of what was written from them."""
    text = dependencies.read_text(encoding="utf-8", errors="surrogateescape")
    text = text.replace(f"{tree}/", "/").replace(".cu.cpp", ".cu")
    dependencies.write_text(text, encoding="utf-8", errors="surrogateescape")


def run(argv: list[str]) -> int:
    return os.spawnvp(os.P_WAIT, argv[0], argv)
