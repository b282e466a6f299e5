"""Build one cell: its own copy of the tree, its own overlay, steps as data, then imports."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PathDistribution
from pathlib import Path

from porter.build import (
    ascend_emulation,
    binaries,
    compat,
    diagnostics,
    emulation,
    installed,
    packages,
    pip,
    requirements,
    undeclared,
)
from porter.build.cell import (
    Options,
    cache_of,
    cell_name,
    copy_tree,
    has_no_build,
    nothing_to_build,
    preparation,
    projects,
    variables,
    work_tree,
)
from porter.build.environment import overlay
from porter.build.imports import Importer, Imports
from porter.build.permitted import permit
from porter.build.units import compile_cell
from porter.host import files, process
from porter.host.endings import describe_ending
from porter.host.output import OnLine
from porter.model import (
    Ascend,
    BuildResult,
    Cell,
    Device,
    Diagnostic,
    Evidence,
    Status,
    StepResult,
)
from porter.targets.protocol import Environment, Framework

__all__ = ["Options", "build", "cell_name", "work_tree"]

_MAX_MODULES = 60


def build(
    root: Path,
    cell: Cell,
    base: Environment,
    framework: Framework,
    folder: Path,
    options: Options | None = None,
    on_line: OnLine = lambda line: None,
) -> BuildResult:
    """Install the project of a tree for one cell, in `folder`, and import what came of it.

    `root` is read only. `folder` gets `tree/` (the built copy, where the tests run), `venv/` and
    `logs/`. A build that fails is a result. Raises NetworkError and EnvironmentFailed.
    """
    options = options or Options()
    options = replace(options, cache=cache_of(folder, root, options))
    if reason := has_no_build(root, options):
        return BuildResult(cell=cell, status=Status.SKIPPED, reason=reason)
    tree = copy_tree(root, work_tree(folder))
    environment = overlay(base, folder / "venv", options.compat_wheel)
    if options.everywhere:
        compat.act_everywhere(environment, tree, folder / "logs")
    problems: tuple[Diagnostic, ...] = ()
    if cell.evidence is Evidence.EMULATED:
        problems = _emulate(cell, environment, tree / options.subdir, folder, options)
    if cell.device is Device.NPU:
        problems += tuple(_entries(framework, environment, tree / options.subdir, folder, options))
    run = _Run(cell, environment, framework, tree, folder, options, on_line)
    prepared = run.prepare()
    if prepared is not None and not prepared.ok:
        return run.not_prepared(prepared)
    if cell.evidence is Evidence.COMPILED:
        done = compile_cell(cell, environment, framework, tree, options, on_line)
    else:
        done = run.all()
    if options.cache is not None:
        options.cache.take_over()
    first = () if prepared is None else (prepared,)
    return replace(done, steps=(*first, *done.steps), diagnostics=(*problems, *done.diagnostics))


def _emulate(
    cell: Cell, environment: Environment, project: Path, folder: Path, options: Options
) -> tuple[Diagnostic, ...]:
    """Give a cell its device; what of the project could not be built for it."""
    if cell.device is not Device.NPU:
        emulation.install(environment, folder / "logs")
        if compat.is_installed(environment):  # the emulation has other headers
            compat.prepare(environment, folder / "logs")
        return ()
    toolkit = ascend_emulation.folder(environment)
    made = ascend_emulation.build_packages(
        options.ascend or Ascend(), project, folder / "opp", toolkit
    )
    ascend_emulation.install(environment, packages=made.folders)
    return made.problems


def _entries(
    framework: Framework, environment: Environment, project: Path, folder: Path, options: Options
) -> Iterator[Diagnostic]:
    """What is wrong with entries for OpPlugin."""
    ascend, work = options.ascend or Ascend(), folder / "logs" / "entries"
    for one in ascend_emulation.entry_problems(
        framework, ascend, project, environment.python, work
    ):
        yield replace(one, path=one.path and posixpath.join(options.subdir, one.path))


@dataclass(frozen=True, slots=True)
class _Run:
    """One cell while it is built."""

    cell: Cell
    environment: Environment
    framework: Framework
    tree: Path
    folder: Path
    options: Options
    on_line: OnLine

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def site(self) -> Path:
        return Path(self.environment.paths[0])

    def prepare(self) -> StepResult | None:
        """What came of the command that is to be run before the build; None where there is none."""
        step = preparation(self.tree, self.cell, self.environment, self.framework, self.options)
        return None if step is None else process.run(step, self.logs / "prepare.log", self.on_line)

    def not_prepared(self, result: StepResult) -> BuildResult:
        words = shlex.join(self.options.prepare)
        reason = f"--prepare: `{words}` {describe_ending(result)}"
        problem = diagnostics.plain("prepare", result.tail.strip().rpartition("\n")[2] or reason)
        failed = replace(self._result(Status.FAILED), steps=(result,), reason=reason)
        return replace(failed, diagnostics=(problem,))

    def all(self) -> BuildResult:
        project = self.tree / self.options.subdir
        first: list[StepResult] = []
        for number, needed in enumerate(self.options.needed):
            built = self._install_needed(needed, f"with-{number}")
            if built.status is not Status.OK:
                return replace(built, reason=f"{needed.name}, which it needs: {built.reason}")
            first += built.steps
        begun, tools, new = self._install_all()
        begun = replace(begun, steps=(*first, *begun.steps))
        if begun.status is not Status.OK:
            return begun
        wanted = self._find_declared(new)
        wanted += [*requirements.test_requirements(project), *self.options.extras]
        wanted = requirements.drop_named(wanted, [name.partition("-")[0] for name in new])
        unasked = undeclared.find_undeclared(project, wanted, self.environment)
        extras = self._require([*wanted, *unasked], "requirements")
        names = tuple(n for name in new for n in installed.files(self.site, name))
        modules = installed.modules(self.site, names)
        seen = self._examine(names)
        done, added = self._import(names, modules[:_MAX_MODULES])
        beside = installed.find_beside(names, modules, done.imported)
        aside = {name: done.failed.pop(name) for name in beside & done.failed.keys()}
        seen, problems = installed.together(seen, done.problems, modules, tuple(done.imported))
        inner = Imports()
        if not problems:  # of a package that fails, each module would say the same
            inner = self._imports("import-inner").run(installed.inner(names))
        for folder in projects(self.tree, self.options):
            installed.complete(self.site, names, self.tree / folder)
        return replace(
            begun,
            status=Status.FAILED if problems else Status.OK,
            reason=installed.describe_unimported(problems) if problems else self._in_place(),
            steps=(*begun.steps, *extras.steps, *done.steps, *inner.steps),
            diagnostics=(
                *begun.diagnostics,
                *installed.refusals(tools),
                *installed.refusals(extras),
                *installed.ports(extras, self.framework.ported),
                *installed.find_lacking(unasked),
                *installed.left_out(added),
                *seen,
                *problems,
            ),
            modules=tuple(done.imported),
            inner_modules=tuple(inner.imported),
            failed_imports={name: found[-1] for name, found in (aside | inner.failed).items()},
        )

    def _import(
        self, names: tuple[str, ...], modules: tuple[installed.Module, ...]
    ) -> tuple[Imports, tuple[str, ...]]:
        """Import modules; where one fails, once more with the files that the wheel left out of
        packages, as an editable install has them. What was added is given if that helped."""
        done = self._imports("import").run(modules)
        folders = projects(self.tree, self.options) if done.failed else ()
        added = tuple(
            path
            for folder in folders
            for path in installed.add_left_out(self.site, names, self.tree / folder, done.problems)
        )
        if not added:
            return done, ()
        again = self._imports("import-again").run(modules)
        again.steps[:0] = done.steps
        if again.failed != done.failed:  # fewer, or what comes after the first error
            return again, added
        for path in added:
            (self.site / path).unlink()
        return replace(done, steps=again.steps), ()

    def _imports(self, label: str) -> Importer:
        return Importer(
            environment=self.environment,
            framework=self.framework,
            tree=self.tree,
            folder=self.folder,
            prelude="" if self.options.everywhere else self.framework.prelude,
            label=label,
        )

    def _install_all(self) -> tuple[BuildResult, packages.Installed, list[str]]:
        """Every project of the tree built and installed, one after the other, until one fails."""
        folders = projects(self.tree, self.options)
        if len(folders) == 1:
            return self._install(self.tree, replace(self.options, subdir=folders[0]), "")
        done, refused, new = self._result(Status.OK), list[tuple[str, str]](), list[str]()
        for number, folder in enumerate(folders):
            options = replace(self.options, subdir=folder)
            begun, tools, more = self._install(self.tree, options, f"project-{number}-")
            reason = f"{folder}: {begun.reason}" if begun.reason else ""
            found, steps = (*done.diagnostics, *begun.diagnostics), (*done.steps, *begun.steps)
            done = replace(begun, steps=steps, reason=reason, diagnostics=found)
            refused += tools.refused
            new += more
            if begun.status is not Status.OK:
                break
        return done, packages.Installed(refused=tuple(refused)), sorted(new)

    def _install(
        self, tree: Path, options: Options, label: str
    ) -> tuple[BuildResult, packages.Installed, list[str]]:
        """A project built and installed by the environment's own tools, with what it asks for to be
        built; and what is new then."""
        asked = requirements.build_requirements(tree / options.subdir, self.environment)
        tools = self._require(asked, f"{label}build-requirements")
        before = installed.distributions(self.site)
        added = variables(tree, self.cell, self.environment, self.framework, options)
        step = pip.step(
            self.environment.python,
            "install",
            ("install", "--no-build-isolation", "--no-deps", "--no-cache-dir", "-v", "."),
            cwd=tree / options.subdir,
            environment=added,
            timeout=options.timeout,
            failure_marks=self.framework.failure_marks,
            writable=(tree.parent, self.site),
        )
        result = process.run(step, self.logs / f"{label}install.log", self.on_line)
        begun = replace(self._result(Status.OK), steps=(*tools.steps, result))
        if again := permit(step, result, lambda older: self._can_install(older, label)):
            step, said = again
            result = process.run(step, self.logs / f"{label}install-again.log", self.on_line)
            problem = diagnostics.plain("pip", said, "warning")
            steps = (*begun.steps, result)
            begun = replace(begun, steps=steps, diagnostics=(problem,))
        if not result.ok:
            return self._make_failure(begun, result, tools), tools, []
        return begun, tools, sorted(installed.distributions(self.site) - before)

    def _install_needed(self, root: Path, label: str) -> BuildResult:
        """Another project that this one needs, from a copy of its own, with what it declares."""
        tree = copy_tree(root, self.folder / label / "tree")
        options = replace(self.options, subdir="", build_scripts=("setup.py",))
        begun, _, new = self._install(tree, options, f"{label}-")
        if begun.status is not Status.OK:
            return begun
        more = self._require(self._find_declared(new), f"{label}-requirements")
        return replace(begun, steps=(*begun.steps, *more.steps))

    def _examine(self, names: tuple[str, ...]) -> tuple[Diagnostic, ...]:
        """What the built libraries will not find, said before they are imported."""
        libraries = installed.libraries(self.site, names)
        found = binaries.check(libraries, self.environment, self.framework, self.tree, self.logs)
        for item in found:
            self.on_line(f"{item.path}: {item.message}")
        return found

    def _result(self, status: Status) -> BuildResult:
        return BuildResult(cell=self.cell, status=status, python=str(self.environment.python))

    def _require(self, wanted: Iterable[str], name: str) -> packages.Installed:
        if not self.options.requirements:
            return packages.Installed()
        named = requirements.replace_ported(wanted, self.framework.ported)
        pieces = self.options.compat_wheel
        done = packages.install(self.environment, named, self.logs, name, self.on_line, pieces)
        files.share(self.site, self.folder.with_name("shared"))
        return done

    def _in_place(self) -> str:
        """Why nothing is installed, so that the tests run in the tree; empty where something is."""
        if projects(self.tree, self.options):
            return ""
        return f"not installed: {nothing_to_build(self.tree / self.options.subdir)}"

    def _can_install(self, requirement: str, label: str) -> bool:
        return not self._require([requirement], f"{label}older").refused

    def _find_declared(self, names: Iterable[str]) -> list[str]:
        found = (PathDistribution(self.site / name) for name in names)
        return [r for one in found for r in requirements.run_requirements(one)]

    def _make_failure(
        self, begun: BuildResult, result: StepResult, tools: packages.Installed
    ) -> BuildResult:
        text = Path(result.log).read_text(encoding="utf-8", errors="replace")
        found = diagnostics.spell_out_symbols(diagnostics.parse(text, self.tree), self.logs)
        if result.timed_out:
            reason = f"the build did not finish within {self.options.timeout:.0f} s (see --timeout)"
        else:
            reason = installed.describe(found, "the build failed", result.marked or "")
        return replace(
            begun,
            status=Status.FAILED,
            reason=reason,
            diagnostics=(*begun.diagnostics, *installed.refusals(tools), *found),
        )
