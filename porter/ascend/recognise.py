"""All files of a repository -> the operators it has for Ascend NPUs, and what each one lacks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from porter.ascend import marks
from porter.ascend.cpp_pieces import pieces as cpp_pieces
from porter.ascend.definitions import Entry
from porter.ascend.file_pieces import Call, Impl, Schema
from porter.ascend.lacks import lacks_of
from porter.ascend.names import Names
from porter.ascend.tree import Place, Tree, add_data, add_methods, add_pieces, add_python, snake
from porter.languages.cpp import HEADERS, parse
from porter.languages.data import read_bytes
from porter.model import (
    Ascend,
    AscendOperator,
    AscendPart,
    AscendPiece,
    AscendRoute,
    AscendSignature,
    Language,
    Role,
    SourceFile,
)

DEPTH = 5  # calls from a binding to the launch it ends in
_TORCHS = ("aten::", "prims::", "npu::")


def recognise(
    root: Path,
    files: Sequence[SourceFile],
    marked: Iterable[str],
    data: Iterable[str],
    names: Names,
    extensions: Iterable[str] = (),
) -> Ascend | None:
    """What there is for Ascend. `marked` are the paths of files that a mark was seen in, `data`
    those of yaml and json files, `names` of the frameworks, `extensions` the names of those that
    build scripts state. None where no file of the project is for Ascend."""
    seen = set(marked)
    own = [f for f in files if f.role is not Role.VENDORED]

    def sources() -> Iterator[tuple[SourceFile, bytes]]:
        for file in own:
            if file.language is Language.PYTHON or file.path in seen:
                yield file, read_bytes(root / file.path)

    read = ((path, read_bytes(root / path)) for path in data)
    return recognise_bytes(sources(), read, own, names, extensions)


def recognise_bytes(
    sources: Iterable[tuple[SourceFile, bytes]],
    data: Iterable[tuple[str, bytes]],
    files: Sequence[SourceFile],
    names: Names,
    extensions: Iterable[str] = (),
) -> Ascend | None:
    """The same of files that were read; `files` are all of the tree."""
    tree = Tree()
    scripts = []
    structure = marks.structure_marks(names)
    for file, text in sources:
        if file.language is Language.CPP and marks.has(text, structure):
            add_pieces(tree, cpp_pieces(parse(text, file.path), names))
        elif file.language is Language.PYTHON:
            scripts.append((file, text))
    for path, text in data:
        add_data(tree, path, text)
    converters = any(marks.has(text, marks.CONVERTER) for _, text in scripts)
    if not (tree.calls or tree.entries or tree.runners or converters or any(_own_names(tree))):
        return None
    add_methods(tree)
    add_python(tree, scripts, extensions)
    operators = tuple(sorted(_operators(tree), key=lambda o: (o.name, o.pieces)))
    headers = [f.path for f in files if f.path.endswith(HEADERS)]
    return Ascend(
        operators=operators,
        signatures=tuple(_keep_agreeing(tree.signatures)),
        headers=frozenset(headers),
        macros=frozenset(m for file in tree.files for m in file.macros),
        guarded=frozenset(m for file in tree.files for m in file.guarded),
        own=frozenset(name for file in tree.files for name in file.own),
        called=frozenset(
            name
            for name, said in tree.said.items()
            if any(s.part in (AscendPart.WRAPPER, AscendPart.AUTOGRAD) for _, s in said)
        ).union(*(file.mentioned for file in tree.files)),
        including=frozenset(file.path for file in tree.files if file.includes_plugin),
        inside=tuple(sorted(set(_find_own_folders(headers, names)))),
        modules=tuple(sorted(module for file in tree.files for module in file.modules)),
        registration=min(
            ((file.registration, file.path) for file in tree.files if file.registration),
            default=("", ""),
        ),
    )


def _find_own_folders(headers: Iterable[str], names: Names) -> Iterator[str]:
    """The folders of a framework's own sources that these headers are in."""
    for header in headers:
        for own in names.own_headers:
            if header == own or header.endswith(f"/{own}"):
                yield header.removesuffix(own.partition("/")[2])


def _keep_agreeing(signatures: Iterable[AscendSignature]) -> Iterator[AscendSignature]:
    """Those of operators that are defined alike wherever they are."""
    found = sorted(signatures)
    names = Counter(signature.operator for signature in found)
    return (signature for signature in found if names[signature.operator] == 1)


# ----------------------------------------------------------------- operators


def _operators(tree: Tree) -> Iterator[AscendOperator]:
    impls: dict[tuple[str, str], list[tuple[str, Impl]]] = defaultdict(list)
    for file in tree.files:
        for impl in file.impls:
            impls[impl.space, impl.name].append((file.path, impl))
    used: set[str] = set()  # definitions and kernels that some operator of torch leads to
    names: set[tuple[str, str]] = set()
    schemas: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in tree.files:
        for schema in file.schemas:
            schemas[schema.space, schema.name].add(file.path)
    for file in tree.files:
        for schema in file.schemas:
            homes = schemas[schema.space, schema.name]
            mine = [
                (path, impl)
                for path, impl in impls[schema.space, schema.name]
                if not schema.key and file.path in nearest(path, homes)
            ]
            operator = _make_operator(tree, file.path, schema, mine, used)
            if operator is not None and (operator.name, file.path) not in names:
                names.add((operator.name, file.path))
                yield operator
    for path, entry in tree.entries:
        yield _read_yaml_entry(tree, path, entry, used)
    bound = {name for name, _ in names}
    for name in sorted(tree.graphs.keys() - bound):
        yield _operator(name, tree.graphs[name], {AscendRoute.RUNNER}, False, "")
    yield from _find_python_operators(tree, bound)
    yield from _unbound(tree, used)


def _make_operator(
    tree: Tree,
    path: str,
    schema: Schema,
    impls: Sequence[tuple[str, Impl]],
    used: set[str],
) -> AscendOperator | None:
    """An operator that a binding names; None where it leads to nothing of Ascend."""
    device = [(p, i) for p, i in impls if not i.key.startswith(("Meta", "Autograd", "CPU", "CUDA"))]
    entries = {(path, name) for name in schema.uses}
    entries |= {(where, name) for where, impl in device for name in impl.uses}
    reached = _follow_calls(tree, entries)
    calls = [(place[0], c) for place in sorted(reached) for c in tree.calls.get(place, ())]
    keyed = any(i.key.startswith(("PrivateUse1", "NPU", "XLA")) for _, i in device)
    # A function of the same name may be in a plugin beside the extension of torch.
    runners = [] if path in tree.of_torch else [*_runners(tree, reached)]
    if not calls and not keyed and not runners:
        return None
    form = schema.key or "TORCH_LIBRARY"
    first = AscendPart.BINDING if schema.key else AscendPart.DEFINITION
    pieces = [AscendPiece(first, path, schema.line, form)]
    for where, impl in impls:
        part = (
            AscendPart.META
            if impl.key == "Meta"
            else (AscendPart.AUTOGRAD if impl.key.startswith("Autograd") else AscendPart.BINDING)
        )
        pieces.append(AscendPiece(part, where, impl.line, impl.key or "no key"))
    named = {n for _, n in entries}.union(*(tree.reaches.get(place, ()) for place in reached))
    if any(f"{name}::apply" in named for name in tree.autograd):
        pieces.append(AscendPiece(AscendPart.AUTOGRAD, path, schema.line, "autograd::Function"))
    pieces += (*runners, *_find_calls(tree, calls, used))
    name = schema.name if schema.key else f"{schema.space}::{schema.name}"
    pieces += _find_python_pieces(tree, name, path)
    routes = {c.route for _, c in calls}
    if runners:
        pieces += _nearest_of(path, tree.graphs.get(name, ()))
        routes = routes - {AscendRoute.RUNNER} or {AscendRoute.RUNNER}
    lacking = runners and not calls and named & tree.launchers - tree.homes.keys()
    text = "" if schema.key else schema.text
    found = _operator(name, pieces, routes, bool(schema.key), text)
    lacks = ("kernel", *found.lacks) if lacking else found.lacks
    return replace(found, lacks=lacks, arguments=schema.arguments)


def _runners(tree: Tree, reached: Iterable[Place]) -> Iterator[AscendPiece]:
    """The runners that these functions make."""
    for place in reached:
        for made in tree.made.get(place, ()):
            yield from _nearest_of(place[0], tree.runners.get(made.runner, ()))


def _nearest_of(path: str, pieces: Sequence[AscendPiece]) -> Iterator[AscendPiece]:
    paths = nearest(path, {piece.path for piece in pieces})
    return (piece for piece in pieces if piece.path in paths)


def _follow_calls(tree: Tree, entries: Iterable[Place]) -> set[Place]:
    """The functions that these names lead to from where they stand."""
    seen: set[Place] = set()
    level = {place for path, name in entries for place in _homes(tree, path, name)}
    for _ in range(DEPTH):
        seen |= level
        level = {
            following
            for place in level
            for name in tree.reaches[place]
            for following in _homes(tree, place[0], name)
        } - seen
    return seen | level


def _homes(tree: Tree, path: str, name: str) -> Iterator[Place]:
    """Where a function is that a file names: in itself, else as near as any."""
    return ((home, name) for home in nearest(path, tree.homes.get(name, ())))


def nearest(path: str, others: Iterable[str]) -> list[str]:
    """Of some paths the one itself, else those that share the most folders with it."""
    found = [*others]
    if len(found) < 2 or path in found:
        return [path] if path in found else found
    shared = {other: _count_shared(path, other) for other in found}
    most = max(shared.values())
    return [other for other in found if shared[other] == most]


def _count_shared(path: str, other: str) -> int:
    count = 0
    for one, two in zip(path.split("/"), other.split("/"), strict=False):
        if one != two:
            break
        count += 1
    return count


def _find_calls(
    tree: Tree, calls: Iterable[tuple[str, Call]], used: set[str]
) -> Iterator[AscendPiece]:
    for path, call in calls:
        yield AscendPiece(AscendPart.CALL, path, call.line, f"{call.form} {call.name}")
        yield from _find_package_pieces(tree, snake(call.name), used, path)


def _find_package_pieces(
    tree: Tree, name: str, used: set[str], path: str | None = None
) -> Iterator[AscendPiece]:
    """The definition, tiling and kernel of an operator of this repository's own package, those
    nearest to where it is called."""
    found = tree.named.get(name, ())
    used.update({name} if found else ())
    for piece in found:
        alike = {other.path for other in found if other.part is piece.part}
        if path is None or piece.path in nearest(path, alike):
            yield piece


def _find_python_pieces(tree: Tree, name: str, path: str) -> Iterator[AscendPiece]:
    """What Python says of an operator, the first place of each form in a file; where its
    namespace is not said, of the operator that is nearest."""
    found: set[tuple[str, AscendPart, str]] = set()
    space, _, short = name.rpartition("::")
    keys = [name, short]
    if space.isupper() or not space:
        # A macro of the build, whatever it stands for; or pybind11's, in a library of Python's.
        others = (key for key in tree.said if key.endswith(f"::{short}"))
        keys += [k for k in others if k not in tree.schemas and not k.startswith(_TORCHS)]
    for key in dict.fromkeys(keys):
        for where, said in tree.said.get(key, ()):
            if "::" not in key and path not in nearest(where, set(tree.owners[short])):
                continue
            if (where, said.part, said.form) not in found:
                found.add((where, said.part, said.form))
                yield AscendPiece(said.part, where, said.line, said.form)


def _read_yaml_entry(tree: Tree, path: str, entry: Entry, used: set[str]) -> AscendOperator:
    form = "yaml, generated" if entry.generated else "yaml"
    pieces = [AscendPiece(AscendPart.DEFINITION, path, entry.line, form)]
    if entry.runs:
        pieces.append(AscendPiece(AscendPart.CALL, path, entry.line, f"exec {entry.runs}"))
        pieces += _find_package_pieces(tree, snake(entry.runs), used)
    if not entry.runs:
        for place in sorted(_follow_calls(tree, [(path, entry.name.partition(".")[0])])):
            calls = [(place[0], call) for call in tree.calls.get(place, ())]
            pieces += _find_calls(tree, calls, used)
    pieces += _find_python_pieces(tree, f"npu::{entry.name.partition('.')[0]}", path)
    return _operator(f"npu::{entry.name}", pieces, {AscendRoute.OPPLUGIN}, False, entry.schema)


def _find_python_operators(tree: Tree, names: set[str]) -> Iterator[AscendOperator]:
    """Operators that Python defines, with a converter: their kernels are of other languages, or
    are operators that there are."""
    for name in sorted({*tree.said} - names):
        parts = {said.part for _, said in tree.said[name]}
        if {AscendPart.DEFINITION, AscendPart.CONVERTER} <= parts:
            yield _operator(name, _find_python_pieces(tree, name, ""), set(), False, "")


def _unbound(tree: Tree, used: set[str]) -> Iterator[AscendOperator]:
    """Operators of packages, and kernels, that nothing here hands to torch."""
    for name in sorted({*_own_names(tree)} - used):
        pieces = _sort_pieces(tree.named[name])
        yield AscendOperator(name=name, routes=(AscendRoute.NONE,), pieces=pieces)


def _own_names(tree: Tree) -> Iterator[str]:
    """What the repository defines as an operator of its package, or has a kernel of."""
    own = (AscendPart.DEFINITION, AscendPart.KERNEL)
    return (n for n, pieces in tree.named.items() if any(p.part in own for p in pieces))


def _operator(
    name: str, pieces: Iterable[AscendPiece], routes: set[AscendRoute], pybind: bool, schema: str
) -> AscendOperator:
    kept = _sort_pieces(pieces)
    ordered = tuple(route for route in AscendRoute if route in routes)
    return AscendOperator(
        name=name,
        routes=ordered,
        pieces=kept,
        schema=schema,
        lacks=tuple(lacks_of(name, kept, ordered, pybind)),
    )


def _sort_pieces(pieces: Iterable[AscendPiece]) -> tuple[AscendPiece, ...]:
    order = {part: number for number, part in enumerate(AscendPart)}
    return tuple(sorted(set(pieces), key=lambda p: (order[p.part], p.path, p.line, p.form)))
