"""What one C++ file has of a framework's plugin: modules, runners, registrations for graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porter.ascend.cpp_words import call_names, has_text, names_in, strings
from porter.ascend.file_pieces import Call, FilePieces, Made, Schema
from porter.ascend.names import Names
from porter.languages.cpp import Code, Kind
from porter.languages.cpp_tokens import Range
from porter.model import AscendModule, AscendPart, AscendPiece, AscendRoute


def add_modules(code: Code, names: Names, found: FilePieces) -> None:
    """The functions that PYBIND11_MODULE exposes, or a macro that hands them to one."""
    tokens = code.unit.tokens
    for index in code.unit.places("#define"):
        if index + 1 < len(tokens) and tokens[index + 1].text.endswith(names.registrations):
            found.registration = tokens[index + 1].text
    own = [
        at for text in code.index if text.endswith(names.registrations) for at in code.places(text)
    ]
    for index in sorted((*code.places("PYBIND11_MODULE"), *own)):
        arguments = code.arguments(index + 1) if has_text(code, index + 1, "(") else []
        brace = code.pairs.get(index + 1, -2) + 1
        whole = code.tokens[index].text == "PYBIND11_MODULE"
        if len(arguments) != 1 + whole or not has_text(code, brace, "{"):
            continue
        space = code.text(*arguments[0]) if whole else ""
        key = "pybind11" if whole else code.tokens[index].text
        schemas = [*_find_exposed(code, brace, space, key)]
        found.schemas += schemas
        if whole:
            module = AscendModule(found.path, code.line(index), space, bool(schemas))
            found.modules.append(module)


def _find_exposed(code: Code, brace: int, space: str, key: str) -> Iterator[Schema]:
    for at in range(brace, code.pairs.get(brace, brace)):
        method = code.tokens[at].text in ("def", "def_static") and has_text(code, at - 1, ".")
        if not method or not has_text(code, at + 1, "("):
            continue
        given = code.arguments(at + 1)
        text = strings(code, *given[0]) if given else ""
        if text and len(given) > 1 and not text.startswith("__"):
            uses, named = names_in(code, *given[1]), tuple(_arguments(code, given[2:]))
            yield Schema(space, text, code.line(at), text, key, uses, named)


def _arguments(code: Code, given: Iterable[Range]) -> Iterator[str]:
    """The names in `pybind11::arg("x")` and `pybind11::arg("y") = 1`."""
    for first, last in given:
        for at in range(first, last):
            if code.tokens[at].text == "arg" and has_text(code, at + 1, "("):
                default = "=" if code.pairs.get(at + 1, last) < last else ""
                yield strings(code, at + 2, at + 2) + default


def add_runners(code: Code, names: Names, found: FilePieces) -> None:
    """The runners that a file derives and makes, and what it registers for graphs."""
    if not names.runners:
        return
    for name, bases, index in _classes(code):
        known = (base for base in bases if base.endswith(names.runners) or base in found.runners)
        if base := next(known, ""):
            piece = AscendPiece(AscendPart.RUNNER, found.path, code.line(index), base)
            found.runners[name] = piece
    for at in code.places("make_shared"):
        end = code.skip_angles(at + 1) if has_text(code, at + 1, "<") else 0
        around = code.function_at(at)
        if end and around:
            name, line = code.tokens[end - 2].text, code.line(at)
            if name.endswith(names.runners):
                piece = AscendPiece(AscendPart.RUNNER, found.path, line, name)
                found.runners.setdefault(name, piece)
            found.made.append(Made(name, line, call_names(around, found.runners)))
    for at in code.places(*names.commands):
        around, given = (
            code.function_at(at),
            code.arguments(at + 1) if has_text(code, at + 1, "(") else [],
        )
        if around and given:
            name = strings(code, *given[0]) or code.text(*given[0])
            form, within = code.tokens[at].text, call_names(around, found.runners)
            found.calls.append(Call(AscendRoute.RUNNER, name, form, code.line(at), within))
    for at in code.places(*names.graph_macros):
        if given := code.arguments(at + 1) if has_text(code, at + 1, "(") else []:
            form = code.tokens[at].text
            piece = AscendPiece(AscendPart.GRAPH, found.path, code.line(at), form)
            found.graphs.append((code.text(*given[0]), piece))
    found.launchers.update(_find_stream_users(code, found))


def _find_stream_users(code: Code, found: FilePieces) -> Iterator[str]:
    """The functions that runners of the file call with `stream()`, but for those of the toolkit."""
    for at in code.places("stream"):
        around = code.function_at(at)
        if around is None or around.scope.rpartition("::")[2] not in found.runners:
            continue
        opening = next(
            (o for o in range(at, around.opening, -1) if code.pairs.get(o, 0) > at + 2), 0
        )
        name = code.tokens[opening - 1].text
        called = code.tokens[opening].text == "(" and code.tokens[opening - 2].text not in (
            ".",
            "->",
        )
        if (
            called
            and has_text(code, at + 1, "(")
            and not (name.isupper() or name.startswith("acl"))
        ):
            yield name


def _classes(code: Code) -> Iterator[tuple[str, list[str], int]]:
    """(name, last names of its bases, token) of each class that derives from something."""
    for index in code.places("class", "struct"):
        words: list[str] = []
        at = index + 1
        while at < len(code.tokens) and code.tokens[at].text not in ("{", ";", "(", ")", ">"):
            words.append(code.tokens[at].text)
            at += 1
        if ":" in words and has_text(code, at, "{"):
            colon = words.index(":")
            bases = [
                words[i] for i in range(colon + 1, len(words)) if words[i : i + 2][1:] != ["::"]
            ]
            kinds = ("public", "private", "protected", "virtual", "::", ",")
            yield words[0], [base for base in bases if base not in kinds], index


def add_handed_on(code: Code, names: Names, found: FilePieces) -> None:
    """`Runner::Call<1>(function, ...)` calls the function that it is given."""
    for text in [text for text in code.index if names.runners and text.endswith(names.runners)]:
        for at in code.places(text):
            if not has_text(code, at + 1, "::") or code.tokens[at + 2].kind is not Kind.NAME:
                continue
            opening = code.skip_angles(at + 3) if has_text(code, at + 3, "<") else at + 3
            given = code.arguments(opening) if has_text(code, opening, "(") else []
            around = code.function_at(at)
            if given and around:
                place = call_names(around, found.runners)
                found.reaches.setdefault(place, set()).update(names_in(code, *given[0]))
