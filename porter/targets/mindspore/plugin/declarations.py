"""What a file of torch's tensors declares and does not define: headers, prototypes, names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from porter.languages.cpp import Function
from porter.targets.mindspore.plugin.words import SPACES
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

# Words of a header that has more than prototypes, which files of bindings have of their own.
_DEFINES = ("class", "struct", "union", "enum", "using", "typedef", "constexpr", "template", "{")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(.*)$", re.MULTILINE)
_GUARD = re.compile(rb"(?:include\b.*|pragma\s+once|ifndef\s+\w+|define\s+\w+|endif\b.*)\s*")


def find_declarations(files: Files, reader: Reader, known: Collection[str]) -> set[str]:
    """The tree's own headers that a file needs no longer, since they have prototypes only. Raises
    Refused for others that are not `known`."""
    found: set[str] = set()
    for header, token in reader.unit.includes:
        if token.text.startswith('"') and header not in known:
            own = files.resolve(reader.unit.path, header)
            if own is None or not _only_declares(files.reader(own)):
                line = reader.unit.position(token.start)[0]
                raise Refused(f'its header "{header}" is not part of the plugin', line)
            found.add(header)
    return found


def _only_declares(reader: Reader) -> bool:
    """Whether a header has nothing but prototypes, perhaps in namespaces."""
    data, words = reader.unit.data, {token.text for token in reader.code.tokens}
    plain = all(_GUARD.fullmatch(match[1]) for match in _DIRECTIVE.finditer(data))
    if reader.code.functions or not plain:
        return False
    spaces = len(reader.code.places("namespace"))
    return len(reader.code.places("{")) == spaces and words.isdisjoint({*_DEFINES} - {"{"})


def require_defined(
    files: Files, reader: Reader, kept: Collection[str], given: Collection[str]
) -> None:
    """Raise Refused where a function that is kept calls one that the file only declares."""
    own = {function.name for function in reader.code.functions}
    lacking = {function.name for function in _declared(files, reader)} - own - {*given}
    for function in reader.code.functions:
        if function.name in kept:
            for at in reader.code.places(*lacking) if lacking else ():
                is_call = reader.word(at + 1) in ("(", "<") and reader.word(at - 1) != "."
                if function.opening < at < function.closing and is_call:
                    reason = f"`{reader.word(at)}` is defined in another file"
                    raise Refused(reason, reader.line(at))


def _declared(files: Files, reader: Reader) -> Iterator[Function]:
    for path in files.include_closure(reader.unit.path):
        yield from files.reader(path).code.declared


def find_unused_names(reader: Reader) -> dict[int, int]:
    """First token -> last of each `using torch::autograd::Function;` whose name is not used."""
    found: dict[int, int] = {}
    for at in reader.code.places("using"):
        end = next((k for k in range(at, len(reader.code.tokens)) if reader.word(k) == ";"), at)
        if reader.word(at + 1) in SPACES and reader.word(at + 2) == "::":
            others = [k for k in reader.code.places(reader.word(end - 1)) if not at < k < end]
            if not others:
                found[at] = end
    return found
