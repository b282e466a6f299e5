"""`make mutants`: plant single faults in our fixtures, and see which of them parity finds.

Ports each fixture to Paddle, or, those for NPUs, to torch_npu, records once what its parity cases
give before, plants each fault of `tests/mutants/<fixture>.toml` in a copy of the patched tree, and
runs the cases on that. In code for NPUs faults are found by what `porter analyze` says, too.
A fault that cannot be planted or does not build is an error of the list, and never counts as found.
Usage: python -m tests.mutants [FIXTURE ...] [-k EXPR] [--repeat 20] [--output FOLDER]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from porter import targets
from porter.build import driver
from porter.cli.common import check, continue_run
from porter.cli.options import Flags
from porter.console import Console
from porter.emulators import triton_cpu
from porter.model import Cell, Device, Evidence, ParityResult, Status, Tree
from porter.parity import cases as parity_cases
from porter.parity import goldens
from porter.parity.run import run_parity
from porter.parity.side import Side
from porter.run.store import Run
from porter.stages import analyze, build, cell_options, migrate, parity
from porter.stages.options import Options
from porter.survey.discover import discover
from porter.survey.survey import survey
from tests.mutants.lists import FIXTURES, ListError, Mutant, chosen, planted

ENOUGH = 0.95  # the share of faults that parity has to find
ROUNDS = 5  # repeated runs in one process of each side; then there are new ones
PLACES = {  # device, evidence, target
    "cpu": (Device.CPU, Evidence.NATIVE, "paddle"),
    "emulated": (Device.CUDA, Evidence.EMULATED, "paddle"),
    "npu": (Device.NPU, Evidence.EMULATED, "torch_npu"),
}
COLUMNS = ("fixture", "fault", "kind", "found by", "phase", "cases that fail", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What parity said of one fault; `error` where the list is wrong, and nothing was run."""

    mutant: Mutant
    failed: int = 0  # cases
    cases: int = 0
    case: str = ""  # the first that failed
    phase: str = ""
    message: str = ""
    seconds: float = 0.0
    error: str = ""

    @property
    def found(self) -> bool:
        return self.failed > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A fixture, ported and built on both sides for a device, and what its cases give under the
    source."""

    name: str
    device: Device
    source: Cell
    target: Cell
    run: Run
    options: Options
    console: Console
    folder: Path

    @property
    def cases(self) -> Path:
        """Those of today, whatever the run has a copy of."""
        return FIXTURES / self.name / parity_cases.FILE_NAME

    def side(self, cell: Cell, python: Path, folder: Path, **more: str) -> Side:
        framework = targets.framework(cell.environment)
        folder.mkdir(parents=True, exist_ok=True)
        return Side(
            name="source" if cell == self.source else "target",
            python=python,
            prelude=framework.prelude,
            work=folder,
            # what is compiled when it is called is kept below: nobody else's is to be taken for it
            environment={**framework.activation, "HOME": str(folder / "home"), **more},
            on_line=self.console.line,
            timeout=60,
            plugins=triton_cpu.plugins(self.run.load().facts, self.device),
        )

    def python(self, cell: Cell) -> Path:
        """Raises ListError where the fixture itself was not built."""
        built = build.result_of(self.run.load(), cell)
        reason = parity.unusable(built)
        if built is None or built.python is None or reason:
            raise ListError(f"{self.name}: {reason}")
        return Path(built.python)

    def record(self) -> None:
        """Write down what the source gives; the target without a fault has to give that too."""
        side = self.side(self.source, self.python(self.source), self.folder / "source")
        goldens.record(self.cases, self.folder / "goldens", side, self.device)
        original = self.side(self.target, self.python(self.target), self.folder / "original")
        for result in goldens.replay(self.folder / "goldens", original):
            if result.status is not Status.OK:
                raise ListError(f"{self.name} without a fault: {told(result)}")

    def outcome(self, mutant: Mutant) -> Outcome:
        began = time.monotonic()
        folder = self.folder / "mutant"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            told = self._told(mutant, folder / "analyzed")
            if told:
                said = Outcome(mutant=mutant, failed=1, case=told, phase="analyze")
                return replace(said, seconds=time.monotonic() - began)
            python, variables = self._built(mutant, folder)
        except ListError as error:
            return Outcome(mutant=mutant, error=str(error))
        side = self.side(self.target, python, folder / "run", **variables)
        results = goldens.replay(self.folder / "goldens", side)
        failed = [result for result in results if result.status is not Status.OK]
        first = failed[0] if failed else None
        return Outcome(
            mutant=mutant,
            failed=len(failed),
            cases=len(results),
            case=first.case if first else "",
            phase=first.phase if first else "",
            message=first.message if first else "",
            seconds=time.monotonic() - began,
        )

    def _told(self, mutant: Mutant, folder: Path) -> str:
        """The rule for code for NPUs that finds more in the tree with the fault."""
        if self.device is not Device.NPU:
            return ""
        before = self._findings(self.run.tree)
        shutil.copytree(self.run.tree, folder, symlinks=True)
        (folder / mutant.file).write_text(planted(mutant, self.run.tree), encoding="utf-8")
        return ", ".join(sorted(self._findings(folder) - before))

    def _findings(self, tree: Path) -> Counter[str]:
        discovery = discover(tree)
        facts = survey(tree, discovery)
        found = analyze.find_in_ascend(self.run.load(), tree, discovery, facts, self.options)
        return Counter(f.rule for f in found.findings)

    def _built(self, mutant: Mutant, folder: Path) -> tuple[Path, Mapping[str, str]]:
        """An interpreter with the fault installed, and variables to run it with.

        A file that is installed as it is, is replaced in a copy of its package that is imported
        first; what is compiled is built again. Raises ListError.
        """
        text = planted(mutant, self.run.tree)
        python = self.python(self.target)
        (site,) = python.parent.parent.glob("lib/python*/site-packages")
        package, _, below = mutant.file.partition("/")
        there = site / mutant.file
        if below and _same(there, self.run.tree / mutant.file):
            below_work = folder / "run" / "site"  # which the sandbox shows
            copy = below_work / package
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(site / package, copy, ignore=ignored)
            (copy / below).write_text(text, encoding="utf-8")
            return python, {"PYTHONPATH": str(below_work)}
        tree = folder / "tree"
        shutil.copytree(self.run.tree, tree, symlinks=True)
        (tree / mutant.file).write_text(text, encoding="utf-8")
        kept = self.run.load()
        base = build.environment_for(self.run, kept, self.target, self.options, self.console)
        built = driver.build(
            tree,
            self.target,
            base,
            targets.framework(self.target.environment),
            folder / "cell",
            cell_options.options_of(kept, self.options, self.target),
            self.console.line,
        )
        if built.status is not Status.OK or built.python is None:
            raise ListError(f"{mutant} does not build: {built.reason}")
        return Path(built.python), {}

    def repeated(self, times: int) -> dict[str, int]:
        """How often each case failed in so many runs of both sides; those that never did are
        left out."""
        count: dict[str, int] = {}
        cases = parity_cases.load(self.cases)
        folder, plugins = (
            self.folder / "repeated",
            triton_cpu.plugins(self.run.load().facts, self.device),
        )
        before, after = (
            Side.create(c.environment, "", self.python(c), folder, self.console.line, plugins)
            for c in (self.source, self.target)
        )
        sides = before, after
        for start in range(0, times, ROUNDS):
            for result in run_parity(
                [*cases] * min(ROUNDS, times - start), sides, self.device, self.source.evidence
            ):
                if result.status is not Status.OK:
                    count[told(result)] = count.get(told(result), 0) + 1
        return count


def told(result: ParityResult) -> str:
    return f"{result.case}: {result.status} {result.phase} {result.message}"


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()


def bench(
    name: str,
    place: str,
    options: Options,
    console: Console,
    folder: Path,
    run_id: str | None = None,
) -> Bench:
    """A fixture ported and built: the run named, else one of the fixture as it is now."""
    device, evidence, framework = PLACES[place]
    source = Cell(Tree.UNPATCHED, targets.source(device).name, device, evidence)
    target = Cell(Tree.PATCHED, framework, device, evidence)
    emulated = evidence is Evidence.EMULATED
    asked = () if emulated else (device,)
    options = replace(options, devices=asked, emulated=emulated, target=framework)
    run, options = continue_run(str(FIXTURES / name), run_id, options, console, anew=True)
    if run.load().stage("migrate") is None:
        migrate.migrate(run, options, console)
    build.build_cells(run, [source, target], options, console)
    shutil.rmtree(folder, ignore_errors=True)
    return Bench(
        name=name,
        device=device,
        source=source,
        target=target,
        run=run,
        options=options,
        console=console,
        folder=folder.resolve(),
    )


# ---------------------------------------------------------------------- report


@dataclass(slots=True)
class Report:
    """All that was seen; `repeated` is (runs, cases, failures) of the originals by fixture."""

    outcomes: list[Outcome] = field(default_factory=list)
    repeated: dict[str, tuple[int, int, dict[str, int]]] = field(default_factory=dict)

    @property
    def errors(self) -> list[str]:
        return [outcome.error for outcome in self.outcomes if outcome.error]

    @property
    def good(self) -> bool:
        found = sum(outcome.found for outcome in self.outcomes)
        steady = not any(failures for _, _, failures in self.repeated.values())
        return steady and not self.errors and found >= ENOUGH * len(self.outcomes)

    def encoded(self) -> str:
        faults = [asdict(o) | {"found": o.found} for o in self.outcomes]
        kept = {
            name: {"runs": runs, "cases": cases, "failures": failures}
            for name, (runs, cases, failures) in self.repeated.items()
        }
        return json.dumps({"faults": faults, "originals": kept}, indent=1)

    def write(self, folder: Path) -> None:
        """To mutants.json and mutants.md."""
        (folder / "mutants.json").write_text(self.encoded(), encoding="utf-8")
        text = "\n".join([*self.lines(), ""])
        (folder / "mutants.md").write_text(text, encoding="utf-8")

    def lines(self) -> Iterator[str]:
        if self.outcomes:
            yield f"| {' | '.join(COLUMNS)} |"
            yield "|---" * len(COLUMNS) + "|"
            yield from map(_row, self.outcomes)
            found = sum(outcome.found for outcome in self.outcomes)
            errors = f", {len(self.errors)} errors of the lists" if self.errors else ""
            yield ""
            yield f"{found} of {len(self.outcomes)} faults found{errors}."
        for name, (runs, cases, failures) in self.repeated.items():
            yield ""
            yield f"{name}: {cases} cases without a fault, {runs} times: {len(failures)} failed."
            yield from (f"- {times} times {what}" for what, times in failures.items())


def _row(outcome: Outcome) -> str:
    mutant = outcome.mutant
    if outcome.error:
        how = ["error of the list", "", ""]
    elif outcome.found:
        cases = f"{outcome.failed} of {outcome.cases}" if outcome.cases else ""
        how = [outcome.case, outcome.phase, cases]
    else:
        how = ["**not found**", "", f"0 of {outcome.cases}"]
    cells = [mutant.fixture, mutant.wrong, mutant.kind, *how, f"{outcome.seconds:.0f}"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def run(
    asked: Mapping[str, Sequence[Mutant]],
    options: Options,
    console: Console,
    output: Path,
    repeat: int = 0,
    run_id: str | None = None,
) -> Report:
    """Try these faults; with `repeat` the cases are run so many times without one instead."""
    report = Report()
    for name, mutants in asked.items():
        for place in sorted({mutant.device for mutant in mutants}):
            where = name if place == "cpu" else f"{name}, {place}"
            folder = output / "work" / name / place
            made = bench(name, place, options, console, folder, run_id)
            if repeat:
                with console.stage(f"{where} {repeat} times, without a fault"):
                    failures = made.repeated(repeat)
                cases = [c for c in parity_cases.load(made.cases) if made.device in c.devices]
                report.repeated[where] = repeat, len(cases), failures
                continue
            with console.stage(f"{where}, without a fault, on both sides"):
                made.record()
            mine = [mutant for mutant in mutants if mutant.device == place]
            _tried(made, mine, console, report, output)
    return report


def _tried(
    made: Bench, mutants: Sequence[Mutant], console: Console, report: Report, output: Path
) -> None:
    for mutant in mutants:
        with console.stage(str(mutant)):
            outcome = made.outcome(mutant)
        console.note(f"  {outcome.error or outcome.phase or 'NOT FOUND'} {outcome.case}")
        report.outcomes.append(outcome)
        report.write(output)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("fixtures", nargs="*", metavar="FIXTURE")
    parser.add_argument(
        "-k", default="", metavar="EXPR", help='faults that say this: "softmax and not cast"'
    )
    parser.add_argument("--repeat", type=int, default=0, help="run the originals so many times")
    parser.add_argument("--output", type=Path, default=Path("build/mutants"))
    parser.add_argument("--run", metavar="ID", help="a run of the one FIXTURE, not a new one")
    parser.add_argument("--source-python", type=Path)
    parser.add_argument("--target-python", type=Path)
    said = parser.parse_args(arguments)
    if said.run and len(said.fixtures) != 1:
        parser.error("--run is of one FIXTURE")
    options = check(Flags(source_python=said.source_python, target_python=said.target_python))
    said.output.mkdir(parents=True, exist_ok=True)
    report = run(
        chosen(said.fixtures, said.k),
        options,
        Console(quiet=False),
        said.output,
        said.repeat,
        said.run,
    )
    report.write(said.output)
    sys.stdout.write("\n".join([*report.lines(), ""]))
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
