"""The files of the unit: its Python part in one module, the builder, headers, a README."""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Mapping, Sequence

from porter.languages import python
from porter.model import UNIT, Change, FilePatch
from porter.targets.proxy import Proxy
from porter.unit.installed import Installed
from porter.unit.parts import Part
from porter.unit.pieces import Piece, Plane
from porter.unit.render import render

DOCSTRING = '''"""Names of torch that {user} and {title} lacks. Does nothing under torch.

Written by porter: each polyfill states how long it is needed.
"""
'''

METHOD = "torch.Tensor."  # what a piece gives to the class itself
NAMES = f"{UNIT}/names.py"
INIT = "import sys\n\nif {active}:\n    from .names import share  # noqa: F401\n"
README = """\
# Polyfills for {title}

Written by `porter`: only what this repository uses, and only for {title}. Under torch, nothing here
is executed. A polyfill can be removed when its condition holds; `porter migrate` then omits it.

| polyfill | reason | remove when |
|---|---|---|
"""


def compose(
    proxy: Proxy,
    folder: str,
    user: str,
    chosen: Sequence[Piece],
    parts: Sequence[Part] = (),
    installed: Installed | None = None,
    *,
    names: str = NAMES,
    imported: bool = False,
    enabling: str | None = None,
    project: str = ".",
) -> tuple[FilePatch, ...]:
    """The new files of the unit in `folder`, for the target that has the proxy: its Python part as
    `names`, and, if a package is to import it from a folder, an `__init__` that does.

    `user` is who uses the names, as a clause: "the package ops uses". Of C++ pieces, `parts`
    are what the unit has, for a target that has these `installed`. `enabling` is the unit that
    enable.py shares with the folder, as it is imported, "" for none, None without an enable.py.
    `project` is the folder that is built, from the unit's.
    """
    by_plane = {plane: [p for p in chosen if p.plane is plane] for plane in Plane}
    native = [*by_plane[Plane.BUILD], *by_plane[Plane.CPP]]
    files: list[tuple[str, bytes, Sequence[Piece]]] = []
    if by_plane[Plane.PYTHON]:
        text = _module(proxy, user, by_plane[Plane.PYTHON])
        files.append((names, text.encode(), by_plane[Plane.PYTHON]))
        if imported and names == NAMES:
            files.append(
                (
                    f"{UNIT}/__init__.py",
                    INIT.format(active=proxy.active).encode(),
                    by_plane[Plane.PYTHON],
                )
            )
    if enabling is not None:
        files.append(
            (f"{UNIT}/enable.py", _enable(proxy, chosen, enabling, project).encode(), chosen)
        )
    for piece in by_plane[Plane.BUILD]:
        files += [(f"{UNIT}/{name}", data, [piece]) for name, data in piece.files]
    for header, text in render(parts, installed=installed or Installed()).items():
        owners = {part.piece for part in parts if part.header == header}
        why = [piece for piece in by_plane[Plane.CPP] if piece.id in owners]
        files.append((f"{UNIT}/include/{header}", text.encode(), why))
    if native:
        files.append((f"{UNIT}/README.md", _readme(proxy, chosen, parts).encode(), chosen))
    return tuple(
        FilePatch(path=posixpath.join(folder, name), before=None, after=data, changes=why)
        for name, data, why in ((n, d, changes(p)) for n, d, p in files)
    )


def modules(chosen: Sequence[Piece]) -> list[str]:
    """What of the unit is run after the proxy is enabled."""
    files = {name for p in chosen if p.plane is Plane.BUILD for name, _ in p.files}
    python = any(p.plane is Plane.PYTHON for p in chosen)
    return [*(["names.py"] if python else []), *sorted(files & {"build.py", "cmake.py"})]


def _enable(proxy: Proxy, chosen: Sequence[Piece], shared: str, project: str) -> str:
    """The guard that rules write, and then the unit's modules, for a folder with what the unit of
    a package has, which they go on from; those of a build are for the project that is built."""
    said = f'"""`import torch` is {proxy.title}\'s proxy after this, if requested."""'
    imports = "".join(f"import {name}\n" for name in (*proxy.vendored.imports, "runpy"))
    unit = "    unit = os.path.dirname(os.path.abspath(__file__))\n"
    native = any(piece.plane is not Plane.PYTHON for piece in chosen)
    share = f'["share"](os.path.join(unit, "{project}", "setup.py"))' if native else ""
    runs = "".join(
        f'    runpy.run_path(os.path.join(unit, "{name}")){share if name == "names.py" else ""}\n'
        for name in modules(chosen)
    )
    share = f"    import {shared}\n\n    {shared}.share(unit)\n" if shared else ""
    return f"{said}\n\n{imports}\n{proxy.vendored.dual}{unit}{share}{runs}"


def changes(pieces: Sequence[Piece]) -> tuple[Change, ...]:
    """Why a file is there: one change a piece."""
    named = [piece for piece in pieces if not piece.is_helper]
    return tuple(Change(rule=p.rule, reason=p.title, until=p.until) for p in named)


def _readme(proxy: Proxy, chosen: Sequence[Piece], parts: Sequence[Part]) -> str:
    rows = [f"| {_what(p, parts)} | {p.why} | {p.until} |" for p in chosen if not p.is_helper]
    return README.format(title=proxy.title) + "\n".join(rows) + "\n"


def _what(piece: Piece, parts: Sequence[Part]) -> str:
    own = [part for part in parts if part.piece == piece.id and not part.loose]
    names = ", ".join(dict.fromkeys(f"`{name}`" for part in own for name in part.names))
    return f"{piece.title} (`{piece.id}`){': ' if names else ''}{names}"


def _module(proxy: Proxy, user: str, chosen: Sequence[Piece]) -> str:
    """One module of all Python pieces: imports together, then each piece, then what they give;
    last those that tests ask for, which go on from that."""
    imports: set[str] = set()
    bodies = []
    for group in needs_first(chosen):
        for piece in group:
            name, data = piece.files[0]
            own, body = _split(data, f"{piece.id}/{name}")
            imports |= own
            space = "\n\n\n" if body.startswith(("def ", "class ", "@", "async ")) else "\n\n"
            bodies.append(body if piece.is_helper else f"{make_mark(piece)}{space}{body}")
        bodies.append(_registration(group))
    parts = [
        DOCSTRING.format(user=user, title=proxy.title),
        _imports(imports),
        "\n\n".join(filter(None, bodies)),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def make_mark(piece: Piece) -> str:
    """The comment above a piece in the unit's module."""
    return f"# {piece.title}: until {piece.until}"


def needs_first(chosen: Sequence[Piece]) -> tuple[list[Piece], ...]:
    """Each piece after those whose names it uses when it is run. The second group, those that tests
    ask for, go on from what the first give; the last wrap what the others provide."""
    left = {piece.id: piece for piece in chosen}
    ordered: tuple[list[Piece], ...] = ([], [], [])

    def group_of(piece: Piece) -> int:
        return bool(piece.shown_by) + bool(piece.shown_by and not piece.provides)

    def take(piece: Piece, group: list[Piece]) -> None:
        for need in piece.needs:
            if need in left:
                take(left.pop(need), group)
        group.append(piece)

    while left:
        found = left.pop(min(left, key=lambda id: (group_of(left[id]), id)))
        take(found, ordered[group_of(found)])
    return ordered


def _split(data: bytes, path: str) -> tuple[set[str], str]:
    """The import statements that a piece begins with, but for those of other pieces, which are in
    the same module, and the rest of it."""
    module = python.parse(data, path)
    own, end = set(), 0
    for node in module.tree.body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        if not (isinstance(node, ast.ImportFrom) and node.level):
            own.add(ast.unparse(node))
        end = module.span(node).end
    return own, data[end:].decode().strip("\n") + "\n"


def _imports(statements: set[str]) -> str:
    """In the order of isort: the standard library, then others; plain ones first."""

    def key(statement: str) -> tuple[bool, bool, str]:
        package = statement.split()[1].partition(".")[0]
        return package not in sys.stdlib_module_names, statement.startswith("from"), statement

    ordered = sorted(statements, key=key)
    first = [s for s in ordered if not key(s)[0]]
    other = [s for s in ordered if key(s)[0]]
    return "\n\n".join("\n".join(group) for group in (first, other) if group) + "\n"


def _registration(chosen: Sequence[Piece]) -> str:
    """The call that gives torch the names of these pieces."""
    named = [(n, p) for p in chosen for n in names_of_others(p)]
    if not named:
        return ""
    lacking = {n: value_of(n, p) for n, p in named if p.missing}
    different = {n: value_of(n, p) for n, p in named if not p.missing}
    call = ["_register("]
    for argument, names in (("lacking", lacking), ("different", different)):
        call += [f"    {argument}={line}" for line in _table(names)]
    return "\n".join([*call, ")", ""])


def names_of_others(piece: Piece) -> list[str]:
    """The names of torch that a piece does not give by itself."""
    registered = piece.provides if "python/overrides" in piece.needs else ()
    return [n for n in registered if n.startswith("torch.") and not n.startswith(METHOD)]


def value_of(name: str, piece: Piece) -> str:
    """What a piece calls the value of a name: its last word, after that of its module where the
    piece gives more than one module such a name."""
    *_, module, last = name.split(".")
    longer = f"{module}_{last}"
    found = re.search(rf"^(def |class )?{longer}\b", piece.files[0][1].decode(), re.MULTILINE)
    return longer if found else last


def _table(names: Mapping[str, str]) -> list[str]:
    if not names:
        return ["{},"]
    rows = [f'        "{name}": {value},' for name, value in sorted(names.items())]
    return ["\n".join(["{", *rows, "    },"])]
