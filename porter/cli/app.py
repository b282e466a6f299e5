"""The commands of porter, in the order of the flow."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli import fleet, flow, known, parity, runs, stored
from porter.cli.command import prepare

HELP = """Port a PyTorch operator repository to another framework, and prove it.

porter clones a repository, finds what is specific to torch, rewrites it so that the same
tree serves both frameworks, builds the result, runs the repository's own tests and parity
cases under both, and reports what works.

\b
Examples:
  porter port https://github.com/owner/ops --target TARGET
  porter analyze ./flashinfer
  porter migrate --target TARGET
  porter verify
  porter patch --apply
"""

app = typer.Typer(
    help=HELP, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)
for command in (
    *(flow.port, flow.analyze, flow.migrate, flow.build, flow.verify),
    *(fleet.fleet, runs.report, flow.wheel, runs.bundle, runs.patch, runs.undo),
    *(known.explain, known.rules, known.doctor, stored.clean),
):
    app.command(command.__name__)(command)
prepare(app)
for name, group in (("runs", stored.runs), ("parity", parity.app), ("surface", known.surface)):
    app.add_typer(prepare(group), name=name)


def _version(wanted: bool) -> None:
    if wanted:
        import porter
        from porter.console import Console

        Console().write(f"porter {porter.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    from porter.stages import session

    session.sweep()


app.info.help = HELP
