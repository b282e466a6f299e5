"""A compiler that reuses an object when the preprocessed input and the flags agree, and makes no
debug information for a plain `-g`.

Called as `python -I -S cached_compiler.py STORES PREFIXES COMPILER ARGUMENTS...`; STORES are
folders joined by ':', all of which are read and the first of which is written; PREFIXES are
folders, joined likewise, whose own paths must not count (the tree, the environment). Anything it
does not fully understand goes to the real compiler untouched, and so does any trouble of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator

VERSION = b"1"
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu")
HEADERS = (
    ".h",
    ".hh",
    ".hpp",
    ".hxx",
    ".cuh",
    ".inl",
    ".inc",
    ".ipp",
    ".tpp",
    ".def",
    ".cu",
    ".hip",
)
# Modes in which the result is more, less or other than one object made of one source.
NEVER = {
    "-E",
    "-S",
    "-M",
    "-MM",
    "-",
    "-fsyntax-only",
    "--coverage",
    "-save-temps",
    "-dc",
    "-rdc=true",
}
NEVER_PREFIX = ("@", "-fprofile", "-save-temps", "--keep", "-fdump", "-fmodule", "-ftest-coverage")
WITH_VALUE = {"-o", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-D", "-U", "-x"}
WITH_VALUE |= {
    "-MF",
    "-MT",
    "-MQ",
    "-imacros",
    "-Xcompiler",
    "-ccbin",
    "-gencode",
    "-arch",
    "-isysroot",
}
WITH_VALUE |= {"--dependency-output", "--param", "-Xptxas", "-Xcudafe", "-code", "-Xpreprocessor"}
# Flags that act on the preprocessor only: their effect is in its output.
PREPROCESSOR = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U"}
OUTPUTS = {"-o", "-MF", "-MT", "-MQ", "-MD", "-MMD", "-MP", "-c", "--dependency-output"}
OUTPUTS |= {"--generate-dependencies-with-compile"}


Pair = tuple[str, "str | None"]  # a flag and its value, if it has one


class Unclear(Exception):
    """Not a call that can be cached."""


def split(arguments: list[str]) -> list[Pair]:
    """Arguments as (flag, value) pairs; a joined value (`-Ifolder`) is split off."""
    pairs: list[Pair] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in NEVER or argument.startswith(NEVER_PREFIX):
            raise Unclear(argument)
        if argument in WITH_VALUE:
            pairs.append((argument, next(rest, "")))
        elif argument[:2] in ("-I", "-D", "-U", "-o") and len(argument) > 2:
            pairs.append((argument[:2], argument[2:]))
        else:
            pairs.append((argument, None))
    return pairs


def flatten(pairs: Iterable[Pair]) -> list[str]:
    return [part for flag, value in pairs for part in (flag, value) if part is not None]


class Call:
    """One compilation: its source, output, flags."""

    def __init__(self, compiler: str, arguments: list[str], prefixes: list[str]) -> None:
        self.compiler, self.prefixes = compiler, prefixes
        self.marks = [
            (os.fsencode(p) + b"/", b"<%d>/" % n if n else b"./") for n, p in enumerate(prefixes)
        ]
        self.pairs = split(arguments)
        flags = [flag for flag, value in self.pairs if value is None]
        sources = [f for f in flags if not f.startswith("-") and f.endswith(SOURCES)]
        others = [f for f in flags if not f.startswith("-") and f not in sources]
        outputs = [value or "" for flag, value in self.pairs if flag == "-o"]
        if "-c" not in flags or len(sources) != 1 or len(outputs) != 1 or others:
            raise Unclear("not one source to one object")
        self.source, self.output = sources[0], outputs[0]
        self.nvcc = "nvcc" in os.path.basename(compiler)
        if not self.nvcc:  # Python's own flags have it; of a framework's headers it takes a third
            self.pairs = [pair for pair in self.pairs if pair[0] != "-g"]
        if self.nvcc and not self.source.endswith(".cu"):
            raise Unclear("not a CUDA source")

    def map_prefixes(self, text: bytes) -> bytes:
        for prefix, mark in self.marks:
            text = text.replace(prefix, mark)
        return text

    def maps(self) -> list[str]:
        flags = [
            f"-ffile-prefix-map={p}={'.' if n == 0 else n}" for n, p in enumerate(self.prefixes)
        ]
        return [part for flag in flags for part in ("-Xcompiler", flag)] if self.nvcc else flags

    def identity(self) -> str:
        """The compiler's own file: a new version is another file."""
        path = os.path.realpath(shutil.which(self.compiler) or self.compiler)
        found = os.stat(path)
        return f"{path} {found.st_size} {found.st_mtime_ns}"

    def flags(self) -> list[bytes]:
        """The flags that matter beyond the input."""
        skipped = OUTPUTS if self.nvcc else OUTPUTS | PREPROCESSOR
        kept = [pair for pair in self.pairs if pair[0] not in skipped and pair[0] != self.source]
        parts = [*flatten(kept), os.path.splitext(self.source)[1]]
        return [self.map_prefixes(os.fsencode(part)) for part in parts]


def preprocess(call: Call) -> bytes:
    """What the compiler proper will see, with line markers free of the prefixes."""
    pairs = [p for p in call.pairs if p[0] not in ("-c", "-o")]
    present = {flag for flag, _ in pairs}
    if present & {"-MD", "-MMD"}:  # the preprocessor writes the dependency file, on a hit too
        if not present & {"-MT", "-MQ"}:
            pairs.append(("-MT", call.output))
        if "-MF" not in present:
            pairs.append(("-MF", os.path.splitext(call.output)[0] + ".d"))
    text = output_of([call.compiler, *flatten(pairs), *call.maps(), "-E"])
    if b".incbin" in text or b"#embed" in text:
        raise Unclear("input that the preprocessor does not show")
    return re.sub(rb'(?m)^# \d+ ".*$', lambda found: call.map_prefixes(found[0]), text)


def inputs(call: Call) -> bytes:
    """For nvcc, whose preprocessor shows one pass of several: every file that any pass may read."""
    pairs = [
        p for p in call.pairs if p[0] not in OUTPUTS and p[0] not in ("-gencode", "-arch", "-code")
    ]
    listed = output_of([call.compiler, *flatten(pairs), "-M"]).decode()
    _, _, names = listed.replace("\\\n", " ").partition(" : ")
    if not names.strip():
        raise Unclear("no dependencies")
    read = sorted({os.path.normpath(name.replace("\\ ", " ")) for name in names.split()})
    write_dependencies(call, read)
    root = call.prefixes[0] + "/"
    lines = []
    for path in sorted({*read, *headers_below(call)}):
        full = os.path.abspath(path)
        if full.startswith(root):
            state = digest(full)
        else:
            found = os.stat(full)
            state = f"{found.st_size} {found.st_mtime_ns}"
        lines.append(call.map_prefixes(os.fsencode(full)) + f" {state}".encode())
    return b"\n".join(lines)


def headers_below(call: Call) -> Iterator[str]:
    """Headers of the tree that an include folder leads to: code for one architecture only may
    include what the host pass does not."""
    folders = [os.path.dirname(os.path.abspath(call.source))]
    folders += [os.path.abspath(v) for f, v in call.pairs if f in ("-I", "-isystem") and v]
    for folder in {f for f in folders if (f + "/").startswith(call.prefixes[0] + "/")}:
        for here, below, names in os.walk(folder):
            below[:] = [name for name in below if name not in (".git", "build")]
            yield from (os.path.join(here, name) for name in names if name.endswith(HEADERS))


def write_dependencies(call: Call, read: list[str]) -> None:
    for flag, value in call.pairs:
        if flag in ("--dependency-output", "-MF"):
            with open(value or "", "w") as file:
                file.write(f"{call.output} : " + " \\\n ".join(read) + "\n")


def digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def output_of(argv: list[str]) -> bytes:
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode:
        raise Unclear("the preprocessor fails: the compiler will say why")
    return done.stdout


def key_of(call: Call) -> str:
    seen = inputs(call) if call.nvcc else preprocess(call)
    parts = [VERSION, call.identity().encode(), b"\0".join(call.flags()), seen]
    return hashlib.sha256(b"\0\0".join(parts)).hexdigest()


def reuse(call: Call, entry: str) -> None:
    """Put a stored object in place and say again what the compiler said of it."""
    with open(os.path.join(entry, "said"), encoding="utf-8", errors="surrogateescape") as file:
        said = file.read()
    temporary = f"{call.output}.{os.getpid()}"
    shutil.copyfile(os.path.join(entry, "object"), temporary)
    os.replace(temporary, call.output)
    sys.stderr.write(said.replace("<tree>", call.prefixes[0]))


def compile_and_keep(call: Call, entry: str) -> int:
    argv = [call.compiler, *flatten(call.pairs), *call.maps()]
    done = subprocess.run(argv, stderr=subprocess.PIPE)
    said = done.stderr.decode("utf-8", "surrogateescape")
    sys.stderr.write(said)
    if done.returncode == 0 and os.path.isfile(call.output):
        with contextlib.suppress(OSError):  # a full disk, or another process was first
            keep(call, entry, said)
    return done.returncode


def keep(call: Call, entry: str, said: str) -> None:
    os.makedirs(os.path.dirname(entry), exist_ok=True)
    folder = tempfile.mkdtemp(dir=os.path.dirname(entry), prefix="new-")
    try:
        shutil.copyfile(call.output, os.path.join(folder, "object"))
        with open(
            os.path.join(folder, "said"), "w", encoding="utf-8", errors="surrogateescape"
        ) as file:
            file.write(said.replace(call.prefixes[0], "<tree>"))
        os.rename(folder, entry)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    stores, prefixes, compiler, *arguments = sys.argv[1:]
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        call = Call(compiler, arguments, prefixes.split(":"))
        key = key_of(call)
        entries = [os.path.join(store, key[:2], key) for store in stores.split(":")]
        for entry in entries:
            if os.path.isfile(os.path.join(entry, "said")):
                reuse(call, entry)
                return 0
    except (Unclear, OSError, UnicodeError, ValueError):
        os.execvp(compiler, [compiler, *arguments])
    return compile_and_keep(call, entries[0])


if __name__ == "__main__":
    sys.exit(main())
