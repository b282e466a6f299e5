"""Run one call under both frameworks, recorded, and say where their ways part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from porter.model import Device, Divergence, FirstDifference, ParityCase, Tolerance
from porter.parity import diverge, layers, trace
from porter.parity.answers import Answer
from porter.parity.compare import compare
from porter.parity.diverge import Parting
from porter.parity.layers import Layer
from porter.parity.reproduce import Bench, Reproduction, Sources, agrees, reproduce
from porter.parity.script import written
from porter.parity.side import ask, write_inputs
from porter.parity.trace import Event
from porter.parity.values import Judge
from porter.parity.values import shown as shown_value


def examine_case(
    case: ParityCase,
    device: Device,
    bench: Bench,
    trees: tuple[Sources, Sources],
    place: tuple[str, int] = ("", 0),
) -> Divergence:
    """Make a case's call under both, one after the other, and examine what was recorded.

    `place` is where the case stands.
    """
    jobs = write_inputs([case], bench.folder / "inputs")
    answers: list[Answer] = []
    for number, (side, tree) in enumerate(zip(bench.sides, trees, strict=True)):
        environment = {**side.environment, **bench.recording(number, tree)}
        plugins = (*side.plugins, trace.PLUGIN)
        asked = replace(side, work=bench.folder, environment=environment, plugins=plugins)
        found = ask(asked, jobs, device)
        answers.append(found.by_case.get(0) or Answer(raised=found.unavailable, phase="call"))
    judgement = compare(case, answers[0], answers[1])
    wrong = f"{judgement.phase}: {judgement.message}" if judgement.phase else ""
    raised = [answer.raised if wrong else "" for answer in answers]  # both may, where that is right
    endings = raised[0], raised[1] or wrong
    return examine(case.name, trees[1], bench, endings, tolerance=case.tolerance, place=place)


def examine(
    name: str,
    tree: Sources,
    bench: Bench,
    endings: tuple[str, str],
    *,
    tolerance: Tolerance | None = None,
    place: tuple[str, int] = ("", 0),
) -> Divergence:
    """Compare the traces of both sides; scripts to reproduce are written beside them.

    `tree` is what the target was built from, `endings` what is wrong with each side's, or nothing.
    """
    folders = bench.trace(0), bench.trace(1)
    source, target = (trace.read(each, place) for each in folders)
    alike = not any(endings)
    found = diverge.first(source, target, Judge(*folders, tolerance), alike=alike)
    counts = tuple(sum(e.kind == "operation" for e in each.events) for each in (source, target))
    return Divergence(
        name=name,
        frameworks=bench.names,
        operations=(counts[0], counts[1]),
        endings=endings,
        folder=str(bench.folder),
        first=_said(found, tree, bench) if found else None,
    )


def _said(found: Parting, tree: Sources, bench: Bench) -> FirstDifference:
    def experiment(swap: tuple[str, str] | None, flat: bool) -> bool:
        call = written(found.source, swap, flat=flat) if found.source else "none"
        return not isinstance(call, str) and agrees(bench.folder / "experiment", call, bench)

    layer = layers.layer(found, tree.root, experiment)
    shown = _reproduction(found, layer, bench)
    event = found.target or found.source
    assert event is not None
    told = found.source or event
    return FirstDifference(
        kind=found.kind,
        message=found.message,
        path=event.site.path,
        line=event.site.line,
        source_line=found.source.site.line if found.source else None,
        function=event.site.function,
        operation=event.site.label,
        layer=layer.name,
        sure=layer.sure,
        evidence=layer.evidence,
        place=layer.place.removeprefix(f"{tree.root.resolve()}/").removeprefix(f"{tree.root}/"),
        arguments={p: shown_value(v, bench.trace(0)) for p, v in told.arguments.items()},
        source=_came(found, found.source, bench.trace(0)),
        target=_came(found, found.target, bench.trace(1)),
        agreed=found.agreed,
        slight=tuple(f"{_where(e)}: {d.place}: {d.message}" for e, d in found.slight),
        only_source=tuple(map(_where, found.only_source)),
        only_target=tuple(map(_where, found.only_target)),
        script=str(shown.path or ""),
        needs=shown.needs,
        said=shown.said,
        no_script=shown.reason,
    )


def _where(event: Event) -> str:
    return f"{event.site.path}:{event.site.line} {event.site.label}"


def _came(found: Parting, event: Event | None, folder: Path) -> str:
    """What one side has where the two differ: the value, what an argument became, or an error."""
    if event is None:
        return "went on" if found.kind == "error" else ""
    if event.error:
        return event.error
    side = 0 if event is found.source else 1
    if found.difference is not None and found.kind in ("inputs", "arguments"):
        return shown_value((found.difference.source, found.difference.target)[side], folder)
    return shown_value(event.result, folder) if event.result else "did not return"


def _reproduction(found: Parting, layer: Layer, bench: Bench) -> Reproduction:
    own = found.source if found.kind != "inputs" else None
    around = [event for event in found.around if event is not own]
    events = [own, *around] if own is not None else around
    unit = Path(layer.place.rpartition(":")[0]) if layer.name == layers.POLYFILL else None
    title = f"{layer.name}: {found.message}"
    return reproduce(events, bench.folder / "reproduce", bench, unit, title.replace('"""', "'''"))
