"""The sdist and the wheel of the patched tree under the source framework, as people install them:
tried where the tree is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter import suite, targets
from porter.build import copies, environment, installed
from porter.build.cell import projects, work_tree
from porter.build.imports import Importer
from porter.errors import EnvironmentFailed
from porter.model import Cell, InstalledCopy, Outcome, Status, Tree
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, cell_options
from porter.stages.options import Options, Progress
from porter.targets import Environment

NAMED = 3  # tests that a reason lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one of them fared: what its tests gave, or why it does not work."""

    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    problem: str = ""
    content: Mapping[str, str] = field(default_factory=dict)  # of what was installed

    @property
    def passed(self) -> tuple[str, ...]:
        return _select_passing_tests(self.outcomes)


def try_copies(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> tuple[InstalledCopy, ...]:
    """The sdist and the wheel of the patched tree, of a cell that has it built.

    What fails is tried of the unpatched tree, too: what failed before is no fault of the patch.
    """
    bench = Bench(run, kept, options, progress)
    if not bench.is_built(cell) or not bench.is_installed(cell):
        return ()
    before = replace(cell, tree=Tree.UNPATCHED)
    ran = next((s for s in kept.suites if s.cell == cell), None)
    expected = _select_passing_tests(ran.outcomes) if ran is not None else ()
    by_sdist = bench.try_sdist(cell)
    first = judge_copy("sdist", by_sdist, expected, lambda: bench.try_sdist(before), cell)
    if by_sdist.content and by_sdist.content == bench.locate_build(cell).content():
        return first, replace(first, form="wheel")  # whose files are the same
    by_wheel = bench.try_wheel(cell)
    return first, judge_copy("wheel", by_wheel, expected, lambda: bench.try_wheel(before), cell)


def judge_copy(
    form: str, now: Trial, expected: tuple[str, ...], before: Callable[[], Trial], cell: Cell
) -> InstalledCopy:
    result = InstalledCopy(form=form, device=cell.device, status=Status.OK, passed=len(now.passed))
    lost = [name for name in expected if name not in now.passed]
    if not now.problem and not lost:
        return result
    earlier = before()
    if earlier.problem:
        reason = f"as before the patch: {earlier.problem}"
        return replace(result, status=Status.SKIPPED, reason=reason)
    lost = [name for name in lost if name in earlier.passed]
    if not now.problem and not lost:
        return result
    more = f" and {len(lost) - NAMED} more" if len(lost) > NAMED else ""
    said = f"{len(lost)} of {len(expected)} tests lost: {', '.join(lost[:NAMED])}{more}"
    reason = now.problem or said
    return replace(result, status=Status.FAILED, reason=reason, lost=tuple(lost))


def _select_passing_tests(outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    return tuple(n for n, outcome in outcomes.items() if outcome is Outcome.PASSED)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where they are built, installed and tested."""

    run: Run
    kept: RunRecord
    options: Options
    progress: Progress

    def is_built(self, cell: Cell) -> bool:
        built = build.result_of(self.kept, cell)
        return built is not None and built.status is Status.OK

    def is_installed(self, cell: Cell) -> bool:
        """Whether something of the tree is, and its tests do not run where they are."""
        chosen = cell_options.options_of(self.kept, self.options, cell, self._root(cell))
        return bool(projects(self._root(cell), chosen))

    def try_sdist(self, cell: Cell) -> Trial:
        """Build, install and test what the sdist of a cell's tree gives."""
        return self._try_copy(cell, "sdist", self._install_from_sdist)

    def try_wheel(self, cell: Cell) -> Trial:
        """Test what was installed for a cell, whose build made a wheel of the tree."""
        return self._try_copy(cell, "wheel", lambda cell, folder: self.locate_build(cell))

    def locate_build(self, cell: Cell) -> copies.Copy:
        folder = build.folder_of(self.run, cell)
        return copies.copy_of_build(self._overlay(cell), work_tree(folder).resolve())

    def _try_copy(
        self, cell: Cell, form: str, installing: Callable[[Cell, Path], copies.Copy]
    ) -> Trial:
        if not self.is_built(cell):
            return Trial(problem=f"the {cell.tree} tree does not build")
        folder = build.folder_of(self.run, cell) / form
        label = f"the {form} of the {cell.tree} tree, installed and tested under {cell.environment}"
        with self.progress.stage(label):
            try:
                return self._test_copy(cell, installing(cell, folder), folder)
            except EnvironmentFailed as error:
                return Trial(problem=str(error))

    def _install_from_sdist(self, cell: Cell, folder: Path) -> copies.Copy:
        root, framework = self._root(cell), targets.framework(cell.environment)
        chosen = cell_options.options_of(self.kept, self.options, cell, root)
        where, on_line = self._overlay(cell), self.progress.line
        return copies.copy_of_sdist(root, cell, where, framework, folder, chosen, on_line)

    def _overlay(self, cell: Cell) -> Environment:
        base = build.environment_for(self.run, self.kept, cell, self.options, self.progress)
        return environment.open_overlay(base, build.folder_of(self.run, cell) / "venv")

    def _root(self, cell: Cell) -> Path:
        """The tree of a cell as it was before it was built."""
        if cell.tree is Tree.PATCHED:
            return self.run.tree
        fixed = any(b.needs_fixes for b in self.kept.builds if b.cell == cell)
        return self.run.fixed if fixed else self.run.base

    def _test_copy(self, cell: Cell, copy: copies.Copy, folder: Path) -> Trial:
        facts, framework = self.kept.facts, targets.framework(cell.environment)
        assert facts is not None
        subdir, names = self.kept.source.subdir or "", copy.files()
        tree = copies.copy_apart(self._root(cell), folder / "apart", subdir, facts, names)
        (folder / "logs").mkdir(exist_ok=True)
        importer = Importer(
            environment=copy.where,
            framework=framework,
            tree=tree,
            folder=folder,
            prelude=framework.prelude,
            label="import",
        )
        problems = importer.run(installed.modules(copy.site, names)).problems
        if problems:
            return Trial(problem=installed.describe_unimported(problems), content=copy.content())
        ran = suite.run_suite(
            tree / subdir,
            cell,
            copy.where.python,
            self.options.tests,
            facts,
            framework.activation,
            folder / "logs" / "tests.log",
            self.options.timeout,
            self.progress.line,
            prelude=framework.prelude,
        )
        return Trial(outcomes=ran.outcomes, content=copy.content())
