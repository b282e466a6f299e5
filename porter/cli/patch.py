"""porter patch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Put the commits on a new branch of your clone.")
    ] = False,
    branch: Annotated[
        str | None, typer.Option("--branch", help="Its name.", show_default="porter/<target>")
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option("--repo", help="The clone to put it in.", show_default="the SOURCE"),
    ] = None,
    series: Annotated[
        bool, typer.Option("--series", help="List the files for `git am` instead.")
    ] = False,
    run: options.RunId = None,
) -> None:
    """Print the patch of the latest run, or put its commits on a branch of your clone.

    The printed diff is for `git apply`; the series, one commit per kind of change, for `git am`.
    --apply wants a clean tree, and leaves your branch alone: `porter undo` takes it back.

    \b
    Examples:
      porter patch > ported.patch
      porter patch --apply
      git am $(porter patch --series)
    """
    from porter.cli.common import progress
    from porter.errors import UsageError
    from porter.stages import branches, session

    console = progress(json=False)
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
    from porter.errors import UsageError

    if kind != "path":
        raise UsageError("the source is not a local clone", hint="name yours with --repo PATH")
    return Path(identity.removeprefix("path:").partition("#")[0])
