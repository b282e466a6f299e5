"""Reference pages of the polyfills; `python -m porter.unit.pages` writes them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.host.home import PACKAGE, rules_home
from porter.languages.data import read_toml
from porter.model import State, Surface
from porter.rules.pages import escape, page_of_topic, read_topics
from porter.surface.load import list_shipped, load, read
from porter.surface.quirks import read_quirks
from porter.surface.signatures import parse
from porter.unit.choose import is_offered
from porter.unit.package import condition
from porter.unit.pieces import Condition, Piece, Plane, pieces

PAGE = "polyfills.md"  # one line a polyfill, and pages in a folder of this name
NOTE = "<!-- Made by `make pages` from the polyfill folders; change those instead. -->\n"
FEWEST = 5  # polyfills of a module of torch that has its own page
CONDITIONS = {
    Condition.BEYOND_TARGET: "a build script needs more than the target's builder offers: several "
    "extensions, positional arguments, or CUDA_HOME",
    Condition.PYBIND11_ON_CPU: "an extension for the CPU is registered through pybind11",
    Condition.CMAKE_FINDS_TORCH: "a CMakeLists.txt looks for Torch",
    Condition.FOR_ASCEND: "the repository has code for Ascend NPUs",
    Condition.REACHED_FROM_TORCH: "code reaches a module below torch without importing it",
}
TITLES = {  # of pages, in order, after those of modules of torch
    "others": "other modules of torch",
    "support": "what other polyfills use",
    "cpp": "C++ headers",
    "build": "build scripts",
}


@dataclass(frozen=True, kw_only=True)
class Versions:
    """What decides on one version whether a polyfill is active: with the quirks, and as probed."""

    name: str
    surface: Surface
    probed: Mapping[str, tuple[str, ...]]
    unprobed: frozenset[str]  # quirks that have a probe, which was not run there


def pages(home: Path | None = None) -> dict[str, str]:
    """Return every page by its name. Raises RuleError where a polyfill cannot be read."""
    home = home or rules_home()
    made: dict[str, str] = {}
    index: list[str] = []
    for target in sorted(path.parent for path in home.glob("*/polyfills")):
        groups = _group(pieces(target / "polyfills"), target)
        versions = _read_versions(target)
        links = {q.id: page_of_topic(t) for t, found in read_topics(home).items() for q in found}
        for topic, folders in groups.items():
            page = f"{PAGE.removesuffix('.md')}/{topic}.md"
            made[page] = "".join(_page(topic, folders, versions, links, target))
            index += _index_rows(page, topic, folders, versions)
    number = sum(text.count("\n## ") for text in made.values())
    return {PAGE: "".join([*_introduce(number), *index]), **made}


def write(folder: Path) -> None:
    """Write the pages into a folder, and delete those that are no more."""
    made = {folder / name: text for name, text in pages().items()}
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in {*(folder / PAGE.removesuffix(".md")).glob("*.md")} - {*made}:
        path.unlink()


def _group(every: Iterable[Piece], target: Path) -> dict[str, dict[str, list[Piece]]]:
    """The pieces of each folder, by the topic of its page: a module of torch, or a plane."""
    folders: dict[str, list[Piece]] = {}
    for piece in every:
        folders.setdefault(piece.id.partition(".")[0], []).append(piece)
    topics = {id: _topic(found, target) for id, found in folders.items()}
    sizes = Counter(topics.values())
    groups: dict[str, dict[str, list[Piece]]] = {}
    for id, topic in topics.items():
        large = sizes[topic] >= FEWEST or topic in TITLES
        groups.setdefault(topic if large else "others", {})[id] = folders[id]
    return {topic: groups[topic] for topic in sorted(groups, key=_place)}


def _place(topic: str) -> tuple[int, str]:
    return ([*TITLES].index(topic) + 1 if topic in TITLES else 0), topic


def _topic(found: Sequence[Piece], target: Path) -> str:
    if found[0].plane is not Plane.PYTHON:
        return found[0].plane.value
    quirks = read_quirks(target)
    names = [name for piece in found for name in _names(piece)]
    names = names or [name for piece in found for id in piece.quirks for name in quirks[id].names]
    if not names:
        return "support"
    modules = Counter("".join(name.partition("(")[0].split(".")[1:-1][:1]) for name in names)
    (most, _), *_ = modules.most_common(1)
    return "others" if most.startswith("_") else most.lower() or "torch"


def _names(piece: Piece) -> tuple[str, ...]:
    return (*piece.provides, *piece.accepts, *piece.missing)


def _read_versions(target: Path) -> list[Versions]:
    probes = {id for id, quirk in read_quirks(target).items() if quirk.probes}
    found: list[Versions] = []
    for version in list_shipped(target.name, target.parent):
        probed = read(target / "surfaces" / f"{version}.json").quirks
        surface = load(target.name, version, target.parent)
        unprobed = frozenset(probes - probed.keys())
        name = version if found else f"{target.name} {version}"
        found.append(Versions(name=name, surface=surface, probed=probed, unprobed=unprobed))
    return found


def _introduce(number: int) -> Iterator[str]:
    yield f"{NOTE}\n# Polyfills\n\n"
    yield f"{number} polyfills, each a folder of `rules/<target>/polyfills/` "
    yield "([how to add one](../how-to/add-a-polyfill.md)). "
    yield "[porter-compat](../explanation/porter-compat.md) contains all of them; with `--vendor`, "
    yield "a tree gets those that it uses. Under torch none is executed. A polyfill is inactive "
    yield "where the installed framework has its names with torch's behavior, or where none of its "
    yield "quirks holds.\n\n*Active on* lists versions that porter has data of. *Not probed*: the "
    yield "data is older than the probe of the quirk, which porter then takes to hold.\n"


def _index_rows(
    page: str, topic: str, folders: Mapping[str, list[Piece]], versions: Sequence[Versions]
) -> Iterator[str]:
    yield f"\n## {_title_of_topic(topic)}\n\n| polyfill | what it is | active on |\n|---|---|---|\n"
    for id, found in sorted(folders.items()):
        link = f"[{id}]({page}#{id.replace('/', '')})"
        yield f"| {link} | {_cell(_title(found))} | {_active(found, versions)} |\n"


def _title_of_topic(topic: str) -> str:
    if topic in TITLES:
        return TITLES[topic]
    return {"torch": "torch", "tensor": "torch.Tensor"}.get(topic, f"torch.{topic}")


def _page(
    topic: str,
    folders: Mapping[str, list[Piece]],
    versions: Sequence[Versions],
    links: Mapping[str, str],
    target: Path,
) -> Iterator[str]:
    yield f"{NOTE}\n# Polyfills: {_title_of_topic(topic)}\n\n[All polyfills](../{PAGE})\n"
    for id, found in sorted(folders.items()):
        yield f"\n## {id}\n\n{escape(_title(found))}: {escape(found[0].why)}\n\n"
        for name, value in _facts(found, links):
            yield f"- {name}: {value}\n"
        yield f"- active on: {_active(found, versions)}\n"
        for reason in _read_differences(target / "polyfills" / id / "examples.toml"):
            yield f"- differs: {escape(reason)}\n"


def _title(found: Sequence[Piece]) -> str:
    if found[0].title and "." not in found[0].id:
        return found[0].title
    names = [name for piece in found for name in piece.provides]
    if not names:
        return f"{len(found)} functions for other polyfills"
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return ", ".join(names[:2]) + more


def _facts(found: Sequence[Piece], links: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what holds of the pieces of a folder; `links` has the page of each quirk."""
    for name, key in (("supplies", "provides"), ("accepts", "accepts")):
        if values := _collect(found, key):
            yield name, _code(values)
    if found[0].when:
        yield "used where", CONDITIONS[found[0].when]
    if values := _collect(found, "quirks"):
        yield "quirks", ", ".join(f"[{id}](../{links[id]}#{id})" for id in values)
    alone = "." not in found[0].id
    if alone and found[0].shown_by:
        yield "error without it", _code(found[0].shown_by)
    if values := _collect(found, "instead_of"):
        yield "instead of the rule", ", ".join(f"[{id}](../rules/{id}.md)" for id in values)
    by_provided = found[0].missing in ((), found[0].provides) and found[0].provides
    if alone and not by_provided and not found[0].quirks:
        yield "inactive where", escape(found[0].until)


def _collect(found: Iterable[Piece], key: str) -> list[str]:
    return list(dict.fromkeys(value for piece in found for value in getattr(piece, key)))


def _active(found: Sequence[Piece], versions: Sequence[Versions]) -> str:
    """Say on which versions the pieces of a folder are active, or how many of them."""
    named = [piece for piece in found if _names(piece) or piece.quirks]
    if not named:
        return "all, where another polyfill uses it"
    newest, said = versions[-1].surface, []
    for version in versions:
        states = Counter(_state(piece, version, newest) for piece in named)
        active, total = states["active"], len(named)
        if active:
            said.append(version.name + (f" ({active} of {total})" if active < total else ""))
        elif states["unknown"]:
            said.append(f"{version.name} (not probed)")
    device = condition(named[0], newest)["device"]
    said += [f"with a device {device}"] if device else []
    return ", ".join(said) or "none of these versions"


def _state(piece: Piece, version: Versions, newest: Surface) -> str:
    """Say `active` or `unknown`, as porter-compat decides with the data of the newest version."""
    if piece.plane is not Plane.PYTHON:
        return "" if is_offered(piece, version.surface) else "active"
    asked = condition(piece, newest)
    if quirks := asked["quirks"]:
        if version.unprobed & {*quirks} and not any(map(version.probed.get, quirks)):
            return "unknown"
        return "active" if any(map(version.surface.quirks.get, quirks)) else ""
    if asked["differing"] or not asked["unless"]:
        return "active"
    symbols = [version.surface.python.get(name) for name in asked["unless"]]
    present = all(symbol and symbol.state is not State.MISSING for symbol in symbols)
    return "" if present and all(_takes(f, version.surface) for f in asked["accepts"]) else "active"


def _takes(form: str, surface: Surface) -> bool:
    """Whether a signature has the keyword of a form of call; of other forms nothing is known."""
    name, _, asked = form.removesuffix(")").partition("(")
    symbol = surface.python.get(name)
    found = parse(symbol.signatures[0], member=False) if symbol and symbol.signatures else None
    if found is None or found.any_keyword or not asked.endswith("="):
        return False
    return asked[:-1] in {*found.positional, *found.keywords}


def _read_differences(path: Path) -> list[str]:
    """The reasons of the examples that are known to differ from torch."""
    examples = read_toml(path.read_text(encoding="utf-8"))["example"] if path.is_file() else []
    return list(dict.fromkeys(row["differs"] for row in examples if "differs" in row))


def _code(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _cell(text: str) -> str:
    return escape(text).replace("|", "\\|")


def main() -> None:
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE.parent / "docs" / "reference")


if __name__ == "__main__":
    main()
