"""Compile units to objects against a framework's headers, and cells whose evidence they are:
nothing is run, so that no GPU is needed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.build import binaries, compiler, cuda_headers, packages, requirements
from porter.build.cell import Options, default_jobs, prefixes, variables
from porter.build.diagnostics import parse, plain
from porter.build.extensions import CompileUnit, UnitPlan, capture
from porter.build.objects import Cache, make_cached_command
from porter.build.vendored import merge_headers
from porter.errors import EnvironmentFailed, PorterError
from porter.host import process, threads
from porter.host.output import OnLine
from porter.model import BuildResult, Cell, Device, Diagnostic, Status, Step, UnitResult
from porter.survey import roles
from porter.targets.protocol import CompileArguments, Environment, Framework

_ARCHITECTURE = ("-gencode", "-arch", "--gpu-architecture", "--generate-code")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilers:
    """What compiles the units, with the include folders that belong to it."""

    host: tuple[str, ...] = ("g++",)  # a command: a wrapper may stand before the compiler
    nvcc: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()  # CUDA's own, for both compilers
    home: str = ""  # CUDA_HOME
    version: tuple[int, int] = (0, 0)  # of CUDA
    reason: str = ""  # why there is no nvcc, or no headers


def compilers(
    device: Device, python: Path, logs: Path, on_line: OnLine = lambda line: None
) -> Compilers:
    """The compilers for a device; without nvcc or CUDA's headers, the reason."""
    host = compiler.host()
    if device is not Device.CUDA:
        return Compilers(host=host)
    found = cuda_headers.toolkit(logs)
    if found is None:
        return Compilers(host=host, reason="no nvcc: neither CUDA_HOME nor PATH has a CUDA toolkit")
    try:
        libraries = cuda_headers.library_headers(found, python, on_line)
    except PorterError as error:
        return Compilers(host=host, reason=f"{error} ({error.hint})")
    return Compilers(
        host=host,
        nvcc=(str(found.nvcc),),
        includes=(*found.includes, *libraries),
        home=str(found.home),
        version=found.version,
    )


@dataclass(frozen=True)
class Workplace:
    """What the units of a project that are compiled for one device have in common; `first` are
    include folders before the framework's."""

    project: Path
    environment: Environment
    framework: Framework
    first: tuple[Path, ...]
    folder: Path
    device: Device
    tools: Compilers
    _stand_ins: dict[bool, list[str]] = field(default_factory=dict)

    def arguments(self, cuda: bool) -> CompileArguments:
        return self.framework.compile_arguments(
            self.environment, cuda_source=cuda, device=self.device
        )

    def options(self, unit: CompileUnit) -> tuple[str, ...]:
        """The compiler and its options for a unit; writes the headers that these name."""
        arguments = self.arguments(unit.cuda)
        if unit.cuda not in self._stand_ins:
            self._stand_ins[unit.cuda] = stand_ins(arguments, self.environment, self.folder)
        first = (*map(str, self.first), *self._stand_ins[unit.cuda])
        return options(self.project, unit, arguments, self.tools, first)

    def why_missing(self, unit: CompileUnit) -> str:
        """Why a unit cannot be read; nothing where its source is there."""
        there = (self.project / unit.path).is_file()
        return "" if there else f"{unit.path}: no such file: is a submodule missing?"


def compile_units(
    place: Workplace,
    units: Iterable[CompileUnit],
    *,
    jobs: int = 1,
    timeout: float = 1800.0,
    on_line: OnLine = lambda line: None,
    writable: tuple[Path, ...] = (),
) -> tuple[UnitResult, ...]:
    """Compile each unit to an object in the place's folder, a log beside it; in the order given.

    The headers of a vendored unit come first. The compilers may change `writable`, too; with a
    reason in the place's tools every CUDA unit fails with it.
    """
    folder, arguments = place.folder, place.arguments(False)
    first = merge_headers(place.project, place.environment, arguments, folder)
    place = replace(place, first=(*place.first, *first))
    tasks = [(unit, place.options(unit), folder / str(n)) for n, unit in enumerate(units)]

    done: list[str] = []

    def one(task: tuple[CompileUnit, tuple[str, ...], Path]) -> UnitResult:
        unit, argv, own = task
        began = time.monotonic()
        found = _compile(place, unit, argv, own, timeout, writable)
        seconds = time.monotonic() - began
        done.append(unit.path)
        said = f"{'failed' if found else 'ok'} {unit.path} ({seconds:.0f} s)"
        on_line(f"{len(done)} of {len(tasks)} units: {said}")
        return UnitResult(
            path=unit.path,
            extension=unit.extension,
            ok=not found,
            seconds=seconds,
            diagnostics=found,
        )

    with threads.pool(jobs) as pool:
        return tuple(pool.map(one, tasks))


def _compile(
    place: Workplace,
    unit: CompileUnit,
    argv: tuple[str, ...],
    own: Path,
    timeout: float,
    writable: tuple[Path, ...],
) -> tuple[Diagnostic, ...]:
    """What keeps a unit from being compiled to an object in its own folder; nothing if it was."""
    reason = place.why_missing(unit)
    if unit.cuda or place.device is Device.CUDA:
        reason = reason or place.tools.reason
    if reason:
        return (plain("porter", reason),)
    own.mkdir(parents=True, exist_ok=True)
    output = own / "unit.o"
    output.unlink(missing_ok=True)
    step = Step(
        name=unit.path,
        argv=(*argv, "-c", str(place.project / unit.path), "-o", str(output)),
        cwd=str(place.project),
        environment={"LC_ALL": "C.UTF-8"},
        timeout=timeout,
        writable=tuple(map(str, (own, *writable))),
    )
    result = process.run(step, own / "unit.log")
    if result.ok and output.is_file():
        return ()
    if result.timed_out:
        return (plain("porter", f"not compiled within {timeout:.0f} s"),)
    said = result.tail.strip()[-300:] or f"the compiler ended with {result.returncode}"
    found = parse(Path(result.log).read_text(errors="replace"), place.project)
    return found or (plain("compiler", said),)


def objects_of(units: Sequence[UnitResult], folder: Path) -> dict[str, list[Path]]:
    """The objects that `compile_units` left, of each extension whose units all compiled."""
    found: dict[str, list[Path]] = {}
    for number, unit in enumerate(units):
        found.setdefault(unit.extension, []).append(folder / str(number) / "unit.o")
    failed = {unit.extension for unit in units if not unit.ok}
    return {name: paths for name, paths in found.items() if name not in failed}


def options(
    project: Path,
    unit: CompileUnit,
    arguments: CompileArguments,
    tools: Compilers,
    first: Iterable[str] = (),
) -> tuple[str, ...]:
    """The compiler and its options for a unit, without the source and what is made of it; `first`
    are include folders before the framework's."""
    folders = [*first, *(str(project / f) for f in unit.includes)]
    own = tuple(f"-I{folder}" for folder in dict.fromkeys(folders))
    ours = tuple(f for f in arguments.argv() if not (f.startswith("-std") and _has_std(unit.flags)))
    cuda = tuple(f"-I{folder}" for folder in tools.includes)
    head = (*tools.nvcc, *_nvcc_flags(unit)) if unit.cuda else (*tools.host, "-fPIC")
    return (*head, *own, *ours, *cuda, *unit.defines, *unit.flags)


def _nvcc_flags(unit: CompileUnit) -> tuple[str, ...]:
    host = ("-Xcompiler", "-fPIC", "-ccbin", compiler.program())
    if any(flag.startswith(_ARCHITECTURE) for flag in unit.flags):
        return host
    return (*host, "-gencode", "arch=compute_90,code=sm_90")


def _has_std(flags: tuple[str, ...]) -> bool:
    return any(flag.lstrip("-").startswith("std=") for flag in flags)


def stand_ins(arguments: CompileArguments, environment: Environment, folder: Path) -> list[str]:
    """Write the generated headers that this build of the framework lacks, if it does lack them."""
    include = Path(environment.root) / "include"
    lacking = {n: t for n, t in arguments.stand_ins.items() if not (include / n).is_file()}
    for name, text in lacking.items():
        path = folder / "stand-ins" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [str(folder / "stand-ins")] if lacking else []


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
    skipped = _skip_result(cell, plan)
    if skipped is not None:
        return skipped
    writable: tuple[Path, ...] = ()
    if options.cache:
        tools, writable = _cache_compilers(tools, tree, options.cache), (options.cache.staging,)
    units = folder / "units"
    place = Workplace(project, environment, framework, (), units, cell.device, tools)
    try:
        done = compile_units(
            place,
            plan.units,
            jobs=options.jobs or default_jobs(),
            timeout=options.timeout,
            on_line=on_line,
            writable=writable,
        )
    except EnvironmentFailed as error:
        return BuildResult(cell=cell, status=Status.FAILED, reason=f"{error} ({error.hint})")
    unlinked = binaries.check_objects(objects_of(done, units), environment, framework, tree, logs)
    good = sum(unit.ok for unit in done)
    return BuildResult(
        cell=cell,
        status=Status.OK if good == len(done) else Status.PARTIAL if good else Status.FAILED,
        reason="; ".join(_describe_empty_submodules(project, plan, done)),
        diagnostics=(*(d for unit in done for d in unit.diagnostics), *unlinked),
        units=done,
        python=str(environment.python),
    )


def _describe_empty_submodules(
    project: Path, plan: UnitPlan, units: tuple[UnitResult, ...]
) -> list[str]:
    """Submodules without content that units which failed include from, or lie in."""
    failed = {unit.path for unit in units if not unit.ok}
    used = {f for unit in plan.units if unit.path in failed for f in (unit.path, *unit.includes)}
    return [
        f"the submodule {name} is empty"
        for name in roles.empty_submodules(project)
        if any(f == name or f.startswith(f"{name}/") for f in used)
    ]


def _skip_result(cell: Cell, plan: UnitPlan) -> BuildResult | None:
    reason = plan.reason
    if not reason and cell.device is Device.CUDA and not plan.has_cuda:
        reason = "no extension is for CUDA"
    if not reason:
        return None
    status = Status.FAILED if plan.diagnostics else Status.SKIPPED
    return BuildResult(cell=cell, status=status, reason=reason, diagnostics=plan.diagnostics)


def _cache_compilers(tools: Compilers, tree: Path, cache: Cache) -> Compilers:
    cache.staging.mkdir(parents=True, exist_ok=True)
    host = make_cached_command(tools.host[-1], prefixes(tree), cache)
    nvcc = make_cached_command(tools.nvcc[-1], prefixes(tree), cache) if tools.nvcc else ()
    return replace(tools, host=host, nvcc=nvcc)
