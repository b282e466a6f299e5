"""What documents show of torch and the target has not: in code blocks of Markdown and reST."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter import targets
from porter.languages import python
from porter.model import Crash, Language, Mention, Role, SourceFile, State, Surface
from porter.uses.lookup import state, uses_in

PYTHON = frozenset({"python", "python3", "py", "ipython", "ipython3", "pycon", "testcode"})
SHELL = frozenset({"bash", "sh", "shell", "console", "zsh", "shell-session"})
_FENCE = re.compile(
    r"[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?:\{code(?:-block)?\}[ \t]*|\{?\.?)(?P<word>[\w-]*)"
)
_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*)\.\. +(?:code(?:-block)?|sourcecode|testcode|doctest)::"
    r"[ \t]*(?P<word>[\w-]*)"
)
_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.)(?: |$)")
_LONGEST = 2_000  # characters of a line that a person wrote
_OPTION = re.compile(r"[ \t]+:[\w-]+:")
_INSTALLS = re.compile(
    r"\b(?:pip3?|conda|mamba|uv)\b.*\binstall\b.*?[ \"']torch(?=[\s\[=<>~!\"']|$)"
)
_TORCH = re.compile(r"\btorch\b")
_RUNS = re.compile(r"(?:^|\s)(torchrun|python3? -m torch\.[\w.]+|python3? -c .*\btorch\b)")


@dataclass(frozen=True, slots=True)
class Block:
    """A code block: what it is in, and its lines with their numbers from 1."""

    language: str
    lines: tuple[tuple[int, str], ...]


def look(
    root: Path,
    paths: Iterable[str],
    packages: Iterable[str],
    surface: Surface,
    torch: Surface,
    prelude: str,
    *,
    enabling: bool = False,
) -> tuple[tuple[Mention, ...], tuple[Crash, ...]]:
    """The uses of torch, or of the project's `packages`, in documents that need the target's
    proxy, which `prelude` enables, or that mean something else there, in their order. Where the
    packages are `enabling` it themselves, a block that only imports them needs nothing."""
    found: list[Mention] = []
    crashes: list[Crash] = []
    names = "|".join(map(re.escape, sorted({"torch", *packages})))
    imports = re.compile(rf"[ \t]*(?:import|from)[ \t]+(?:{names})\b")
    for path in paths:
        try:
            data = (root / path).read_bytes()
        except OSError:
            continue
        text = data.decode("utf-8", "replace")
        try:
            needs = _TORCH if enabling else imports
            found += _find_in_text(path, text, surface, torch, prelude, (imports, needs))
        except Exception as error:  # crash boundary: a document
            crashes.append(Crash(path, "documents", f"{type(error).__name__}: {error}"))
    return tuple(found), tuple(crashes)


def blocks(text: str, *, rest: bool) -> Iterator[Block]:
    """The code blocks of a text in Markdown, or in reST, and lines with Python's prompts
    elsewhere."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    at = 0
    prompts: list[tuple[int, str]] = []
    while at < len(lines):
        fence = None if rest else _FENCE.match(lines[at][1])
        directive = _DIRECTIVE.match(lines[at][1]) if rest else None
        first = at + 1
        if fence:
            at = _closing(lines, first, fence["fence"])
            yield Block(fence["word"].lower(), tuple(lines[first:at]))
        elif directive:
            at = _find_dedent(lines, first, len(directive["indent"]))
            inside = (each for each in lines[first:at] if not _OPTION.match(each[1]))
            yield Block(directive["word"].lower() or "python", tuple(inside))
            continue
        elif _PROMPT.match(lines[at][1]):
            prompts.append(lines[at])
        at += 1
    if prompts:
        yield Block("pycon", tuple(prompts))


def _closing(lines: list[tuple[int, str]], at: int, fence: str) -> int:
    ends = ((k, lines[k][1].strip()) for k in range(at, len(lines)))
    return next((k for k, e in ends if e.startswith(fence) and not e.strip(fence[0])), len(lines))


def _find_dedent(lines: list[tuple[int, str]], at: int, indent: int) -> int:
    """The first line with text that stands no further in than this."""
    while at < len(lines):
        text = lines[at][1].expandtabs()
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        at += 1
    return at


@cache
def _enabling_calls() -> frozenset[str]:
    """Calls that enable a proxy."""
    return frozenset(proxy.enable.rpartition(".")[2] for proxy in targets.proxies())


def _find_in_text(
    path: str,
    text: str,
    surface: Surface,
    torch: Surface,
    prelude: str,
    patterns: tuple[re.Pattern[str], re.Pattern[str]],
) -> Iterator[Mention]:
    imports, needs = patterns
    code = [""] * (text.count("\n") + 1)  # the Python of the document, at its lines
    found: list[Mention] = []
    enabled = False
    for block in blocks(text, rest=path.endswith(".rst")):
        lines = _python(block)
        for number, line in lines:
            code[number - 1] = line
        enabled = enabled or any(e in line for _, line in lines for e in _enabling_calls())
        first = next((n for n, line in lines if imports.match(line)), None)
        needed = any(needs.search(line) for _, line in lines)
        if prelude and first is not None and needed and not enabled:
            found.append(Mention(path, first, "torch", f"needs `{prelude}` before it"))
        if prelude:  # else torch is there
            found += _find_in_shell(path, block, surface.package, prelude)
    file = SourceFile(path, Language.PYTHON, Role.ENTRY, len(text))
    try:
        module = python.parse("\n".join(["", "", *code]).encode(), path)
    except python.Unreadable:  # blocks that parse alone and not after others
        return
    for use in uses_in(module, file):
        known = state(use.name, Language.PYTHON, surface, torch)
        if known is None or known.state not in (State.MISSING, State.DIFFERENT):
            continue
        lacks = f"{surface.package} {surface.version} lacks it"
        reason = known.facts[0].sentence if known.facts else lacks
        if known.state is State.MISSING:
            reason = lacks
        found.append(Mention(path, use.line - 2, known.name, reason))
    yield from sorted(dict.fromkeys(found), key=lambda m: (m.line, m.name))


def _python(block: Block) -> list[tuple[int, str]]:
    """The lines of a block that are Python, without prompts; none where they do not parse."""
    typed = [(n, _PROMPT.sub("", line, count=1)) for n, line in block.lines if _PROMPT.match(line)]
    lines = typed if typed else list(block.lines if block.language in PYTHON else ())
    if not lines:
        return []
    text = textwrap.dedent("\n".join(line for _, line in lines))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"\n{text}")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [(n, line) for (n, _), line in zip(lines, text.split("\n"), strict=True)]


def _find_in_shell(path: str, block: Block, package: str, prelude: str) -> Iterator[Mention]:
    if block.language in PYTHON:
        return
    for number, line in block.lines:
        typed = block.language in SHELL or line.lstrip().startswith("$ ")
        if not typed or len(line) > _LONGEST:
            continue
        if _INSTALLS.search(line):
            yield Mention(path, number, "torch", f"is installed: under {package} it is not needed")
        elif runs := _RUNS.search(line):
            name = runs[1] if runs[1] == "torchrun" else "torch"
            yield Mention(path, number, name, f"is run: under {package}, `{prelude}` comes first")
