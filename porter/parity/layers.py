"""Say which layer a divergence belongs to, and on what evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

from porter import targets
from porter.languages import cpp
from porter.languages.cpp import Code, Function, Kind, Unit
from porter.model import COMPAT, UNIT
from porter.parity.diverge import Parting
from porter.parity.trace import Event
from porter.parity.values import contiguous, words

PROXY = "proxy"
POLYFILL = "Python polyfill"
REPOSITORY = "the repository's Python"
BINDING = "binding"
NATIVE_POLYFILL = "C++ polyfill"
KERNEL = "kernel"
# of torch's operators, those that compute nothing: memory and views of it
BARE = re.compile(
    r"(new_)?(empty|zeros)(_like|_strided)?|_?to(_copy)?|fill_|zero_|resize_|detach_?|alias|view"
    r"|_?reshape(_alias)?|as_strided|expand|select|slice|t|transpose|permute|squeeze|unsqueeze"
    r"|contiguous|clone|copy_|_unsafe_view|lift_fresh|item|_local_scalar_dense|resolve_(conj|neg)"
)
SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".cu", ".cuh", ".h", ".hpp")
EXPORTS = ("def", "impl")  # m.def("name", ...) and m.impl("name", ...)
REFUSED = re.compile(
    r"incompatible (function|constructor) arguments|expected (at most|a value of type)"
    r"|Unable to cast|missing \d+ required|takes \d+ positional|has no overload"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """`sure`: it was seen, not inferred. `place` is where to look besides the user's line."""

    name: str
    sure: bool
    evidence: tuple[str, ...]
    place: str = ""


# Whether the target gives what the source gave when a call is made once more, otherwise: with two
# of its arguments exchanged, or with contiguous ones.
Experiment = Callable[[tuple[str, str] | None, bool], bool]


def layer(found: Parting, root: Path, experiment: Experiment, packages: Path) -> Layer:
    """The layer of a divergence. `root` has the sources that the target was built from,
    `packages` what is installed for it."""
    event = found.target or found.source
    assert event is not None
    if found.kind == "inputs" and found.called_back and found.cause is None:
        asked = found.called_back
        said = f"{_question_of(asked)} calls the repository's function with other inputs"
        name = POLYFILL if asked.owner == "unit" else PROXY
        return Layer(name=name, sure=False, evidence=(said,), place=_place(asked.callee))
    if found.kind == "inputs":
        return _inputs(found)
    if event.kind == "raised":
        return _make_error_layer(event)
    of = event.owner
    if event.site.word == "gradients":
        said = "the recorded operations agree, only gradients differ: one backward differs"
        return Layer(name=PROXY, sure=False, evidence=(said,))
    polyfill = _polyfill(event)
    if polyfill is not None:
        return polyfill
    if of == "repository":
        said = "its inputs and every operation inside it agree"
        return Layer(name=REPOSITORY, sure=True, evidence=(said,))
    if of == "kernel":
        said = f"{event.callee['name']} is launched from Python with the same inputs"
        return Layer(name=KERNEL, sure=True, evidence=(said,), place=_place(event.callee))
    if of == "extension":
        return _extension(found, event, root, experiment, packages)
    return Layer(
        name=PROXY,
        sure=True,
        evidence=(
            f"{_question_of(event)} returns the result, without code of the repository or its unit",
        ),
        place=_place(event.callee),
    )


def _inputs(found: Parting) -> Layer:
    said = ["its inputs differ, and no earlier operation returned a different result"]
    place = ""
    if found.cause is not None:
        source, target = found.cause
        place = f"{target.site.path}:{target.site.line}"
        values = [words(e.result) if e.result else "nothing" for e in (source, target)]
        said.append(
            f"{target.site.label} at {place}: {values[0]} on the source, {values[1]} on the target"
        )
    return Layer(name=REPOSITORY, sure=True, evidence=tuple(said), place=place)


def _make_error_layer(event: Event) -> Layer:
    """An error that no recorded operation stands for."""
    file = str(event.callee.get("file", ""))
    named = re.search(r"has no attribute|cannot import name|No module named", event.error)
    if COMPAT in file:
        return Layer(name=POLYFILL, sure=True, evidence=(f"raised in {file}",), place=file)
    if named or re.search(rf"/({'|'.join(targets.torch_modules())})/", file):
        return Layer(name=PROXY, sure=True, evidence=(event.error,))
    return Layer(name=REPOSITORY, sure=False, evidence=(event.error,))


def _polyfill(event: Event) -> Layer | None:
    """A piece, where the operation is a function of it or runs one."""
    if event.owner == "unit":
        place = _place(event.callee)
        said = f"{event.callee['name']} is a function of {COMPAT}"
        return Layer(name=POLYFILL, sure=True, evidence=(said,), place=place)
    if not event.unit or event.owner in ("repository", "kernel", "extension"):
        return None
    file, line, _ = event.unit[0]
    names = ", ".join(dict.fromkeys(name for _, _, name in event.unit))
    said = f"it runs functions of {COMPAT}: {names}"
    return Layer(name=POLYFILL, sure=True, evidence=(said,), place=f"{file}:{line}")


def _question_of(event: Event) -> str:
    callee = event.callee
    if "name" not in callee:
        return f"the framework's {event.site.word}"
    return f"{callee.get('module')}.{callee['name']}"


def _place(callee: Mapping[str, object]) -> str:
    file, line = callee.get("path") or callee.get("file"), callee.get("line")
    return f"{file}:{line}" if file and line else ""


# ------------------------------------------------------------- inside an extension


def _extension(
    found: Parting, event: Event, root: Path, experiment: Experiment, packages: Path
) -> Layer:
    """Binding, C++ polyfill or kernel: nobody sees into an extension, so by what it does."""
    place = find_export(root, event.site.word)
    evidence = _host(found, event, experiment)
    if evidence:
        return Layer(name=BINDING, sure=False, evidence=(evidence,), place=place)
    given = find_polyfilled_members(root, packages)
    failed = event.error or (found.message if found.kind == "crash" else "")
    operators = found.source.operators if found.source is not None else ()
    ours = [o for o in operators if o in given]
    if ours:
        said = f"it calls {', '.join(ours)}, which the headers of the polyfills provide"
        return Layer(name=NATIVE_POLYFILL, sure=False, evidence=(said,), place=given[ours[0]])
    computing = [each for each in operators if not BARE.fullmatch(each)]
    if failed:
        return Layer(name=BINDING, sure=False, evidence=(failed,), place=place)
    if computing:
        said = f"it calls {', '.join(computing)} from the target's headers for torch"
        return Layer(name=BINDING, sure=False, evidence=(said,), place=place)
    said = "only the values differ, and under the source it calls no computing operator"
    return Layer(name=KERNEL, sure=False, evidence=(said,), place=place)


def _host(found: Parting, event: Event, experiment: Experiment) -> str:
    """Evidence for the code around the kernel: arguments taken, results made."""
    if found.kind == "error":
        refused = REFUSED.search(event.error)
        return f"it rejects the arguments: {event.error}" if refused else ""
    difference = found.difference
    if difference is not None and difference.aspect != "values":
        return f"the {difference.aspect} of {difference.place} differs, not only the values"
    source = found.source
    if source is None:
        return ""
    if found.kind == "arguments":
        place = difference.place if difference else ""
        if place in source.after and place not in event.after:
            return f"the source writes to {place}, the target does not: it has a copy"
    if not all(map(contiguous, source.arguments.values())) and experiment(None, True):
        return "with contiguous arguments the results agree: strides are lost before the kernel"
    for swap in _alike(source):
        if experiment(swap, False):
            return f"with {swap[0]} and {swap[1]} swapped the results agree: their order differs"
    return ""


def _alike(event: Event) -> Iterator[tuple[str, str]]:
    """Pairs of arguments that could stand in each other's place."""
    kinds = {
        place: (value["kind"], value.get("dtype", value.get("type")), value.get("hash", str(value)))
        for place, value in event.arguments.items()
    }
    pairs = (
        (one, other)
        for one, other in combinations(kinds, 2)
        if kinds[one][:2] == kinds[other][:2] and kinds[one][2] != kinds[other][2]
    )
    return islice(pairs, 6)


# ---------------------------------------------------- what the C++ sources say of it


def find_export(root: Path, name: str) -> str:
    """Where the sources give Python a function of this name, as file:line; "" where they do not."""
    found = ""
    for unit in _units(root):
        for index in unit.places(*EXPORTS):
            said = unit.tokens[index + 2 : index + 3]
            if not said or said[0].kind is not Kind.STRING:
                continue
            exports = re.match(r'"(?:\w+::)?(\w+)', said[0].text)
            if exports and exports[1] == name:
                found = f"{unit.path}:{unit.position(said[0].start)[0]}"
                body = _body(unit, index)
                if body:  # an implementation rather than a schema
                    return _find_definition(root, body) or found
    return found


def _body(unit: Unit, index: int) -> str:
    """The function that an export names, if it is not written in place."""
    tokens = unit.tokens[index + 3 : index + 12]
    names = [t.text for t in tokens if t.kind is Kind.NAME or t.text in ("[", ")")]
    before = names[: next((n for n, text in enumerate(names) if text in ("[", ")")), len(names))]
    return before[-1] if before else ""


def _find_definition(root: Path, name: str) -> str:
    """Where a function has its body."""
    found = (_place_of(u.code, f) for u in _units(root) for f in u.code.functions if f.name == name)
    return next(found, "")


def _place_of(code: Code, function: Function) -> str:
    named = (
        n for n in range(function.head, function.opening) if code.tokens[n].text == function.name
    )
    return f"{code.unit.path}:{code.line(next(named, function.head))}"


def _units(root: Path) -> Iterator[Unit]:
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and UNIT not in path.parts:
            yield cpp.parse(path.read_bytes(), path.relative_to(root).as_posix())


def find_polyfilled_members(root: Path, packages: Path) -> dict[str, str]:
    """The functions and members that the headers of vendored units and of the installed package
    of polyfills have, and where."""
    found: dict[str, str] = {}
    own = sorted(root.glob(f"**/{UNIT}/include/**/*"))
    given = sorted(packages.glob(f"{COMPAT}/pieces/include/**/*"))
    for home, header in (*((root, path) for path in own), *((packages, path) for path in given)):
        if header.is_file():
            code = cpp.parse(header.read_bytes(), header.relative_to(home).as_posix()).code
            for function in sorted((*code.functions, *code.declared), key=lambda f: f.head):
                found.setdefault(function.name, _place_of(code, function))
    return found
