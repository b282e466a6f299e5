"""A repository without tests: its operators called with small inputs, compared under both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from porter.host import process
from porter.host.endings import describe_ending
from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import Device, ParityCase, ParityResult, Status, Step
from porter.parity.run import run_parity, skip_cases
from porter.parity.side import Side
from porter.parity.signatures import TRIALS, arguments, parameters, takes_tensors

WORKER = WORKERS / "list_operators.py"
CALL_TIMEOUT = 20.0  # seconds for one call


@dataclass(frozen=True, slots=True)
class Calls:
    """Modules that could be imported, and of each operator a call, or why there is none."""

    imports: tuple[str, ...]
    made: Mapping[str, ParityCase | str]


def smoke(
    modules: Sequence[str], source: Side, target: Side, device: Device
) -> tuple[ParityResult, ...]:
    """A result for each operator that importing the `modules` brings under the source.

    The inputs are those of `calls`; an operator that has none is SKIPPED with the reason.
    """
    found = calls(modules, source, device).made
    chosen = [case for case in found.values() if isinstance(case, ParityCase)]
    work = source.work / "compared"
    one, other = (replace(side, work=work, timeout=CALL_TIMEOUT) for side in (source, target))
    results = list(run_parity(chosen, (one, other), device))
    for name, why in found.items():
        if isinstance(why, str):
            results += skip_cases([ParityCase(name=name, call="")], device, f"not called: {why}")
    return tuple(replace(result, made=True) for result in results)


def calls(modules: Sequence[str], source: Side, device: Device) -> Calls:
    """A call of each operator that importing the `modules` brings, or why there is none.

    The inputs are the first of a few with which the source answers twice the same. There are none
    of what takes no tensor, of classes, and where no inputs are taken.
    """
    listed = _ask_worker(modules, source)
    if isinstance(listed, str):
        return Calls((), {"operators": listed})
    imports = tuple(listed.get("imported", ()))
    found: dict[str, ParityCase | str] = dict.fromkeys(
        listed.get("classes", ()), "a class: porter creates no instances"
    )
    trials: list[ParityCase] = []
    for operator in listed.get("operators", ()):
        made = _trials(operator, device, imports)
        untold = "it accepts none of the inputs that porter tried"
        found[operator["name"]] = made if isinstance(made, str) else untold
        trials += [] if isinstance(made, str) else made
    for case in steady(trials, replace(source, work=source.work / "inputs"), device):
        name = case.name.rpartition(" #")[0]
        if isinstance(found[name], str):
            found[name] = replace(case, name=name)
    return Calls(imports, found)


def steady(cases: Sequence[ParityCase], source: Side, device: Device) -> list[ParityCase]:
    """Those that give the same twice under the source."""
    side = replace(source, timeout=CALL_TIMEOUT)
    tried = run_parity(cases, (side, side), device, excuse=False)
    good = {result.case for result in tried if result.status is Status.OK}
    return [case for case in cases if case.name in good]


def _ask_worker(modules: Sequence[str], side: Side) -> dict[str, Any] | str:
    """What the worker found, or why it found nothing."""
    folder = side.work
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "operators.json"
    out.unlink(missing_ok=True)
    step = Step(
        name="operators",
        argv=(str(side.python), "-P", str(WORKER), side.prelude, str(out), *modules),
        cwd=str(folder),
        environment=side.environment,
        timeout=600,
        writable=(str(folder),),
    )
    ended = process.run(step, folder / "operators.log")
    if not out.is_file():
        return f"they could not be listed: the process {describe_ending(ended)}"
    try:
        return read_table(out.read_text(encoding="utf-8"))
    except ValueError as error:
        return f"they could not be listed: {error}"


def _trials(
    operator: Mapping[str, str], device: Device, imports: tuple[str, ...]
) -> list[ParityCase] | str:
    """The calls to try, or why there is none."""
    types = parameters(operator["written"])
    if types is None or not takes_tensors(types):
        return "it accepts no tensors" if types is not None else "its parameters are unknown"
    cases = []
    for number, trial in enumerate(TRIALS):
        made = arguments(types, trial)
        if isinstance(made, str):
            return f"porter knows no value for {made}"
        cases.append(
            ParityCase(
                name=f"{operator['name']} #{number}",
                call=operator["call"],
                args=made[0],
                kwargs=made[1],
                devices=(device,),
                imports=imports,
            )
        )
    return cases
