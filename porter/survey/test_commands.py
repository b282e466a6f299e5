"""How a repository's authors run its tests: read from CI, tox, nox, make, pyproject and README."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# In the order in which they are believed: what a machine runs comes before what a person reads.
SOURCES = (
    (".github/workflows/*.y*ml", ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml"),
    ("azure-pipelines.yml", ".buildkite/*.yml", ".ci/*.sh", "ci/*.sh", ".github/scripts/*.sh"),
    ("tox.ini", "noxfile.py"),
    ("Makefile", "makefile", "justfile", "run_tests.sh", "scripts/*test*.sh"),
    ("pyproject.toml",),
    ("README*", "CONTRIBUTING*"),
)
LARGEST = 400_000  # bytes of a file that is read
_RUNNERS = r"(?:(?:uv|poetry|pdm|hatch|pipenv) run +(?:--?\S+ +)*|xvfb-run +(?:-\S+ +)*)*"
_COMMAND = re.compile(
    # what stands before it in YAML, INI, TOML, a recipe of make, or a page
    r"^[\s>*@$-]*+(?:[\w-]+\s*[:=]\s*)?[\s|>\[({\"'`$-]*+"
    r"(?P<environment>(?:[A-Za-z_]\w*=(?:'[^']*'|\"[^\"]*\"|[^\s'\"]*) +)*)" + _RUNNERS +
    r"(?:coverage run +(?:--?(?!m\b)\S+ +)*)?"
    r"(?P<module>(?:python[\d.]* +(?:-(?!m\b)\S+ +)*)?-m +(?:coverage run +(?:-\S+ +)*?-m +)?)?"
    r"(?P<tool>pytest|py\.test|unittest)(?=[\s\"'`]|$)(?P<rest>.*)"
)  # fmt: skip
_OF_NOX = re.compile(r"""\bsession\.run\(((?:\s*["'][^"']*["']\s*,?)+)""")
_POSITIONALS = re.compile(r"\{posargs:?([^}]*)\}")  # tox: with what is given by default
_FOLDER = re.compile(r"^[ \t]*+(?:-[ \t]*+)?working-directory:\s*([\w./-]+)\s*$", re.MULTILINE)
_BLOCKS = re.compile(r"^\s*$|^(?=\s*- )", re.MULTILINE)
_INSTALLED = re.compile(r"\bpip3?\s+install\s+((?:'[^'\n]*'|\"[^\"\n]*\"|[^#|>&;\n'\"])*)")
# Variables by which porter, pytest and the interpreter itself are steered.
_OF_THE_RUN = re.compile(r"PORTER_|PYTEST_|LD_|PYTHON(?!PATH\b)")
_WITH_VALUE = ("-m", "-k", "-o", "-p", "-n", "-r", "-W", "-c", "--ignore", "--deselect")
_KEPT = ("--ignore", "--ignore-glob", "--deselect", "--import-mode", "--confcutdir")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that runs tests: paths and folder are from the root."""

    source: str  # the file that has it
    folder: str = ""  # where it runs
    on_path: bool = False  # Python imports from that folder, too
    paths: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)


def commands(root: Path) -> tuple[Command, ...]:
    """The commands of pytest and unittest, of the first kind of file that has any; without those
    whose paths are not in the tree."""
    for patterns in SOURCES:
        paths = sorted({path for pattern in patterns for path in root.glob(pattern)})
        found = [command for path in paths for command in _read_file(root, path)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def find_installed(root: Path) -> tuple[str, ...]:
    """The requirements that CI installs by name, and those of tox's environments."""
    paths = sorted(path for pattern in (*SOURCES[0], *SOURCES[1]) for path in root.glob(pattern))
    lines = (m[1] for path in paths for m in _INSTALLED.finditer(_text(path)))
    words = [word for line in lines for word in _words(line)]
    in_deps = False
    for line in _text(root / "tox.ini").splitlines():
        key, given, value = line.partition("=")
        if given and not line[:1].isspace():
            in_deps, line = key.strip() == "deps", value
        if in_deps and line.strip():
            words.append(line.rpartition(": ")[2].strip())
    return tuple(word for word in words if re.match(r"[A-Za-z][\w.-]*(?:[<>=!~\[][^$]*)?\Z", word))


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST).replace("\\\n", " ")
    except OSError:
        return ""


def _read_file(root: Path, path: Path) -> Iterator[Command]:
    source = path.relative_to(root).as_posix()
    text = _POSITIONALS.sub(r"\1", _text(path))
    if path.name == "noxfile.py":
        text = "\n\n".join(" ".join(re.findall(r"[\"']([^\"']*)[\"']", words))
                           for words in _OF_NOX.findall(text))  # fmt: skip
    for block in _BLOCKS.split(text):
        said = _FOLDER.search(block)
        folder = posixpath.normpath(said[1]) if said else "."
        for part in re.split(r"\n|&&|;", block):
            words = part.strip(" \t|>*-$`").split()
            if words[:1] == ["cd"] and len(words) == 2:
                folder = posixpath.normpath(posixpath.join(folder, words[1]))
            elif found := _COMMAND.match(part):
                command = _read(root, source, folder, found)
                if command is not None:
                    yield command


def _read(root: Path, source: str, folder: str, found: re.Match[str]) -> Command | None:
    """A command; None where it cannot be read or its paths are not there."""
    at = root / folder
    if folder.startswith(("..", "/")) or not at.is_dir():
        return None
    words = _words(re.split(r"[`|>#]|\s2>", found["rest"])[0])
    assigned = _words(found["environment"])
    given = [word for word in words if "$" not in word and "{" not in word]
    unittest = found["tool"] == "unittest"
    paths, options = _split_unittest_words(at, given) if unittest else _split_pytest_words(given)
    there = [p for word in paths for p in _paths(root, at, word)]
    if not there and paths:
        return None
    variables = (item.partition("=") for item in assigned if "$" not in item)
    own = ((name, value) for name, _, value in variables if not _OF_THE_RUN.match(name))
    return Command(
        source=source,
        folder="" if folder == "." else folder,
        on_path=unittest or bool(found["module"]),
        paths=tuple(there),
        options=tuple(options),
        environment=dict(own),
    )


def _words(text: str) -> list[str]:
    """The words of a shell, of a line that may end with quotes and brackets of its file."""
    for line in (text, text.rstrip(" \"'],")):
        try:
            return shlex.split(line)
        except ValueError:
            continue
    return []


def _paths(root: Path, at: Path, word: str) -> Iterator[str]:
    """The paths in the tree that a word names, from the root."""
    name, colons, selection = word.partition("::")
    parts = name.split("/")
    if not name or name.startswith("/") or ".." in parts or parts.count("**") > 1:
        return
    try:
        found = sorted(at.glob(name)) if "*" in name else [at / name]
    except ValueError:  # a pattern that is none
        return
    for path in found:
        if path.exists():
            yield path.relative_to(root).as_posix() + colons + selection


def _split_pytest_words(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Paths, and the options that choose tests; not those of reports, coverage and processes."""
    paths: list[str] = []
    options: list[str] = []
    rest = iter(words)
    for word in rest:
        name, given, value = word.partition("=")
        if name in _WITH_VALUE and not given:
            value = next(rest, "")
        if name in _KEPT or (name in ("-m", "-k") and value.startswith("not ")):
            options += [f"{name}={value}"] if name.startswith("--") else [name, value]
        elif not word.startswith("-"):
            paths.append(word)
    return paths, options


def _split_unittest_words(at: Path, words: list[str]) -> tuple[list[str], list[str]]:
    """Files of the modules, or those that discovery finds; no options."""
    values: dict[str, str] = {}
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        name, given, value = word.partition("=")
        if name in ("-s", "--start-directory", "-p", "--pattern", "-t", "--top-level-directory"):
            values[name.lstrip("-")[0]] = value if given else next(rest, "")
        elif not word.startswith("-"):
            names.append(word)
    if names[:1] == ["discover"] or not names:
        start, *pattern = [*names[1:], values.get("s", ".")]
        pattern = [p for p in pattern if p != values.get("s", ".")] or [values.get("p", "test*.py")]
        return [posixpath.join(start, "**", pattern[0])], []
    files = (name if name.endswith(".py") else _module(at, name) for name in names)
    return [file for file in files if file], []


def _module(at: Path, name: str) -> str | None:
    """The file or folder that a dotted name is of, which may go on into a class."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = "/".join(parts[:count])
        if (at / f"{path}.py").is_file():
            return f"{path}.py"
        if (at / path).is_dir():
            return path
    return None
