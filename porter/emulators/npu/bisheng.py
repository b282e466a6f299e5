"""bisheng's command line for the emulation: what build scripts call where they would call it.

Sources in Ascend C are rewritten and compiled by g++; what is for the device's code generator only
is dropped: there is none here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.emulators.cuda.nvcc import host_compiler, installed
from porter.emulators.npu import INCLUDE
from porter.emulators.npu.kernels import Emulation, emulate

VERSION = "porter's bisheng: Ascend C kernels compiled as C++, to run on the CPU\n"
_SOURCES = (".asc", ".cce", ".cpp", ".cc", ".cxx", ".c")
_KERNELS = (".asc", ".cce")
# Options of the device's compiler: with the value in the next word, and alone or with `=`.
_DROPPED_PAIRS = {"-mllvm", "-Xaicore", "-Xhost"}
_DROPPED = ("--npu-arch", "--cce-", "--cce", "-mcpu", "--npu-", "-std=", "--std=")
_VALUED = ("-I", "-isystem", "-D", "-U", "-include", "-L", "-l", "-MF", "-MT", "-MQ")


@dataclass(slots=True)
class _Command:
    """One command line, read."""

    host: list[str] = field(default_factory=list)
    includes: list[tuple[str, Path]] = field(default_factory=list)
    sources: list[tuple[Path, bool]] = field(default_factory=list)  # and whether with kernels
    output: Path | None = None
    compiles: bool = False


def main(
    argv: Sequence[str],
    library: Path,
    say: Callable[[str], object],
    warn: Callable[[str], object],
) -> int:
    """Do what bisheng would with these arguments; the exit status.

    `library` is the emulated runtime. What goes to standard output and to standard error is given
    to `say` and `warn`.
    """
    if {"--version", "-v"} & set(argv):
        say(VERSION)
        return 0
    command = _read(argv)
    cxx = host_compiler()
    if command.compiles and len(command.sources) != 1:
        warn(f"bisheng (emulated): error: one source at a time, not {len(command.sources)}\n")
        return 1
    output = (command.output or Path("a.out")).absolute()
    own = [path for _, path in command.includes if path.is_dir() and not _theirs(path, library)]
    flags: list[str] = [f"-I{INCLUDE}"]
    sources: list[str] = []
    made: Emulation | None = None
    for source, has_kernels in command.sources:
        if not has_kernels:
            sources.append(str(source))
            continue
        made = emulate([source], own, output.with_name(f"{output.name}.emulated"))
        for refusal in made.refused:
            warn(f"{refusal.path}:{refusal.line}: warning: not emulated: {refusal.reason}\n")
        flags, sources = list(made.flags), [*sources, *map(str, made.sources)]
    # Not those that were written anew: a header that says #include_next would find itself there.
    rest = [each for each in command.includes if not made or each[1] not in own]
    flags += [word for option, path in rest for word in (option, str(path))]
    if command.compiles:
        name = command.output or Path(f"{command.sources[0][0].stem}.o")
        return _run([*cxx, *flags, *command.host, "-c", *sources, "-o", str(name)])
    linked = [f"-L{library.parent}", "-lascendcl"]
    return _run([*cxx, *flags, *sources, *command.host, *linked, "-o", str(output)])


def _theirs(folder: Path, library: Path) -> bool:
    return installed(folder, (INCLUDE, library.parent.parent))


def _read(argv: Sequence[str]) -> _Command:
    command = _Command()
    words = iter(argv)
    language = ""
    for word in words:
        short = next((o for o in _VALUED if word.startswith(o)), "")
        if word in ("-x", "--x"):
            language = next(words, "")
        elif word.startswith("-x") and len(word) > 2:
            language = word[2:]
        elif word in _DROPPED_PAIRS:
            next(words, "")
        elif word.startswith(_DROPPED):
            continue
        elif word == "-o":
            command.output = Path(next(words, "a.out"))
        elif word == "-c":
            command.compiles = True
        elif short:
            value = word[len(short) :] or next(words, "")
            if short in ("-I", "-isystem"):
                command.includes.append((short, Path(value)))
            else:
                command.host += (
                    [short, value] if short.startswith(("-M", "-i")) else [short + value]
                )
        elif word.endswith(_SOURCES) and not word.startswith("-"):
            has_kernels = language in ("asc", "cce") or word.endswith(_KERNELS)
            command.sources.append((Path(word), has_kernels))
        else:
            command.host.append(word)
    return command


def _run(argv: list[str]) -> int:
    return os.spawnvp(os.P_WAIT, argv[0], argv)
