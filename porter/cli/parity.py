"""porter parity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from porter.cli import options

if TYPE_CHECKING:
    from porter.console import Console
    from porter.model import Device, ParityResult
    from porter.parity.side import Side

Only = Annotated[
    str, typer.Option("-k", help='Cases whose names hold these words: "norm and not float16".')
]
Junit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")
]
Python = Annotated[
    Path,
    typer.Option(
        "--python", metavar="PYTHON", help="The interpreter with the package and the framework."
    ),
]
Timeout = Annotated[float, typer.Option("--timeout", help="Seconds that one case may take.")]

app = typer.Typer(
    help="Operator calls under both frameworks with the same inputs, compared.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
def run(
    source: options.OptionalSource = None,
    framework: options.Framework = "torch",
    target: options.Target = None,
    device: options.Devices = None,
    cases: options.Parity = None,
    only: Only = "",
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    shrink: Annotated[
        bool,
        typer.Option(help="Look for the smallest call that fails, half a minute a case at most."),
    ] = True,
    junit: Junit = None,
    json: options.Json = False,
) -> None:
    """Run parity cases only, and show how far each is from its tolerance.

    Builds what it needs; the verdict of the run stays as `porter verify` left it. Exit code 0
    when every case agrees.

    \b
    Examples:
      porter parity run
      porter parity run ./ops -k "rms_norm and float16"
      porter parity run ./ops --parity more.toml --junit parity.xml
    """
    from porter.cli.common import choices, continued, progress
    from porter.stages import parity

    chosen = choices(
        framework=framework,
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        parity=cases,
        devices=device,
    )
    console = progress(json)
    continuing = continued(source, run, chosen, console)
    results = parity.parity_only(continuing, chosen, console, only, shrink=shrink)
    _finish(results, json, junit, console)


@app.command("diverge")
def diverge(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A parity case, or a test as file.py::name.")
    ],
    source: options.OptionalSource = None,
    target: options.Target = None,
    device: options.Devices = None,
    cases: options.Parity = None,
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    jobs: options.Jobs = 0,
    timeout: options.Timeout = 3600.0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Find the first operation that the target answers otherwise.

    Runs a case, or a test, under both frameworks with every operation of the repository's
    Python recorded: file and line, layer, both values, and a script that shows it. Builds what it
    needs. Exit code 0 when nothing differs and both end alike.

    \b
    Examples:
      porter parity diverge "rms_norm float32"
      porter parity diverge tests/test_ops.py::test_softmax ./ops
      porter parity diverge "tests/test_ops.py::test_softmax[dtype0]" --json
    """
    from porter.cli.common import choices, continued, progress
    from porter.errors import ExitCode
    from porter.report import divergence as report
    from porter.stages import diverge as stage

    chosen = choices(
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        timeout=timeout,
        parity=cases,
        devices=device,
    )
    console = progress(json)
    found = stage.diverge(continued(source, run, chosen, console), name, chosen, console)
    if json:
        console.write(report.encode(found))
    else:
        console.show(*report.render(found))
    alike = found.first is None and not any(found.endings)
    raise typer.Exit(ExitCode.CLEAN if alike else ExitCode.REMAINS)


@app.command("bench")
def bench(
    source: options.OptionalSource = None,
    target: options.Target = None,
    device: options.Devices = None,
    cases: options.Parity = None,
    only: Only = "",
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    timeout: Timeout = 300.0,
    json: options.Json = False,
) -> None:
    """Time the calls of the parity cases on both sides, by turns.

    Shows seconds of a call until it returns, the target's over the source's, and the middle half
    of that ratio over the turns; on a device with kernels also the ratio until these are done.
    Of a grid the first point is timed.

    \b
    Examples:
      porter parity bench
      porter parity bench ./ops -k rms_norm
      porter parity bench ./ops --device cuda --target-python ~/paddle-gpu/bin/python --json
    """
    from porter.cli.common import choices, continued, progress
    from porter.report import parity as report
    from porter.stages import parity

    chosen = choices(
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        parity=cases,
        devices=device,
        timeout=timeout,
    )
    console = progress(json)
    costs = parity.bench(continued(source, run, chosen, console), chosen, console, only)
    if json:
        console.write(report.encode_costs(costs))
    else:
        console.show(*report.render_costs(costs))


@app.command("init")
def init(
    source: options.OptionalSource = None,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A new file."),
    ] = Path("porter.parity.toml"),
    tests: options.Tests = None,
    timeout: options.Timeout = 3600.0,
    source_python: options.SourcePython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Write parity cases: calls that the repository's tests make, and calls by signature.

    Builds the repository for the CPU under torch, runs its tests there and records how they call
    its operators and functions; those that no test calls are called as their schema says. Only
    calls that give the same twice are kept.

    \b
    Examples:
      porter parity init
      porter parity init ./ops -o ops/porter.parity.toml
      porter parity init ./ops --tests "pytest test/test_ops.py"
    """
    from porter.cli.common import choices, continued, progress, write_file
    from porter.errors import UsageError
    from porter.stages import cases

    if output.exists():
        raise UsageError(f"{output} is there already", hint="name a new file with --output")
    chosen = choices(
        jobs=jobs,
        source_python=source_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        timeout=timeout,
        tests=tests,
    )
    console = progress(json)
    made = cases.make(continued(source, run, chosen, console), chosen, console)
    write_file(output, made.text, console)
    if json:
        console.write(made.encoded())
        return
    console.note(f"{made.recorded} calls of tests, {made.signatures} operators by their signatures")
    for name, why in made.left_out.items():
        console.note(f"  none of {name}: {why}")


@app.command("record")
def record(
    python: Python,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="A new folder."),
    ],
    cases: options.Parity = None,
    framework: Annotated[str, typer.Option("--framework", help="torch or a target.")] = "torch",
    device: Annotated[str, typer.Option("--device", "-d", help="cpu, cuda or npu.")] = "cpu",
    only: Only = "",
    timeout: Timeout = 300.0,
) -> None:
    """Record what the cases give here, to compare with another framework on another machine.

    The folder has all that `porter parity replay` needs: inputs, answers, the same in higher
    precision, hashes, and what it was recorded with.

    \b
    Examples:
      porter parity record --python .venv/bin/python -o goldens
      porter parity record --python .venv/bin/python -o goldens --device cuda -k norm
    """
    from porter.cli.common import choices, progress
    from porter.model import Device
    from porter.parity import goldens
    from porter.parity.cases import FILE_NAME

    choices(devices=[device], parity=cases or Path(FILE_NAME), source_python=python)
    console = progress(json=False)
    with console.stage(f"record under {framework} on {device}"):
        number, answered = goldens.record(
            cases or Path(FILE_NAME),
            output,
            _side(framework, python, output, Device(device), timeout, console),
            Device(device),
            only,
        )
    console.note(f"{number} cases in {output}, {answered} answered, {number - answered} raised")


@app.command("replay")
def replay(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Goldens.")],
    python: Python,
    framework: Annotated[str, typer.Option("--framework", help="torch or a target.")] = "paddle",
    timeout: Timeout = 300.0,
    junit: Junit = None,
    json: options.Json = False,
) -> None:
    """Compare what the recorded cases give here with what was recorded.

    Exit code 0 when every case agrees.

    \b
    Examples:
      porter parity replay goldens --python ~/paddle-gpu/bin/python
      porter parity replay goldens --python .venv/bin/python --framework torch --json
    """
    import tempfile

    from porter.cli.common import choices, progress
    from porter.parity import goldens

    choices(source_python=python)
    console = progress(json)
    said = goldens.read(folder)
    with (
        console.stage(f"replay under {framework} what {said.environment} gave"),
        tempfile.TemporaryDirectory() as work,
    ):
        side = _side(framework, python, Path(work), said.device, timeout, console)
        results = goldens.replay(folder, side)
    _finish(results, json, junit, console)


def _side(
    name: str, python: Path, folder: Path, device: Device, timeout: float, console: Console
) -> Side:
    from porter import targets, triton_cpu
    from porter.model import Device
    from porter.parity.side import Side

    if name != targets.SOURCE.name:
        targets.resolve(name)
    framework = targets.framework(name)
    return Side(
        name="target",
        python=python.absolute(),
        prelude=framework.prelude,
        inputs=folder / "inputs",
        folder=folder / "target",
        environment=framework.activation,
        cwd=folder,
        log=folder / "parity.log",
        on_line=console.line,
        timeout=timeout,
        plugins=(triton_cpu.PLUGIN,) if device is Device.CPU else (),
    )


def _finish(
    results: Sequence[ParityResult], json: bool, junit: Path | None, console: Console
) -> NoReturn:
    from porter.cli.common import write_file
    from porter.errors import ExitCode
    from porter.model import Status
    from porter.report import parity as report

    if junit is not None:
        write_file(junit, report.junit(results), console)
    if json:
        console.write(report.encode(results))
    else:
        console.show(*report.render(results))
    agree = all(result.status is Status.OK for result in results)
    raise typer.Exit(ExitCode.CLEAN if agree else ExitCode.REMAINS)
