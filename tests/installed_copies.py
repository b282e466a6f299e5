"""`make copies`: sdist and wheel of real repositories, before and after the patch, under torch.

For each in tests/data/installed_copies.toml the tree is patched, the unpatched and the patched tree
are built under torch, and the sdist and the wheel of both are installed and tested apart from the
tree. All four must install, and the patched ones must give each test the outcome that it has
without the patch. A second migration of the patched tree must change nothing. Git repositories are
cloned, or taken from $PORTER_CORPUS_GIT/<owner>+<name>/repo where that is.
Usage: python -m tests.installed_copies [NAME ...] [--vendor] [--table FILE]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.console import Console
from porter.errors import PorterError
from porter.model import Delivery, Device, Evidence, Outcome, Tree
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, migrate, session
from porter.stages.configured import configure
from porter.stages.copies import Bench, Trial
from porter.stages.options import Options
from tests.conftest import ROOT
from tests.unmodified import Repository as Source
from tests.unmodified import clone, prepare_machine

LIST = Path(__file__).parent / "data" / "installed_copies.toml"
FORMS = ("sdist", "wheel")
TRIALS = 3  # of each, where a test has another outcome than before
Pairs = list[tuple[Trial, Trial]]  # of the unpatched and the patched tree, repeated
COLUMNS = "sdist: before | sdist: patched | wheel: before | wheel: patched"
HEAD = (
    f"| repository | form of the port | {COLUMNS} | second run | differences |\n"
    "|---|---|---|---|---|---|---:|---|"
)
NAMED = 3  # tests that a row lists


@dataclass(frozen=True, kw_only=True)
class Row:
    """What was found of one repository."""

    name: str
    form: str
    trials: Mapping[str, Pairs]  # of an sdist or a wheel
    second: int = 0  # files that another migration changes
    problem: str = ""  # why there is nothing to compare

    @property
    def differences(self) -> tuple[str, ...]:
        """What the patch changes; empty where the copies work as before."""
        found = [self.problem] if self.problem else []
        for form, pairs in self.trials.items():
            found += (f"{form}: {one}" for one in compare(pairs))
        return tuple(found)


def compare(pairs: Pairs) -> Iterator[str]:
    """How a copy of the patched tree differs from one of the unpatched tree: a test does whose
    outcome with the patch was in no trial without it."""
    before, after = pairs[-1]
    for said, trial in (("without the patch", before), ("with the patch", after)):
        if trial.problem:
            yield f"{said}: {trial.problem}"
    if before.problem or after.problem:
        return
    if not before.passed:
        yield "no test passes without the patch"
    names = sorted({*before.outcomes, *after.outcomes})
    other = [name for name in names if not is_seen_in_both(name, pairs)]
    for name in other[:NAMED]:
        yield f"{name}: {before.outcomes.get(name)}, then {after.outcomes.get(name)}"
    if len(other) > NAMED:
        yield f"{len(other) - NAMED} more tests"


def is_seen_in_both(name: str, pairs: Pairs) -> bool:
    """Whether a test had some outcome both without and with the patch."""
    earlier, later = (
        {trial.outcomes.get(name) for trial in trials} for trials in zip(*pairs, strict=True)
    )
    return not earlier.isdisjoint(later)


def listed() -> list[Source]:
    from cattrs import structure

    data = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return structure(data["repository"], list[Source])


def measure(source: Source, options: Options, folder: Path) -> Row:
    """Patch a repository, build it, and try what it installs."""
    tree = folder / "trees" / source.name.replace("/", "+")
    inside = "" if source.folder == "." else f"#{source.folder}"
    named = f"{source.name} `{inside}`" if inside else source.name
    shown = f"{named} {source.commit[:7]}"
    form = options.delivery or Delivery.PACKAGE
    try:
        clone(source, tree)
        return replace(try_copies(f"{tree}{inside}", options), name=shown, form=form.value)
    except (PorterError, subprocess.CalledProcessError) as error:
        return Row(name=shown, form=form.value, trials={}, problem=str(error))


def try_copies(source: str, options: Options) -> Row:
    """Try the sdist and the wheel of a source, before and after its patch."""
    console = Console()
    run, kept = migrate_source(source, options, console)
    before = build.baseline_cell(kept, Device.CPU, Evidence.NATIVE)
    after = replace(before, tree=Tree.PATCHED)
    kept = build.build_cells(run, (before, after), options, console)
    bench = Bench(run, kept, options, console)
    trials: dict[str, Pairs] = {}
    for form, attempt in {"sdist": bench.try_sdist, "wheel": bench.try_wheel}.items():
        pairs = trials[form] = [(attempt(before), attempt(after))]
        while [*compare(pairs)] and not has_problem(pairs) and len(pairs) < TRIALS:
            pairs.append((attempt(before), attempt(after)))  # tests with random results
    subdir = f"#{kept.source.subdir}" if kept.source.subdir else ""
    _, again = migrate_source(f"{run.tree}{subdir}", replace(options, delivery=None), console)
    patch = again.migration.patch
    return Row(name="", form="", trials=trials, second=patch.files if patch else 0)


def has_problem(pairs: Pairs) -> bool:
    return any(trial.problem for trial in pairs[-1])


def migrate_source(source: str, options: Options, console: Console) -> tuple[Run, RunRecord]:
    run = session.begin(source, console)
    return run, migrate.migrate(run, configure(run, options, console), console)


def line(row: Row) -> str:
    pairs = [row.trials[form][0] if form in row.trials else (None, None) for form in FORMS]
    cells = [count(trial) for pair in pairs for trial in pair]
    said = "; ".join(row.differences).replace("\n", " ").replace("|", "/")
    return f"| {' | '.join([row.name, row.form, *cells])} | {row.second} | {said[:600]} |"


def count(trial: Trial | None) -> str:
    """The outcomes of a trial in words: `5 passed, 1 skipped`."""
    if trial is None or trial.problem:
        return "-"
    counted = Counter(trial.outcomes.values())
    return ", ".join(f"{counted[one]} {one}" for one in Outcome if counted[one]) or "no tests"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--vendor", action="store_true", help="write what Paddle lacks into trees")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "installed-copies")
    parser.add_argument("--table", type=Path, help="write the table here")
    chosen = parser.parse_args()
    prepare_machine()
    delivery = Delivery.VENDORED if chosen.vendor else None
    rows = []
    for source in listed():
        if chosen.names and not any(name in source.name for name in chosen.names):
            continue
        options = Options(
            delivery=delivery, tests=source.tests or None, requires=source.requires, timeout=1800.0
        )
        rows.append(measure(source, options, chosen.folder.resolve()))
        sys.stdout.write(f"{line(rows[-1])}\n")
        sys.stdout.flush()
        if chosen.table:  # after each, so that an interrupted run leaves what it has
            chosen.table.write_text("\n".join([HEAD, *map(line, rows), ""]), encoding="utf-8")
    return 1 if any(row.differences or row.second for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
