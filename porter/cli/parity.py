"""porter parity."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import takes
from porter.cli.options import INTERPRETERS, STEPS

if TYPE_CHECKING:
    from porter.console import Console
    from porter.model import Device
    from porter.parity.side import Side
    from porter.stages.options import Options

Framework = Annotated[
    str, typer.Option("--framework", metavar="FRAMEWORK", help="torch or a target.")
]
Python = Annotated[
    Path,
    typer.Option(
        "--python", metavar="PYTHON", help="The interpreter with the package and the framework."
    ),
]
app = typer.Typer(
    help="Compare operator calls under both frameworks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
@takes("framework", "target", "device", "parity", *INTERPRETERS, "needed", *STEPS)
def run(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    only: options.Only = "",
    run: options.RunId = None,
    shrink: Annotated[
        bool,
        typer.Option(help="Look for the smallest call that fails, half a minute a case at most."),
    ] = True,
    junit: options.Junit = None,
    json: options.Json = False,
) -> None:
    """Run parity cases, and show how far each is from its bounds.

    Builds what it needs; the verdict of the run stays as `porter verify` left it. Exit code 0
    when every case agrees.

    \b
    Examples:
      porter parity run
      porter parity run ./ops -k "rms_norm and float16"
      porter parity run ./ops --parity more.toml --junit parity.xml
    """
    from porter.cli.common import continue_run, finish_parity, progress
    from porter.stages import parity

    console = progress()
    continuing, chosen = continue_run(source, run, chosen, console)
    results = parity.parity_only(continuing, chosen, console, only, shrink=shrink)
    finish_parity(results, json, junit, console)


@app.command("diverge")
@takes("target", "device", "parity", *INTERPRETERS, "needed", "timeout", *STEPS)
def diverge(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A parity case, or a test as file.py::name.")
    ],
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Find the first operation that the target answers differently.

    Runs a case, or a test, under both frameworks with every operation of the repository's
    Python recorded: file and line, layer, both values, and a script that shows it. Builds what it
    needs. Exit code 0 when nothing differs and both end alike.

    \b
    Examples:
      porter parity diverge "rms_norm float32"
      porter parity diverge tests/test_ops.py::test_softmax ./ops
      porter parity diverge "tests/test_ops.py::test_softmax[dtype0]" --json
    """
    from porter.cli.common import continue_run, progress
    from porter.errors import ExitCode
    from porter.report import divergence as report
    from porter.stages import diverge as stage

    console = progress()
    continuing, chosen = continue_run(source, run, chosen, console)
    found = stage.diverge(continuing, name, chosen, console)
    if json:
        console.write(report.encode(found))
    else:
        console.show(*report.render(found))
    alike = found.first is None and not any(found.endings)
    raise typer.Exit(ExitCode.CLEAN if alike else ExitCode.REMAINS)


@app.command("bench")
@takes("target", "device", "parity", *INTERPRETERS, "needed", *STEPS)
def bench(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    only: options.Only = "",
    run: options.RunId = None,
    timeout: options.CaseTimeout = 300.0,
    json: options.Json = False,
) -> None:
    """Time the calls of the parity cases on both sides, in turn.

    Shows seconds of a call until it returns, the target's over the source's, and the middle half
    of that ratio over the turns; on a device with kernels also the ratio until these are done.
    Of a grid the first point is timed.

    \b
    Examples:
      porter parity bench
      porter parity bench ./ops -k rms_norm
      porter parity bench ./ops --device cuda --target-python ~/gpu/bin/python --json
    """
    from porter.cli.common import continue_run, progress
    from porter.report import parity as report
    from porter.stages import parity

    console = progress()
    chosen = dataclasses.replace(chosen, timeout=timeout)
    continuing, chosen = continue_run(source, run, chosen, console)
    costs = parity.bench(continuing, chosen, console, only)
    if json:
        console.write(report.encode_costs(costs))
    else:
        console.show(*report.render_costs(costs))


@app.command("init")
@takes("tests", "source_python", "no_build_isolation", "needed", "timeout", *STEPS)
def init(
    source: options.OptionalSource = None,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A new file."),
    ] = Path("porter.parity.toml"),
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Write parity cases from calls in tests, and from signatures.

    Builds the repository for the CPU under torch, runs its tests there and records how they call
    its operators and functions; those that no test calls are called as their schema says. Only
    calls that give the same twice are kept.

    \b
    Examples:
      porter parity init
      porter parity init ./ops -o ops/porter.parity.toml
      porter parity init ./ops --tests "pytest test/test_ops.py"
    """
    from porter.cli.common import continue_run, progress, write_file
    from porter.errors import UsageError
    from porter.stages import cases

    if output.exists():
        raise UsageError(f"{output} already exists", hint="name a new file with --output")
    console = progress()
    made = cases.make(*continue_run(source, run, chosen, console), console)
    write_file(output, made.text, console)
    if json:
        console.write(made.encode())
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
    framework: Framework = "torch",
    device: Annotated[
        str, typer.Option("--device", "-d", metavar="DEVICE", help="cpu, cuda or npu.")
    ] = "cpu",
    only: options.Only = "",
    timeout: options.CaseTimeout = 300.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
) -> None:
    """Record what the cases give here, for another machine to compare.

    The folder has all that `porter parity replay` needs: inputs, answers, the same in higher
    precision, hashes, and what it was recorded with.

    \b
    Examples:
      porter parity record --python .venv/bin/python -o goldens
      porter parity record --python .venv/bin/python -o goldens --device cuda -k norm
    """
    from porter.cli.common import check, progress
    from porter.model import Device
    from porter.parity import goldens
    from porter.parity.cases import FILE_NAME
    from porter.stages import isolation

    path = cases or Path(FILE_NAME)
    flags = options.Flags(
        device=[device], parity=path, source_python=python, sandbox=sandbox, env=env
    )
    chosen = check(flags)
    console = progress()
    isolation.enforce(chosen, console)
    with console.stage(f"record under {framework} on {device}"):
        number, answered = goldens.record(
            path,
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
    framework: Annotated[
        str | None,
        typer.Option(
            "--framework",
            metavar="FRAMEWORK",
            help="torch or a target.",
            show_default=options.DEFAULT,
        ),
    ] = None,
    timeout: options.CaseTimeout = 300.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    junit: options.Junit = None,
    json: options.Json = False,
) -> None:
    """Compare what the cases give here with a recording.

    Exit code 0 when every case agrees.

    \b
    Examples:
      porter parity replay goldens --python ~/gpu/bin/python
      porter parity replay goldens --python .venv/bin/python --framework torch --json
    """
    import tempfile

    from porter import targets
    from porter.cli.common import check, finish_parity, progress
    from porter.parity import goldens
    from porter.stages import isolation

    console = progress()
    framework = framework or targets.DEFAULT
    said = goldens.read(folder)
    flags = options.Flags(source_python=python, device=[said.device], sandbox=sandbox, env=env)
    chosen = check(flags)
    isolation.enforce(chosen, console)
    with (
        console.stage(f"replay under {framework} what {said.environment} gave"),
        tempfile.TemporaryDirectory() as work,
    ):
        side = _side(framework, python, Path(work), said.device, timeout, console)
        results = goldens.replay(folder, side)
    finish_parity(results, json, junit, console)


def _side(
    name: str, python: Path, folder: Path, device: Device, timeout: float, console: Console
) -> Side:
    from porter import targets
    from porter.emulators import triton_cpu
    from porter.model import Device
    from porter.parity.side import Side

    if name != targets.SOURCE.name:
        targets.resolve(name)
    plugins = (triton_cpu.PLUGIN,) if device is Device.CPU else ()
    return Side.create(name, "target", python.absolute(), folder, console.line, plugins, timeout)
