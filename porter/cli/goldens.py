"""porter parity record and replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options

if TYPE_CHECKING:
    from porter.console import Console
    from porter.model import Device
    from porter.parity.side import Side

Framework = Annotated[str, typer.Option("--framework", help="torch or a target.")]
Python = Annotated[
    Path,
    typer.Option(
        "--python", metavar="PYTHON", help="The interpreter with the package and the framework."
    ),
]


def record(
    python: Python,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="A new folder."),
    ],
    cases: options.Parity = None,
    framework: Framework = "torch",
    device: Annotated[str, typer.Option("--device", "-d", help="cpu, cuda or npu.")] = "cpu",
    only: options.Only = "",
    timeout: options.CaseTimeout = 300.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
) -> None:
    """Record what the cases give here, to compare with another framework on another machine.

    The folder has all that `porter parity replay` needs: inputs, answers, the same in higher
    precision, hashes, and what it was recorded with.

    \b
    Examples:
      porter parity record --python .venv/bin/python -o goldens
      porter parity record --python .venv/bin/python -o goldens --device cuda -k norm
    """
    from porter.cli.common import checked, progress
    from porter.model import Device
    from porter.parity import goldens
    from porter.parity.cases import FILE_NAME
    from porter.stages import isolation

    path = cases or Path(FILE_NAME)
    flags = options.Flags(
        device=[device], parity=path, source_python=python, sandbox=sandbox, env=env
    )
    chosen = checked(flags)
    console = progress(json=False)
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


def replay(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Goldens.")],
    python: Python,
    framework: Annotated[
        str | None,
        typer.Option("--framework", help="torch or a target.", show_default=options.DEFAULT),
    ] = None,
    timeout: options.CaseTimeout = 300.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    junit: options.Junit = None,
    json: options.Json = False,
) -> None:
    """Compare what the recorded cases give here with what was recorded.

    Exit code 0 when every case agrees.

    \b
    Examples:
      porter parity replay goldens --python ~/gpu/bin/python
      porter parity replay goldens --python .venv/bin/python --framework torch --json
    """
    import tempfile

    from porter import targets
    from porter.cli.common import checked, finish_parity, progress
    from porter.parity import goldens
    from porter.stages import isolation

    console = progress(json)
    framework = framework or targets.DEFAULT
    said = goldens.read(folder)
    flags = options.Flags(source_python=python, device=[said.device], sandbox=sandbox, env=env)
    chosen = checked(flags)
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
    return Side.of(name, "target", python.absolute(), folder, console.line, plugins, timeout)
