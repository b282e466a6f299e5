"""Run one call under both frameworks, recorded, and say where their ways part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.model import Device, ParityCase, Tolerance
from porter.parity import diverge, layers, trace
from porter.parity.diverge import Divergence
from porter.parity.layers import Layer
from porter.parity.reproduce import Bench, Reproduction, agrees, reproduce, written
from porter.parity.side import Side, ask, write_inputs
from porter.parity.trace import Event
from porter.parity.values import Judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a side's package was built from, and the import names of what is in it."""

    root: Path
    packages: Mapping[str, str]  # import name -> folder in the root


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The first operation that differs, its layer, and a script that shows it."""

    divergence: Divergence
    layer: Layer
    reproduction: Reproduction
    traces: tuple[Path, Path]
    frameworks: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """`finding` is None where no operation differs; how each side ended says whether that is so."""

    finding: Finding | None
    operations: tuple[int, int]  # that each side made
    endings: tuple[str, str]  # what each raised, or nothing
    folder: Path  # with traces and script


def examine_case(
    case: ParityCase,
    device: Device,
    sides: tuple[Side, Side],
    trees: tuple[Sources, Sources],
    frameworks: tuple[str, str],
    folder: Path,
    place: tuple[str, int] = ("", 0),
) -> Examined:
    """Make a case's call under both, one after the other, and examine what was recorded.

    `sides` say how each framework is run; their folders, inputs and plugins are set here. `place`
    is where the case stands.
    """
    jobs = write_inputs([case], folder / "inputs")
    endings = []
    for number, (side, tree) in enumerate(zip(sides, trees, strict=True)):
        recorded = _recorded(folder, number)
        before = _recorded(folder, 0) if number else None
        environment = trace.prepare(recorded, tree.root, tree.packages, before)
        asked = replace(
            side,
            inputs=folder / "inputs",
            folder=folder / side.name,
            environment={**side.environment, **environment},
            plugins=(*side.plugins, trace.PLUGIN),
        )
        found = ask(asked, jobs, device)
        answer = found.by_case.get(0)
        endings.append(found.unavailable or (answer.raised if answer else "no answer"))
    return examine(
        folder,
        trees[1],
        Bench(
            source=_recorded(folder, 0),
            pythons=(sides[0].python, sides[1].python),
            environments=(sides[0].environment, sides[1].environment),
            names=frameworks,
            prelude=sides[1].prelude,
            imports=case.imports,
        ),
        (endings[0], endings[1]),
        tolerance=case.tolerance,
        place=place,
    )


def examine(
    folder: Path,
    tree: Sources,
    bench: Bench,
    endings: tuple[str, str],
    *,
    tolerance: Tolerance | None = None,
    place: tuple[str, int] = ("", 0),
) -> Examined:
    """Compare the traces that lie in a folder; scripts to reproduce are written beside them.

    `tree` is what the target was built from, `endings` what each side raised.
    """
    folders = _recorded(folder, 0), _recorded(folder, 1)
    source, target = (trace.read(each, place) for each in folders)
    found = diverge.first(source, target, Judge(*folders, tolerance))
    counts = tuple(sum(e.kind == "operation" for e in each.events) for each in (source, target))
    finding = found and _finding(found, folder, tree, bench)
    return Examined(
        finding=finding, operations=(counts[0], counts[1]), endings=endings, folder=folder
    )


def _recorded(folder: Path, number: int) -> Path:
    return folder / f"trace.{('source', 'target')[number]}"


def _finding(found: Divergence, folder: Path, tree: Sources, bench: Bench) -> Finding:
    def experiment(swap: tuple[str, str] | None, flat: bool) -> bool:
        call = written(found.source, swap, flat=flat) if found.source else "none"
        return not isinstance(call, str) and agrees(folder / "experiment", call, bench)

    layer = layers.layer(found, tree.root, experiment)
    return Finding(
        divergence=found,
        layer=layer,
        reproduction=_reproduction(found, layer, folder, bench),
        traces=(_recorded(folder, 0), _recorded(folder, 1)),
        frameworks=bench.names,
    )


def _reproduction(found: Divergence, layer: Layer, folder: Path, bench: Bench) -> Reproduction:
    own = found.source if found.kind != "inputs" else None
    events: list[Event] = [event for event in (own, *found.around) if event is not None]
    operations = [event for event in dict.fromkeys(map(id, events))]
    chosen = [next(e for e in events if id(e) == number) for number in operations]
    unit = Path(layer.place.rpartition(":")[0]) if layer.name == layers.POLYFILL else None
    title = f"{layer.name}: {found.message}"
    return reproduce(chosen, folder / "reproduce", bench, unit, title.replace('"""', "'''"))
