"""The commands about what porter keeps on the disk: runs, caches, environments."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from porter.cli import completion, options
from porter.cli.common import progress, write_json
from porter.errors import EnvironmentFailed

if TYPE_CHECKING:
    from porter.run.store import Run

runs = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@runs.callback()
def list_runs(context: typer.Context, json: options.Json = False) -> None:
    """List the runs that later commands can continue, newest last.

    \b
    Examples:
      porter runs
      porter report --run 20261121-101500-1f2e3d
      porter runs compare 20261121 20261122
    """
    if context.invoked_subcommand is not None:
        return
    from porter.run import store

    console = progress()
    rows = []
    for run in store.all_runs():
        try:
            rows.append(_row(run))
        except EnvironmentFailed as error:
            console.note(f"{error}; `porter clean` deletes it")
    if json:
        write_json(rows, console)
        return
    for row in rows:
        console.write(
            f"{row['run']}  {row['source']}  after {row['stage']}  {row['verdict']}"
            f"  {size(row['bytes'])}"
        )
    if not rows:
        console.note("no runs yet: porter analyze SOURCE")


def _row(run: Run) -> dict[str, Any]:
    from porter.host import usage
    from porter.report.facts import verdict_line

    record = run.load()
    return {
        "run": record.id,
        "source": record.source.written,
        "created": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created)),
        "stage": record.stages[-1].name if record.stages else "checkout",
        "verdict": verdict_line(record),
        "bytes": usage.disk([str(run.folder)]),
        "folder": str(run.folder),
    }


@runs.command()
def compare(
    before: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run, by the beginning of its name.",
            autocompletion=completion.complete_run,
        ),
    ],
    after: Annotated[
        str,
        typer.Argument(metavar="RUN", help="Another one.", autocompletion=completion.complete_run),
    ],
    json: options.Json = False,
) -> None:
    """Show what differs between two runs.

    Compares sources, patches, unresolved names, builds, tests, parity cases and verdicts.

    \b
    Examples:
      porter runs compare 20261121-101500 20261122-090000
    """
    import dataclasses

    from porter.report.changes import changes
    from porter.run import store

    console = progress()
    found = changes(store.find(before).load(), store.find(after).load())
    if json:
        write_json([dataclasses.asdict(change) for change in found], console)
        return
    for change in found:
        console.write(f"{change.what}: {change.before or '-'} -> {change.after or '-'}")
    if not found:
        console.note("no difference")


def clean(
    every_run: Annotated[
        bool, typer.Option("--all-runs", help="Delete the newest run of each source as well.")
    ] = False,
    older_than: Annotated[
        float, typer.Option("--older-than", metavar="DAYS", help="Keep newer runs.", min=0.0)
    ] = 0.0,
    caches: Annotated[
        bool, typer.Option("--caches", help="Delete caches, which porter makes again.")
    ] = False,
    environments: Annotated[
        bool,
        typer.Option("--environments", help="Delete environments of frameworks, which are large."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="List what would be deleted.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Delete earlier runs, caches and environments.

    The newest run of each source stays, unless you give --all-runs.
    Runs that a process works on stay, and so do captured surfaces.

    \b
    Examples:
      porter clean --dry-run
      porter clean --older-than 7 --caches
      porter clean --all-runs --caches --environments
    """
    from porter.stages import clean as stage

    console = progress()
    chosen = stage.Choice(
        every_run=every_run, older_than=older_than, caches=caches, environments=environments
    )
    found = [one for one in stage.find(chosen) if dry_run or stage.remove(one)]
    total = sum(one.size for one in found)
    if json:
        rows = [
            {"kind": one.kind, "path": str(one.path), "source": one.source, "bytes": one.size}
            for one in found
        ]
        write_json({"dry_run": dry_run, "bytes": total, "removed": rows}, console)
        return
    for one in found:
        console.write(f"{one.kind}  {one.path.name}  {one.source}  {size(one.size)}")
    console.note(f"{size(total)} {'would be freed' if dry_run else 'freed'}")


def size(count: int) -> str:
    """A number of bytes for people: `1.4 GB`."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
