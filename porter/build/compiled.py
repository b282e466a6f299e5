"""A cell whose evidence is objects: every unit compiled against the framework, nothing run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from porter.build import binaries, packages, requirements
from porter.build.cell import Options, default_jobs, prefixes, variables
from porter.build.extensions import UnitPlan, capture
from porter.build.objects import Cache, cached
from porter.build.units import Compilers, compile_units, compilers, objects_of
from porter.errors import EnvironmentFailed
from porter.model import BuildResult, Cell, Device, Status, UnitResult
from porter.survey import roles
from porter.targets.protocol import Environment, Framework

OnLine = Callable[[str], None]


def compile_cell(
    cell: Cell,
    environment: Environment,
    framework: Framework,
    tree: Path,
    options: Options,
    on_line: OnLine = lambda line: None,
) -> BuildResult:
    """Compile the units that the setup script in a cell's tree describes for its device.

    No compiler, no headers or no units of that device: SKIPPED with the reason.
    """
    folder = tree.parent
    logs = folder / "logs"
    project = tree / options.subdir
    tools = compilers(cell.device, environment.python, logs, on_line)
    if tools.reason:
        return BuildResult(cell=cell, status=Status.SKIPPED, reason=tools.reason)
    if options.requirements:
        wanted = requirements.build_requirements(project, environment)
        packages.install(environment, wanted, logs, "build-requirements", on_line)
    added = variables(tree, cell, environment, framework, options)
    if tools.home:
        version = ".".join(map(str, tools.version))
        added |= {"CUDA_HOME": tools.home, "PORTER_CUDA_VERSION": version}
    plan = capture(project, environment, framework, cell.device, logs, added)
    skipped = _skipped(cell, plan)
    if skipped is not None:
        return skipped
    try:
        units = compile_units(
            project,
            plan.units,
            environment,
            framework,
            folder / "units",
            device=cell.device,
            tools=_cached(tools, tree, options.cache) if options.cache else tools,
            jobs=options.jobs or default_jobs(),
            timeout=options.timeout,
            on_line=on_line,
            writable=(options.cache.staging,) if options.cache else (),
        )
    except EnvironmentFailed as error:
        return BuildResult(cell=cell, status=Status.FAILED, reason=f"{error} ({error.hint})")
    lacking = "; ".join(_lacking(project, plan, units))
    objects = objects_of(units, folder / "units")
    unlinked = binaries.check_objects(objects, environment, framework, tree, logs)
    done = _result(cell, units, environment)
    return replace(done, reason=lacking, diagnostics=(*done.diagnostics, *unlinked))


def _lacking(project: Path, plan: UnitPlan, units: tuple[UnitResult, ...]) -> list[str]:
    """Submodules without content that units which failed include from, or lie in."""
    failed = {unit.path for unit in units if not unit.ok}
    used = {f for unit in plan.units if unit.path in failed for f in (unit.path, *unit.includes)}
    return [
        f"the submodule {name} has no content"
        for name in roles.empty_submodules(project)
        if any(f == name or f.startswith(f"{name}/") for f in used)
    ]


def _skipped(cell: Cell, plan: UnitPlan) -> BuildResult | None:
    reason = plan.reason
    if not reason and cell.device is Device.CUDA and not any(u.cuda for u in plan.units):
        reason = "no CUDA source among the extensions"
    if not reason:
        return None
    status = Status.FAILED if plan.diagnostics else Status.SKIPPED
    return BuildResult(cell=cell, status=status, reason=reason, diagnostics=plan.diagnostics)


def _cached(tools: Compilers, tree: Path, cache: Cache) -> Compilers:
    cache.staging.mkdir(parents=True, exist_ok=True)
    host = cached(tools.host[-1], prefixes(tree), cache)
    nvcc = cached(tools.nvcc[-1], prefixes(tree), cache) if tools.nvcc else ()
    return Compilers(
        host=host, nvcc=nvcc, includes=tools.includes, home=tools.home, version=tools.version
    )


def _result(cell: Cell, units: tuple[UnitResult, ...], environment: Environment) -> BuildResult:
    good = sum(unit.ok for unit in units)
    status = Status.OK if good == len(units) else Status.PARTIAL if good else Status.FAILED
    found = tuple(d for unit in units for d in unit.diagnostics)
    return BuildResult(
        cell=cell,
        status=status,
        diagnostics=found,
        units=units,
        python=str(environment.python),
    )
