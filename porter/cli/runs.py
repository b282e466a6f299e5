"""The commands about runs that there are: their reports, patches, bundles."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import completion, options
from porter.cli.common import finish, progress, takes, write_file
from porter.errors import UsageError

if TYPE_CHECKING:
    from porter.run.record import RunRecord
    from porter.run.store import Run
    from porter.stages.options import Options


class Format(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    SUMMARY = "summary"
    JSON = "json"
    HTML = "html"
    SARIF = "sarif"
    JUNIT = "junit"


def report(
    source: options.OptionalSource = None,
    form: Annotated[
        Format, typer.Option("--format", "-f", metavar="FORMAT", help="How to write it.")
    ] = Format.TEXT,
    html: Annotated[
        bool, typer.Option("--html", help="Write an HTML page, by default in the run's folder.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A file to write; - is stdout."),
    ] = None,
    imported: Annotated[
        Path | None,
        typer.Option(
            "--import", metavar="RESULT", help="Of a bundle: result.tar.gz of its run.py."
        ),
    ] = None,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Show the results of the latest run, also for a pull request.

    \b
    Examples:
      porter report
      porter report --html
      porter report --format markdown -o pr.md
      porter report --format summary >> "$GITHUB_STEP_SUMMARY"
      porter report --format sarif -o porter.sarif
      porter report --run 20261121 --json
      porter report --import result.tar.gz
    """
    from porter.stages import bundle, everything, session
    from porter.stages.options import Options

    console = progress()
    found = session.open_run(source, run, console)
    if found is None:
        raise UsageError("no run to report on", hint="start with `porter analyze SOURCE`")
    kept = bundle.bring(found, imported, Options()) if imported else found.load()
    if html:
        form, output = Format.HTML, output or found.page
    elif json or (form is Format.TEXT and output is not None):
        form = Format.JSON if json else Format.MARKDOWN
    if output is not None:
        write_file(output, _render(found, kept, form), console)
    elif form in (Format.TEXT, Format.JSON):
        remains = everything.remains(kept)
        finish(kept, form is Format.JSON, console, remains=remains)
        raise typer.Exit(remains)
    else:
        console.write(_render(found, kept, form))


def _render(run: Run, kept: RunRecord, form: Format) -> str:
    """Return the report in a form for a file."""
    from porter.report.json import encode
    from porter.report.junit import junit
    from porter.report.markdown import markdown
    from porter.report.page.render import page
    from porter.report.sarif import sarif
    from porter.report.sources import Sources
    from porter.report.summary import summary

    match form:
        case Format.HTML:
            return page(kept, Sources(run, kept))
        case Format.SARIF:
            return sarif(kept, Sources(run, kept))
        case Format.JSON:
            return encode(kept)
        case Format.JUNIT:
            return junit(kept)
        case Format.SUMMARY:
            return summary(kept)
    return markdown(kept)


@takes("parity", "config")
def bundle(
    source: options.OptionalSource = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A new archive.")
    ] = Path("porter-bundle.tar.gz"),
    *,
    chosen: Options,
    run: options.RunId = None,
) -> None:
    """Pack a migrated run for a machine with the device.

    The other machine needs no network: the archive holds the trees, the parity cases with what they
    give here on the CPU, porter itself, and `run.py`, which builds, tests and compares there with
    the interpreters that it is given. What it writes comes back with `porter report --import`.

    \b
    Examples:
      porter bundle
      porter bundle ./ops -o ops-gpu.tar.gz
      python3 run.py --device cuda --target-python ~/gpu/bin/python   (there)
      porter report --import result.tar.gz
    """
    from porter.stages import bundle as stage
    from porter.stages import session
    from porter.stages.configured import configure

    console = progress()
    found = session.open_run(source, run, console, migrated=True)
    if found is None:
        raise UsageError("no run to pack", hint="start with `porter port SOURCE`")
    stage.pack(found, output, configure(found, chosen, console), console)
    console.note(f"written: {output}")


def patch(
    source: options.OptionalSource = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Put the commits on a new branch of your clone.")
    ] = False,
    branch: Annotated[
        str | None,
        typer.Option("--branch", metavar="NAME", help="Its name.", show_default="porter/<target>"),
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option(
            "--repo", metavar="FOLDER", help="The clone to put it in.", show_default="the SOURCE"
        ),
    ] = None,
    series: Annotated[
        bool, typer.Option("--series", help="List the files for `git am` instead.")
    ] = False,
    run: options.RunId = None,
) -> None:
    """Print the patch, or put its commits on a branch of your clone.

    The printed diff is for `git apply`; the series, one commit per kind of change, for `git am`.
    --apply wants no uncommitted changes of tracked files, and leaves your branch alone: `porter
    undo` takes it back.

    \b
    Examples:
      porter patch > ported.patch
      porter patch --apply
      git am $(porter patch --series)
    """
    from porter.stages import branches, session

    console = progress()
    found = session.open_run(source, run, console, migrated=True)
    kept = found.load() if found else None
    patch = kept.migration.patch if kept else None
    if found is None or kept is None or patch is None:
        raise UsageError("no patch yet", hint="first `porter migrate`")
    if not patch.files:
        console.note("the patch is empty: nothing to change")
        return
    if apply:
        clone = repo or _clone(kept.source.kind, kept.source.identity)
        name = branch or f"porter/{kept.target}"
        made = branches.apply(found, kept, clone, name)
        console.note(f"{made.commits} commits on branch {name} of {clone}; undo: porter undo")
    elif series:
        console.write("\n".join(patch.series))
    else:
        console.raw(Path(patch.path).read_bytes())


def _clone(kind: str, identity: str) -> Path:

    if kind != "path":
        raise UsageError("the source is not a local clone", hint="name yours with --repo PATH")
    return Path(identity.removeprefix("path:").partition("#")[0])


def undo(
    source: options.OptionalSource = None,
    branch: Annotated[
        str | None,
        typer.Option(
            "--branch",
            metavar="NAME",
            help="The branch.",
            show_default="the one made last",
            autocompletion=completion.complete_branch,
        ),
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option("--repo", metavar="FOLDER", help="The clone it is in.", show_default="any"),
    ] = None,
    run: options.RunId = None,
) -> None:
    """Delete the branch that `porter patch --apply` made.

    Refuses where the branch has other commits by now, is checked out, or was renamed.

    \b
    Examples:
      porter undo
      porter undo ./ops --branch porter/TARGET
    """
    from porter.run import store
    from porter.sources import checkout
    from porter.stages import branches

    console = progress()
    identity = None if source is None else checkout.parse(source).identity
    runs = store.runs_of(identity, Path.cwd()) if run is None else (store.find(run),)
    made, deleted = branches.undo(runs, repo, branch)
    if deleted:
        back = f"git branch {made.name} {made.tip[:12]}"
        console.note(f"branch {made.name} of {made.repository} is deleted; {back} brings it back")
    else:
        console.note(f"there is no branch {made.name} in {made.repository} any more")
