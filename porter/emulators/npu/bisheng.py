"""bisheng's command line for the emulation: what build scripts call where they would call it.

Sources in Ascend C are rewritten and compiled by g++; what is for the device's code generator only
is dropped: there is none here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from porter.emulators.cuda import Emulation
from porter.emulators.cuda.nvcc import host_compiler, is_installed, read, run
from porter.emulators.npu import INCLUDE
from porter.emulators.npu.kernels import emulate

VERSION = "porter's bisheng: Ascend C kernels compiled as C++, to run on the CPU\n"
_SOURCES = (".asc", ".cce", ".cpp", ".cc", ".cxx", ".c")
_KERNELS = (".asc", ".cce")
# Options of the device's compiler: with the value in the next word, and alone or with `=`.
_DROPPED_PAIRS = {"-mllvm", "-Xaicore", "-Xhost"}
_DROPPED = ("--npu-arch", "--cce-", "--cce", "-mcpu", "--npu-", "-std=", "--std=")
_VALUED = ("-I", "-isystem", "-D", "-U", "-include", "-L", "-l", "-MF", "-MT", "-MQ", "-x")


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
    command = read(_options(argv), _SOURCES, _KERNELS)
    cxx = host_compiler()
    if command.compiles and len(command.sources) != 1:
        warn(f"bisheng (emulated): error: one source at a time, not {len(command.sources)}\n")
        return 1
    output = (command.output or Path("a.out")).absolute()
    own = [path for _, path in command.includes if path.is_dir() and not _theirs(path, library)]
    flags: list[str] = [f"-I{INCLUDE}"]
    sources: list[str] = []
    made: Emulation | None = None
    for source in command.sources:
        if source not in command.kernels:
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
        name = command.output or Path(f"{command.sources[0].stem}.o")
        return run([*cxx, *flags, *command.host, "-c", *sources, "-o", str(name)])
    linked = [f"-L{library.parent}", "-lascendcl"]
    return run([*cxx, *flags, *sources, *command.host, *linked, "-o", str(output)])


def _theirs(folder: Path, library: Path) -> bool:
    return is_installed(folder, (INCLUDE, library.parent.parent))


def _options(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Options with their values, without those of the device's compiler."""
    words = iter(argv)
    for word in words:
        short = next((option for option in _VALUED if word.startswith(option)), "")
        value = (word[len(short) :] or next(words, "")) if short else ""
        if word in _DROPPED_PAIRS:
            next(words, "")
        elif short == "-x" or word == "--x":
            value = value or next(words, "")
            yield "-x", value if value in ("asc", "cce") else ""
        elif word == "-o":
            yield word, next(words, "a.out")
        elif not word.startswith(_DROPPED):
            yield short or word, value
