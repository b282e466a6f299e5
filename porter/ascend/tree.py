"""What all files of a tree say of Ascend operators, by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from porter.ascend import marks
from porter.ascend.definitions import Entry, json_definitions, yaml_entries
from porter.ascend.file_pieces import Call, FilePieces, Made
from porter.ascend.python_pieces import (
    Said,
    describe_uses,
    find_compiled_uses,
    find_registered,
    registrars,
    tests_of,
    wrappers,
)
from porter.ascend.python_pieces import pieces as python_pieces
from porter.languages import python
from porter.model import AscendPart, AscendPiece, AscendSignature, Role, SourceFile

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
Place = tuple[str, str]  # path, function


@dataclass(slots=True)
class Tree:
    """What was read, by name."""

    files: list[FilePieces] = field(default_factory=list)
    said: dict[str, list[tuple[str, Said]]] = field(default_factory=lambda: defaultdict(list))
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    named: dict[str, list[AscendPiece]] = field(default_factory=lambda: defaultdict(list))
    calls: dict[Place, list[Call]] = field(default_factory=lambda: defaultdict(list))
    reaches: dict[Place, set[str]] = field(default_factory=dict)
    homes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # of functions
    owners: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # of operators
    autograd: set[str] = field(default_factory=set)
    schemas: set[str] = field(default_factory=set)  # ns::op of all that C++ and yaml define
    signatures: set[AscendSignature] = field(default_factory=set)
    runners: dict[str, list[AscendPiece]] = field(default_factory=lambda: defaultdict(list))
    made: dict[Place, list[Made]] = field(default_factory=lambda: defaultdict(list))
    graphs: dict[str, list[AscendPiece]] = field(default_factory=lambda: defaultdict(list))
    launchers: set[str] = field(default_factory=set)  # functions that runners give their stream
    of_torch: set[str] = field(default_factory=set)  # files that include its headers


def add_pieces(tree: Tree, file: FilePieces) -> None:
    tree.files.append(file)
    tree.signatures.update(file.signatures)
    tree.autograd |= file.autograd
    for call in file.calls:
        tree.calls[file.path, call.function].append(call)
    for function, names in file.reaches.items():
        tree.reaches[file.path, function] = names
        tree.homes[function].append(file.path)
    for schema in file.schemas:
        tree.owners[schema.name].append(file.path)
        tree.schemas.add(f"{schema.space}::{schema.name}")
    for name, piece in file.named:
        tree.named[snake(name)].append(piece)
    for name, piece in file.runners.items():
        tree.runners[name].append(piece)
    for made in file.made:
        tree.made[file.path, made.function].append(made)
    for name, piece in file.graphs:
        tree.graphs[name].append(piece)
    tree.launchers |= file.launchers
    tree.of_torch |= {file.path} if file.of_torch else set()


def add_methods(tree: Tree) -> None:
    """Who makes a runner has all of its methods called, wherever they are."""
    methods: dict[str, set[str]] = defaultdict(set)
    for name in tree.homes:
        methods[name.partition("::")[0]].add(name)
    for place, made in tree.made.items():
        for one in made:
            if one.runner in tree.runners and place in tree.reaches:
                tree.reaches[place] |= methods[one.runner]


def add_data(tree: Tree, path: str, data: bytes) -> None:
    if path.endswith(".json"):
        if marks.has(data, marks.JSON):
            for name, line, signature in json_definitions(data):
                tree.signatures.update([signature] if signature else ())
                piece = AscendPiece(AscendPart.DEFINITION, path, line, "json")
                tree.named[snake(name)].append(piece)
    elif marks.has(data, marks.YAML):
        tree.entries += [(path, entry) for entry in yaml_entries(data)]
        tree.schemas.update(f"npu::{entry.name}" for _, entry in tree.entries)


def add_python(
    tree: Tree, scripts: Sequence[tuple[SourceFile, bytes]], extensions: Iterable[str]
) -> None:
    """What Python says; then what it says through functions of its own that register, and of
    operators by names of its own. `extensions` are the modules that build scripts make."""
    modules: dict[str, python.Module] = {}
    own: set[str] = set()
    wrapped: dict[str, set[str]] = defaultdict(set)
    packages: set[str] = set()
    exposed = frozenset(s.name for f in tree.files for s in f.schemas if s.key)
    spaces = {s.space for f in tree.files for s in f.schemas if s.key}
    libraries = frozenset(spaces | {name.rpartition(".")[2] for name in extensions} | {"_C"})
    bound = (*(name.encode() for name in libraries if name), b".load(") if exposed else ()
    for file, text in scripts:
        if marks.has(text, (*marks.PYTHON, *bound)) and (module := _parse(file, text)):
            modules[file.path] = module
            test = file.role is Role.TEST
            uses = [*find_compiled_uses(module, exposed, libraries)]
            for said in (*python_pieces(module, test), *describe_uses(module, uses, test)):
                tree.said[said.operator].append((file.path, said))
            own.update(registrars(module))
            for name, operator in () if test else wrappers(module, uses):
                wrapped[name].add(operator)
                packages.update(file.path.removesuffix(".py").split("/"))
    names = frozenset(own - {"decorator", "wrapper"})
    needles = tuple(name.encode() for name in names)
    for file, text in scripts if names else ():
        if marks.has(text, needles) and (module := modules.get(file.path) or _parse(file, text)):
            for said in find_registered(module, names):
                tree.said[said.operator].append((file.path, said))
    needles = tuple(name.encode() for name in wrapped)
    for file, text in scripts:
        if file.role is Role.TEST and marks.has(text, needles):
            module = modules.get(file.path) or _parse(file, text)
            for said in tests_of(module, wrapped, packages) if module else ():
                tree.said[said.operator].append((file.path, said))


def _parse(file: SourceFile, text: bytes) -> python.Module | None:
    try:
        return python.parse(text, file.path)
    except python.Unreadable:
        return None  # the scan reports it, with the line


def snake(name: str) -> str:
    """`AddRmsNormBias` and `aclnnAddRmsNormBias` as `add_rms_norm_bias`, as msopgen names them."""
    return _WORD.sub("_", name.removeprefix("aclnn")).lower().replace("__", "_")
