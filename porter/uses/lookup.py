"""The torch names a repository uses, and which of them a target lacks or changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from porter import targets
from porter.languages.cmake import Document as CMakeDocument
from porter.languages.cpp import Kind, Token, Unit
from porter.languages.cython import Document as CythonDocument
from porter.languages.python import Module, Unreadable
from porter.languages.read import Document, read
from porter.languages.toml import Document as TomlDocument
from porter.model import (
    Fact,
    Given,
    Language,
    Missing,
    Role,
    SourceFile,
    State,
    Surface,
    Symbol,
    Use,
    When,
)
from porter.surface.arguments import Holds, holds
from porter.surface.facts import BY_FORM, has_refused
from porter.surface.load import load_torch
from porter.surface.names import Known, cpp_state, declares, python_state
from porter.uses.anything import ANYTHING
from porter.uses.in_python import is_torch, use_at, uses_in_python

CPP_ROOTS = frozenset({"at", "c10", "torch"})
OWN = "own "  # before a C++ namespace, class or function that a file has inside one of torch's
HEADER = re.compile(r"(?:torch|ATen|c10|caffe2)/")
VERSION = re.compile(r"TORCH_VERSION_(?:MAJOR|MINOR|PATCH)\Z")
MACRO = re.compile(r"(?:AT|TORCH|C10|CUDA_KERNEL)_[A-Z0-9_]+\Z")
FORM = re.compile(
    r"(?P<name>.+)\((?:(?P<keyword>\w+)=|(?P<count>\d+) by position|(?P<dtype>a dtype))\)\Z"
)
ELSEWHERE = (*BY_FORM, When.ELSEWHERE, When.MEASURED)  # not of every use
SOMETIMES = (When.TRUTH, When.GATE, When.DTYPE)
TENSOR = "Tensor"
BESIDE = ("const", "&", "&&")  # between the type and the name
AFTER = ("=", ";", ",", ")", "{", ":")  # what follows a variable or a parameter that is declared
FACTORIES = frozenset(
    f"{name}{like}"
    for name in ("empty", "zeros", "ones", "full", "rand", "randn")
    for like in ("", "_like")
) | {"arange", "cat", "eye", "from_blob", "stack", "tensor", "where"}
CMAKE_VARIABLE = re.compile(  # what torch's package sets
    r"\$\{(TORCH_(?:CXX_FLAGS|FOUND|INCLUDE_DIRS|INSTALL_PREFIX|LIBRARIES|LIBRARY|PYTHON_LIBRARY)"
    r"|Torch_(?:DIR|FOUND|VERSION)|C10_(?:CUDA_)?LIBRARY)\}"
)


def uses(files: Iterable[tuple[SourceFile, bytes]]) -> Iterator[Use]:
    """Every torch name in files, in their order; a file that cannot be parsed gives none."""
    for file, data in files:
        if b"orch" not in data and b"at::" not in data and b"c10" not in data:
            continue
        try:
            document = read(data, file.path, file.language)
        except Unreadable:  # the scan says so
            continue
        yield from uses_in(document, file)


def uses_in(
    document: Document, file: SourceFile, reads: Callable[[str], bool] = lambda name: True
) -> Iterator[Use]:
    """Every torch name in one parsed file, with what is seen of the use where `reads` says so of
    the name. The name of a call with `k=` is also given as
    `name(k=)`, one with n arguments by position as `name(n by position)`, and one whose first
    argument is a dtype as `name(a dtype)`. An attribute of torch's of what may be something else
    is given as `?.name`."""
    if isinstance(document, Module):
        yield from uses_in_python(document, file, reads)
    elif isinstance(document, Unit):
        yield from _uses_in_cpp(document, file)
    elif isinstance(document, CythonDocument):
        yield from _uses_in_cython(document, file)
    elif isinstance(document, CMakeDocument):
        yield from _uses_in_cmake(document, file)
    elif isinstance(document, TomlDocument):
        for requirement in document.requirements_on("torch"):
            line, column = document.position(requirement.span.start)
            yield use_at("torch", file, line, column)


def _uses_in_cython(document: CythonDocument, file: SourceFile) -> Iterator[Use]:
    """Python names, as it is Python's modules that Cython imports."""
    for name in document.names:
        if is_torch(name.qualified):
            line, column = document.position(name.start)
            yield Use(name.qualified, Language.PYTHON, file.path, line, column, file.role)


def _uses_in_cpp(unit: Unit, file: SourceFile) -> Iterator[Use]:
    tokens = unit.tokens
    for header, token in unit.includes:
        if HEADER.match(header):
            yield use_at(f"<{header}>", file, *unit.position(token.span.start))
    for name, first, _ in unit.full_names():
        root = name.partition("::")[0]
        previous = tokens[first - 1].text if first else ""
        if root in CPP_ROOTS and previous not in ("namespace", ".", "->"):
            yield use_at(name, file, *unit.position(tokens[first].span.start))
    macros = load_torch().cpp
    yield from _own_names(unit, file, macros)
    for name, index in tensor_members(unit):
        if f"at::Tensor::{name}" in macros:
            yield use_at(f"at::Tensor::{name}", file, *unit.position(tokens[index].span.start))
    own = {tokens[k + 1].text for k in unit.find("#define") if k + 1 < len(tokens)}
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME or not MACRO.match(token.text) or token.text in own:
            continue
        before = [t.text for t in tokens[max(0, index - 2) : index]]
        asked = before[-1:] in (["#ifdef"], ["#ifndef"], ["#undef"]) or "defined" in before
        if (token.text in macros or VERSION.match(token.text)) and not asked:
            yield use_at(token.text, file, *unit.position(token.span.start))
        if token.text == "TORCH_LIBRARY_IMPL" and not asked:
            yield from _key(unit, index, file)


def _own_names(unit: Unit, file: SourceFile, torch: Mapping[str, Symbol]) -> Iterator[Use]:
    """What a file defines in torch's namespaces beside what torch has there. A function that is
    only declared may be one of torch's."""
    if not any(True for root in CPP_ROOTS for _ in unit.find("namespace", root)):
        return
    code = unit.code
    names = [*code.classes, *(f.full_name for f in code.functions)]
    names += [f.scope for f in code.declared]
    seen: set[str] = set()
    for name in names:
        words = name.split("::")
        outer = ("::".join(words[:count]) for count in range(2, len(words) + 1))
        own = next((each for each in outer if not declares(each, torch)), "")
        if words[0] in CPP_ROOTS and own and own not in seen:
            seen.add(own)
            yield use_at(f"{OWN}{own}", file, 1, 1)


def _key(unit: Unit, index: int, file: SourceFile) -> Iterator[Use]:
    """The dispatch key a registration block names."""
    tokens = unit.tokens
    if index + 1 >= len(tokens) or tokens[index + 1].text != "(":
        return
    found = unit.arguments(index + 1)
    if found is not None and len(found[0]) == 3 and found[0][1][0] == found[0][1][1]:
        key = tokens[found[0][1][0]]
        yield use_at(f"c10::DispatchKey::{key.text}", file, *unit.position(key.span.start))


def _uses_in_cmake(document: CMakeDocument, file: SourceFile) -> Iterator[Use]:
    for command in document.commands:
        if command.name == "find_package" and command.arguments[:1]:
            argument = command.arguments[0]
            if argument.value in ("Torch", "Caffe2"):
                name = f"find_package({argument.value})"
                yield use_at(name, file, *document.position(command.name_span.start))
        for argument in command.arguments:
            for match in CMAKE_VARIABLE.finditer(argument.value):
                yield use_at(match.group(1), file, *document.position(argument.span.start))


def find_missing(uses: Iterable[Use], surface: Surface, torch: Surface) -> tuple[Missing, ...]:
    """The names in use that the target lacks or changes, most used first.

    Uses in vendored files do not count, nor those of which nobody sees whether what is otherwise
    concerns them. A name that is there and rejects some forms of call is listed with those only.
    """
    counts: Counter[tuple[Language, str, Given | None]] = Counter()
    own: set[str] = set()
    for use in uses:
        if use.name.startswith(OWN):
            own.add(use.name.removeprefix(OWN))
        elif use.role is not Role.VENDORED and not use.name.startswith(ANYTHING):
            counts[use.language, use.name, use.given] += 1
    totals: Counter[tuple[Language, str, State]] = Counter()
    facts: dict[tuple[Language, str, State], dict[Fact, None]] = {}
    for (language, name, put), count in counts.items():
        if any(f"{name}::".startswith(f"{each}::") for each in own):
            continue
        known = state(name, language, surface, torch, put)
        if known is not None and known.state is not State.PRESENT:
            key = (language, known.name, known.state)
            totals[key] += count
            facts.setdefault(key, {}).update(dict.fromkeys(known.facts))
    found = [
        Missing(name=name, language=language, uses=count, state=of, facts=tuple(facts[key]))
        for key, count in totals.items()
        for language, name, of in (key,)
    ]
    return tuple(sorted(found, key=lambda m: (-m.uses, m.language, m.name)))


def select_relevant(surface: Surface, uses: Iterable[Use]) -> Surface:
    """The surface without the facts that need another name, which the repository does not use."""
    used = {use.name for use in uses}
    python = {
        name: replace(symbol, facts=kept)
        for name, symbol in surface.python.items()
        if len(kept := tuple(f for f in symbol.facts if not f.beside or used & {*f.beside}))
        < len(symbol.facts)
    }
    return replace(surface, python={**surface.python, **python}) if python else surface


def present(uses: Iterable[Use], surface: Surface, torch: Surface) -> tuple[str, ...]:
    """The C++ names in use, vendored files apart, that the target has as torch has them."""
    names = {u.name for u in uses if u.language is Language.CPP and u.role is not Role.VENDORED}
    known = (cpp_state(name, surface, torch) for name in names)
    return tuple(sorted({k.name for k in known if k is not None and k.state is State.PRESENT}))


def state(
    name: str, language: Language, surface: Surface, torch: Surface, given: Given | None = None
) -> Known | None:
    """What a target has for a name as `uses` gives it; None where it is not torch's."""
    match language:
        case Language.PYTHON:
            return _python_state(name, surface, torch, given)
        case Language.CPP:
            return cpp_state(name, surface, torch)
        case Language.CMAKE:
            package = surface.python.get("find_package(Torch)")
            said = package.facts if package is not None else ()
            return Known(name, State.MISSING, said) if said else None
        case _:
            return None


def _python_state(name: str, surface: Surface, torch: Surface, given: Given | None) -> Known:
    form = FORM.match(name)
    known = python_state(form["name"] if form else name, surface, torch)
    refused = form is None and has_refused(surface.python.get(known.name), given)

    def is_told(fact: Fact) -> bool:
        if refused and fact.when is When.CALL:
            return False
        if meets(fact, form) if form else fact.when not in ELSEWHERE:
            depends = not fact.where and fact.when in (When.SOME_USES, *SOMETIMES)
            return depends or holds(fact, given, torch.python.get(known.name)) is Holds.YES
        return False

    facts = tuple(filter(is_told, known.facts))
    if form is None:
        gone = known.state is State.DIFFERENT and not facts
        return Known(known.name, State.PRESENT if gone else known.state, facts)
    if known.state not in (State.PRESENT, State.DIFFERENT):
        return Known(known.name, State.PRESENT)  # counted once, without its form
    shown = f"{known.name}({facts[0].sentence})" if facts and not form["keyword"] else name
    return Known(shown, State.DIFFERENT if facts else State.PRESENT, facts)


def meets(fact: Fact, form: re.Match[str]) -> bool:
    """Whether a fact holds of calls in this form: with a keyword, with so many arguments by
    position, with a dtype as the first."""
    asked = fact.condition
    if form["count"]:
        return asked.when is When.POSITION and int(form["count"]) >= asked.count
    if form["dtype"]:
        return asked.when is When.DTYPE
    return asked.when is When.KEYWORD and asked.words[0] == form["keyword"]


@cache
def _namespaces() -> frozenset[str]:
    return frozenset(name for f in targets.frameworks() for name in f.tensor_namespaces)


def tensor_members(unit: Unit) -> Iterator[tuple[str, int]]:
    """(member, index of its token) for each call of a member on a variable that the file declares
    as a tensor, and as nothing else."""
    tensors, others = _find_declared(unit.tokens)
    tokens = unit.tokens
    for index in unit.places("."):
        around = tokens[index - 2 : index + 3]
        if index < 2 or len(around) < 5 or around[3].kind is not Kind.NAME:
            continue
        known = around[1].text in tensors - others and around[0].text not in (".", "->", "::")
        if known and around[4].text in ("(", "<"):
            yield around[3].text, index + 1


def _find_declared(tokens: Sequence[Token]) -> tuple[set[str], set[str]]:
    """The variables declared as tensors, and those declared with another type."""
    tensors: set[str] = set()
    others: set[str] = set()
    plain = _means_torchs(tokens)
    for index, token in enumerate(tokens[:-1]):
        if token.kind is not Kind.NAME or tokens[index + 1].text not in AFTER or not index:
            continue
        before = index - 1
        while before > 0 and tokens[before].text in BESIDE:
            before -= 1
        kind = tokens[before].text
        if (kind == TENSOR and _is_torchs(tokens, before, plain)) or (
            kind == "auto" and _is_factory(tokens[index + 1 : index + 5])
        ):
            tensors.add(token.text)
        elif _is_type(tokens[before]):
            others.add(token.text)
    return tensors, others


def _means_torchs(tokens: Sequence[Token]) -> bool:
    """Whether `Tensor` alone may be torch's: unless the file uses another library's namespace."""
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    used = {c.text if b.text == "namespace" else b.text for a, b, c in triples if a.text == "using"}
    return not used or bool(used & _namespaces()) or used <= {"std"}


def _is_torchs(tokens: Sequence[Token], at: int, plain: bool) -> bool:
    if tokens[at - 1].text != "::":
        return plain
    return tokens[at - 2].text in _namespaces()


def _is_type(token: Token) -> bool:
    words = ("return", "auto", "else", "case")
    return token.text in (">", "*") or (token.kind is Kind.NAME and token.text not in words)


def _is_factory(tokens: Sequence[Token]) -> bool:
    """Whether this begins `= at::empty`."""
    words = [token.text for token in tokens]
    begins = words[:1] == ["="] and words[1] in _namespaces() and words[2] == "::"
    return begins and words[3] in FACTORIES
