"""Capture a surface from an installed framework, by workers that its own interpreter runs."""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.errors import EnvironmentFailed, RuleError
from porter.host.home import WORKERS, page, rules_home
from porter.host.process import run
from porter.model import LACKED, Condition, Fact, State, Step, Surface, Symbol, When
from porter.surface.calls import Call, differences, read_calls
from porter.surface.calls import find_answered as find_answered_calls
from porter.surface.cpp_capture import add_exports, find_exports, target_names, torch_names
from porter.surface.errors import signature
from porter.surface.load import TORCH, load_torch
from porter.surface.quirks import Quirk, read_quirks
from porter.surface.signatures import rejections
from porter.targets import TARGETS, home_of

TIMEOUT = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How a target's proxy is asked: rules/<target>/surface.toml."""

    package: str
    enable: str
    headers: str
    beside: tuple[str, ...] = ()
    instances: Mapping[str, str] = field(default_factory=dict)
    completed: tuple[str, str] | None = None  # folder and name of a package that completes it

    @property
    def enabling(self) -> dict[str, Any]:
        """The entries of a request to a worker that enable it."""
        more = {"completed": self.completed} if self.completed else {}
        return {"enable": self.enable, **more}


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
                f"{self.python} failed to answer {name}: {result.tail[-600:]}",
                hint="check that the framework is installed there: porter doctor",
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


def find_answered(
    python: Path, surface: Surface, completed: tuple[Path, str]
) -> dict[str, tuple[str, ...]]:
    """The facts of a target's surface that do not hold in code which imports a package that
    completes the target: by name, as text; of a name that it lacks, `LACKED`.

    Takes the interpreter that the surface was captured from, without the package, and the folder
    and the name of the package. Raises EnvironmentFailed as `capture` does.
    """
    home, plain = rules_home(), _request(surface.package)
    calls = read_calls(home / TORCH / "calls.json")
    quirks = read_quirks(home / surface.package)
    with tempfile.TemporaryDirectory() as folder:
        worker = _Worker(python, Path(folder), lambda line: None)
        request = replace(plain, completed=(str(completed[0]), completed[1]))
        answers = (_ask_calls(worker, each, calls) for each in (plain, request))
        found = {name: [*said] for name, said in find_answered_calls(calls, *answers).items()}
        left, _ = _run_probes(worker, request, quirks.values())
        lacked = {n: s.kind for n, s in surface.python.items() if s.state is State.MISSING}
        given = _names(worker, request, lacked)
    for name, (_, state, *_) in given["names"].items():
        if state == State.PRESENT.value:
            found.setdefault(name, []).append(LACKED)
    for id, names in surface.quirks.items():
        for name in {*names} - {*left.get(id, names)}:
            found.setdefault(name, []).append(str(quirks[id].fact))
    return {name: tuple(sorted(said)) for name, said in sorted(found.items())}


def _request(package: str, home: Path | None = None) -> Request:
    return read_request((home or home_of(package)) / package / "surface.toml")


def _names(worker: _Worker, request: Request, names: Mapping[str, str]) -> Any:
    instances = dict(request.instances)
    asked = {**request.enabling, "instances": instances, "names": dict(names)}
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
    calls = read_calls(home / TORCH / "calls.json")
    differing = differences(calls, _ask_calls(worker, request, calls))
    holding, errors = _run_probes(worker, request, read_quirks(home / package).values())
    return Surface(
        package=package,
        version=answer["version"],
        build=answer["build"],
        python=_add_calls(symbols, differing),
        cpp=add_exports(
            target_names(
                Path(answer["folder"]) / request.headers,
                [Path(answer["folder"]) / place for place in request.beside],
                torch.cpp,
            ),
            find_exports(Path(answer["folder"]), worker.folder),
        ),
        quirks=holding,
        errors=errors,
    )


def _ask_calls(worker: _Worker, request: Request, calls: Sequence[Call]) -> Any:
    asked = {**request.enabling, "calls": [[call.code, call.inputs] for call in calls]}
    return worker.ask("surface_calls", asked)


def _run_probes(
    worker: _Worker, request: Request, quirks: Iterable[Quirk]
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Run the probes of quirks: by id, the names that do not behave as under torch, and what was
    raised there."""
    rows = [(q.id, name, code) for q in quirks for name, code in q.probes.items()]
    pairs = [[str(number), code] for number, (_, _, code) in enumerate(rows)]
    answers = worker.ask("surface_probes", {**request.enabling, "probes": pairs})
    found: dict[str, tuple[str, ...]] = {id: () for id, _, _ in rows}
    errors: dict[str, set[str]] = {}
    for number, (id, name, _) in enumerate(rows):
        said = answers.get(str(number))
        if said is None:
            continue
        found[id] = (*found[id], name)
        if said.get("raised", "AssertionError") != "AssertionError":  # one only says "differs"
            errors.setdefault(id, set()).add(signature(said["raised"], said["message"]))
    return found, {id: tuple(sorted(texts)) for id, texts in errors.items()}


def _symbol(torch: Symbol, kind: str, state: str, text: str, sure: bool, home: str) -> Symbol:
    """What the target has for one torch name, with what its signature rejects."""
    if state != State.PRESENT.value:
        return Symbol(kind=torch.kind, state=State(state))
    facts: list[Fact] = []
    if torch.kind in ("class", "function") and kind in ("module", "attribute"):
        facts.append(Fact(Condition(When.CALL), f"is a {kind} here, not a {torch.kind}"))
    elif text and sure:
        facts += rejections(torch.signatures, text, torch.kind == "member")
    different = any(fact.when is When.CALL for fact in facts)
    return Symbol(
        kind=kind,
        state=State.DIFFERENT if different else State.PRESENT,
        signatures=(text,) if text else (),
        provenance=home,
        facts=tuple(facts),
    )


def _add_calls(
    symbols: Mapping[str, Symbol], differing: Mapping[str, Sequence[Fact]]
) -> dict[str, Symbol]:
    """Add what calls on small inputs showed."""
    out = dict(symbols)
    for name, found in differing.items():
        symbol = out.get(name)
        if symbol is None or symbol.state is State.MISSING:
            continue
        always = any(fact.when is When.CALL for fact in found)
        state = State.DIFFERENT if always else symbol.state
        out[name] = replace(symbol, state=state, facts=(*symbol.facts, *found))
    return out


def read_request(path: Path) -> Request:
    """The table of a target. Raises RuleError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        beside = tuple(table.pop("beside", ()))
        return Request(**table, beside=beside)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(f"{path}: {error}", hint=f"see {page('how-to/add-a-target.md')}") from error
