"""Capture a surface from an installed framework, by workers that its own interpreter runs."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.errors import EnvironmentFailed, RuleError
from porter.host.home import WORKERS, rules_home
from porter.host.process import run
from porter.model import State, Step, Surface, Symbol
from porter.surface.calls import differences, read_calls
from porter.surface.cpp_capture import target_names, torch_names
from porter.surface.exports import exported, with_exports
from porter.surface.facts import condition
from porter.surface.load import TORCH, load_torch
from porter.surface.signatures import rejections
from porter.targets import TARGETS, home_of

TIMEOUT = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A state that a CPU build cannot show, with where it is known from."""

    name: str
    before: str  # the first version it no longer holds for
    state: State
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Code that leaves `holds` true where a name behaves as under torch."""

    name: str
    code: str
    fact: str  # `condition: sentence` where it does not hold
    state: State = State.DIFFERENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How a target's proxy is asked: rules/<target>/surface.toml."""

    package: str
    enable: str
    headers: str
    beside: tuple[str, ...] = ()
    instances: Mapping[str, str] = field(default_factory=dict)
    known: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True)
class _Worker:
    """Asks scripts that the framework's interpreter runs; JSON files go both ways."""

    python: Path
    folder: Path
    on_line: Callable[[str], None]

    def ask(self, name: str, asked: Mapping[str, Any] | None) -> Any:
        return self.run(WORKERS / f"{name}.py", asked)

    def run(self, script: Path, asked: Mapping[str, Any] | None = None) -> Any:
        name = script.stem
        question, answer, log = (self.folder / f"{name}.{end}" for end in ("ask", "json", "log"))
        files = [str(answer)]
        if asked is not None:
            question.write_text(json.dumps(asked), encoding="utf-8")
            files.insert(0, str(question))
        step = Step(
            name=name,
            argv=(str(self.python), str(script), *files),
            cwd=str(self.folder),
            timeout=TIMEOUT,
            foreign=False,
        )
        result = run(step, log, self.on_line)
        if not result.ok or not answer.exists():
            raise EnvironmentFailed(
                f"{self.python} could not answer {name}: {result.tail[-600:]}",
                hint="is the framework installed there? try: porter doctor",
            )
        return json.loads(answer.read_bytes())


def capture(
    python: Path,
    package: str,
    *,
    home: Path | None = None,
    on_line: Callable[[str], None] = lambda line: None,
) -> Surface:
    """The surface of a package as the given interpreter has it installed.

    Takes the interpreter, and `torch`, a target that captures itself, or one that has a
    surface.toml. The shipped ones are made again by `porter surface capture --python PYTHON
    --package NAME -o rules/NAME/surfaces/VERSION.json`, after torch's own where its version
    changes. Raises EnvironmentFailed when the package cannot be imported there, RuleError when
    porter's own tables are wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        worker = _Worker(python, Path(folder), on_line)
        if package == TORCH:
            return _torch(worker)
        target = TARGETS.get(package)
        own = target.capture(worker.run, worker.folder) if target is not None else None
        return own or _target(worker, package, home)


def ask(python: Path, package: str, names: Iterable[str]) -> dict[str, State]:
    """Whether a target as the interpreter has it installed has these Python names of torch.

    Raises EnvironmentFailed when the package cannot be imported there.
    """
    with tempfile.TemporaryDirectory() as folder:
        worker = _Worker(python, Path(folder), lambda line: None)
        answer = _names(worker, _request(package), dict.fromkeys(names, "attribute"))
    return {name: State(state) for name, (_, state, *_) in answer["names"].items()}


def _request(package: str, home: Path | None = None) -> Request:
    return read_request((home or home_of(package)) / package / "surface.toml")


def _names(worker: _Worker, request: Request, names: Mapping[str, str]) -> Any:
    instances = dict(request.instances)
    asked = {"enable": request.enable, "instances": instances, "names": dict(names)}
    return worker.ask("surface_target", asked)


def _torch(worker: _Worker) -> Surface:
    answer = worker.ask("surface_torch", None)
    return Surface(
        package=TORCH,
        version=answer["version"],
        build=answer["build"],
        python={
            name: Symbol(kind=kind, signatures=tuple(signatures))
            for name, (kind, signatures) in answer["names"].items()
        },
        cpp=torch_names(Path(answer["include"])),
    )


def _target(worker: _Worker, package: str, home: Path | None) -> Surface:
    request = _request(package, home)
    home = home or rules_home()
    torch = load_torch(home)
    kinds = {name: symbol.kind for name, symbol in torch.python.items()}
    answer = _names(worker, request, kinds)
    symbols = {name: _symbol(torch.python[name], *row) for name, row in answer["names"].items()}
    probes = read_probes(home / TORCH / "probes.toml")
    pairs = [[str(n), probe.code] for n, probe in enumerate(probes)]
    answers = worker.ask("surface_probes", {"enable": request.enable, "probes": pairs})
    calls = read_calls(home / TORCH / "calls.json")
    put = {"enable": request.enable, "calls": [[call.code, call.inputs] for call in calls]}
    differing = differences(calls, worker.ask("surface_calls", put))
    found = Surface(
        package=package,
        version=answer["version"],
        build=answer["build"],
        python=_with_calls(_with_probes(symbols, probes, answers), differing),
        cpp=with_exports(
            target_names(
                Path(answer["folder"]) / request.headers,
                [Path(answer["folder"]) / place for place in request.beside],
                torch.cpp,
            ),
            exported(Path(answer["folder"]), worker.folder),
        ),
    )
    return _with_known(found, request.known)


def _symbol(torch: Symbol, kind: str, state: str, text: str, sure: bool, home: str) -> Symbol:
    """What the target has for one torch name, with what its signature rejects."""
    if state != State.PRESENT.value:
        return Symbol(kind=torch.kind, state=State(state))
    facts: list[str] = []
    if torch.kind in ("class", "function") and kind in ("module", "attribute"):
        facts.append(f"call: is a {kind} here, not a {torch.kind}")
    elif text and sure:
        facts += rejections(torch.signatures, text, torch.kind == "member")
    different = any(fact.startswith("call: ") for fact in facts)
    return Symbol(
        kind=kind,
        state=State.DIFFERENT if different else State.PRESENT,
        signatures=(text,) if text else (),
        provenance=home,
        facts=tuple(facts),
    )


def _with_probes(
    symbols: Mapping[str, Symbol], probes: Iterable[Probe], results: Mapping[str, str | None]
) -> dict[str, Symbol]:
    out = dict(symbols)
    for number, probe in enumerate(probes):
        answer = results.get(str(number))
        if answer is None:
            out.setdefault(probe.name, Symbol(kind="attribute", provenance="probe"))
            if probe.state is State.MISSING:  # the probe is what can see it
                out[probe.name] = replace(out[probe.name], state=State.PRESENT)
            continue
        old = out.get(probe.name, Symbol(kind="attribute"))
        if old.state is State.MISSING:
            continue
        facts = (*(f for f in old.facts if condition(f) != condition(probe.fact)), probe.fact)
        out[probe.name] = replace(old, state=probe.state, facts=facts)
    return out


def _with_calls(
    symbols: Mapping[str, Symbol], differing: Mapping[str, Sequence[str]]
) -> dict[str, Symbol]:
    """With what calls on small inputs showed; what a probe says of every call stays."""
    out = dict(symbols)
    for name, found in differing.items():
        symbol = out.get(name)
        if symbol is None or symbol.state is State.MISSING:
            continue
        probed = any(condition(fact) == "call" for fact in symbol.facts)
        new = [fact for fact in found if not (probed and condition(fact) == "call")]
        always = any(condition(fact) == "call" for fact in new)
        state = State.DIFFERENT if always else symbol.state
        out[name] = replace(symbol, state=state, facts=(*symbol.facts, *new))
    return out


def _with_known(surface: Surface, known: Iterable[Known]) -> Surface:
    python, cpp = dict(surface.python), dict(surface.cpp)
    for fact in known:
        if _release(surface.version) >= _release(fact.before):
            continue
        names = cpp if "::" in fact.name or fact.name in cpp else python
        old = names.get(fact.name, Symbol(kind="function"))
        names[fact.name] = replace(old, state=fact.state, facts=(*old.facts, fact.source))
    return replace(surface, python=python, cpp=cpp)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def read_request(path: Path) -> Request:
    """The table of a target. Raises RuleError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        known = tuple(Known(**{**row, "state": State(row["state"])}) for row in table.pop("known"))
        beside = tuple(table.pop("beside", ()))
        return Request(**table, beside=beside, known=known)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(f"{path}: {error}", hint="see docs/how-to/add-a-target.md") from error


def read_probes(path: Path) -> tuple[Probe, ...]:
    """The behaviour probes. Raises RuleError."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["probe"]
        return tuple(
            Probe(**{**row, "state": State(row.get("state", State.DIFFERENT))}) for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(f"{path}: {error}", hint="a probe has name, code and fact") from error
