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
    diagnostics,
    emulation,
    installed,
    packages,
    pip,
    requirements,
)
from porter.build.cell import (
    Options,
    cache_of,
    cell_name,
    copy_tree,
    nothing_to_build,
    variables,
    work_tree,
)
from porter.build.environment import overlay
from porter.build.units import compile_cell
from porter.host import process
from porter.host.home import WORKERS
from porter.host.output import OnLine
from porter.model import (
    Ascend,
    BuildResult,
    Cell,
    Device,
    Diagnostic,
    Evidence,
    Status,
    Step,
    StepResult,
)
from porter.targets.protocol import Environment, Framework

__all__ = ["Options", "build", "cell_name", "work_tree"]

_IMPORTER = WORKERS / "import_modules.py"
_MAX_MODULES = 60
# How torch ends a process that loads two libraries with the same operators.
_TWICE = "with the same name and overload name multiple times"


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
    reason = nothing_to_build(root / options.subdir)
    if reason:
        return BuildResult(cell=cell, status=Status.SKIPPED, reason=reason)
    tree = copy_tree(root, work_tree(folder))
    environment = overlay(base, folder / "venv")
    problems: tuple[Diagnostic, ...] = ()
    if cell.evidence is Evidence.EMULATED:
        problems = _emulate(cell, environment, tree / options.subdir, folder, options)
    if cell.device is Device.NPU:
        problems += tuple(_entries(framework, environment, tree / options.subdir, folder, options))
    run = _Run(cell, environment, framework, tree, folder, options, on_line)
    prepared = run.prepared()
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

    def prepared(self) -> StepResult | None:
        """What came of the command that is to be run before the build; None where there is none."""
        options = self.options
        if not options.prepare:
            return None
        step = Step(
            name="prepare",
            argv=options.prepare,
            cwd=str(self.tree / options.subdir),
            environment=variables(self.tree, self.cell, self.environment, self.framework, options),
            timeout=options.timeout,
            writable=(str(self.folder),),
        )
        return process.run(step, self.logs / "prepare.log", self.on_line)

    def not_prepared(self, result: StepResult) -> BuildResult:
        words = shlex.join(self.options.prepare)
        reason = f"--prepare: `{words}` {process.ending(result)}"
        problem = diagnostics.plain("prepare", result.tail.strip().rpartition("\n")[2] or reason)
        failed = replace(self._result(Status.FAILED), steps=(result,), reason=reason)
        return replace(failed, diagnostics=(problem,))

    def all(self) -> BuildResult:
        project = self.tree / self.options.subdir
        first: list[StepResult] = []
        for number, needed in enumerate(self.options.needed):
            done = self._installed_first(needed, f"with-{number}")
            if done.status is not Status.OK:
                return replace(done, reason=f"{needed.name}, which it needs: {done.reason}")
            first += done.steps
        begun, tools, new = self._install(self.tree, self.options, "")
        begun = replace(begun, steps=(*first, *begun.steps))
        if begun.status is not Status.OK:
            return begun
        wanted = self._declared(new)
        wanted += [*requirements.test_requirements(project), *self.options.extras]
        unasked = requirements.brought_by_torch(project, wanted, self.environment)
        extras = self._require([*wanted, *unasked], "requirements")
        names = tuple(n for name in new for n in installed.files(self.site, name))
        modules = installed.modules(self.site, names)
        seen = self._examine(names)
        steps, imported, problems = self._import(modules[:_MAX_MODULES])
        seen, problems = installed.together(seen, problems, modules, imported)
        installed.complete(self.site, names, project)
        return replace(
            begun,
            status=Status.FAILED if problems else Status.OK,
            reason=installed.unimported(problems) if problems else "",
            steps=(*begun.steps, *extras.steps, *steps),
            diagnostics=(
                *installed.refusals(tools),
                *installed.refusals(extras),
                *installed.ports(extras, self.framework.ported),
                *installed.lacked(unasked),
                *seen,
                *problems,
            ),
            modules=imported,
        )

    def _install(
        self, tree: Path, options: Options, label: str
    ) -> tuple[BuildResult, packages.Installed, list[str]]:
        """A project built and installed by the environment's own tools, with what it asks for to be
        built; and what is new then."""
        before = installed.distributions(self.site)
        asked = requirements.build_requirements(tree / options.subdir, self.environment)
        tools = self._require(asked, f"{label}build-requirements")
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
        if not result.ok:
            return self._failed(begun, result, tools), tools, []
        return begun, tools, sorted(installed.distributions(self.site) - before)

    def _installed_first(self, root: Path, label: str) -> BuildResult:
        """Another project that this one needs, from a copy of its own, with what it declares."""
        tree = copy_tree(root, self.folder / label / "tree")
        options = replace(self.options, subdir="", build_scripts=("setup.py",))
        begun, _, new = self._install(tree, options, f"{label}-")
        if begun.status is not Status.OK:
            return begun
        more = self._require(self._declared(new), f"{label}-requirements")
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
        named = requirements.ported(wanted, self.framework.ported)
        return packages.install(self.environment, named, self.logs, name, self.on_line)

    def _declared(self, names: Iterable[str]) -> list[str]:
        found = (PathDistribution(self.site / name) for name in names)
        return [r for one in found for r in requirements.run_requirements(one)]

    def _failed(
        self, begun: BuildResult, result: StepResult, tools: packages.Installed
    ) -> BuildResult:
        text = Path(result.log).read_text(encoding="utf-8", errors="replace")
        found = diagnostics.spelled_out(diagnostics.parse(text, self.tree), self.logs)
        if result.timed_out:
            reason = f"the build did not end within {self.options.timeout:.0f} s (see --timeout)"
        else:
            reason = installed.said(found, "the build failed", result.marked or "")
        return replace(
            begun,
            status=Status.FAILED,
            reason=reason,
            diagnostics=(*installed.refusals(tools), *found),
        )

    def _import(
        self, modules: tuple[installed.Module, ...]
    ) -> tuple[list[StepResult], tuple[str, ...], tuple[Diagnostic, ...]]:
        """Import modules in as many processes as it takes: one that dies costs itself only.

        A package may have its operators twice, for the CPU and for CUDA, to load one of the two
        libraries: the other is loaded alone.
        """
        steps: list[StepResult] = []
        imported: list[str] = []
        problems: list[Diagnostic] = []
        rest, others = list(modules), list[installed.Module]()
        while rest or others:
            rest = rest or [others.pop()]
            step = self._import_step(rest)
            log = self.logs / f"import-{len(steps)}.log"
            step_result = process.run(step, log)
            steps.append(step_result)
            done, text = 0, log.read_text(errors="replace")
            for line in text.splitlines():
                said = installed.line(line)
                if "how" in said:
                    imported.append(said["name"])
                elif "error" in said:
                    problems += self._problem(said["name"], said["error"], said["trace"])
                done += "name" in said
            if done < len(rest) and not step_result.ok:
                died = rest[done]
                if _TWICE in text and died.path and not died.alone:
                    others.append(replace(died, alone=True))
                    rest = rest[done + 1 :]
                    continue
                # Of a signal some frameworks print a stack: only the signal says what happened.
                trace = step_result.tail if step_result.returncode > 0 else ""
                ended = f"ImportError: the process {process.ending(step_result)}"
                problems += self._problem(died.name, ended, trace)
                done += 1
            elif done == 0:
                break
            rest = rest[done:]
        return steps, tuple(imported), tuple(problems)

    def _import_step(self, modules: list[installed.Module]) -> Step:
        entries = tuple(module.entry for module in modules)
        return Step(
            name="import",
            argv=(str(self.environment.python), str(_IMPORTER), self.framework.prelude, *entries),
            cwd=str(self.logs),  # not the tree: what is installed is to be imported
            environment={**self.environment.variables(), **self.framework.activation},
            timeout=600,
            writable=(str(self.folder),),
        )

    def _problem(self, module: str, error: str, trace: str) -> tuple[Diagnostic, ...]:
        found = diagnostics.parse(trace, self.tree) or diagnostics.parse(error, self.tree)
        if not found:
            found = (diagnostics.plain("python", error),)
        told = replace(found[-1], message=f"import {module}: {found[-1].message}")
        return diagnostics.spelled_out((told,), self.logs)
