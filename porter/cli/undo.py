"""porter undo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    branch: Annotated[
        str | None,
        typer.Option("--branch", help="The branch.", show_default="the one made last"),
    ] = None,
    repo: Annotated[
        Path | None, typer.Option("--repo", help="The clone it is in.", show_default="any")
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
    from porter.cli.common import progress
    from porter.run import store
    from porter.sources import checkout
    from porter.stages import branches

    console = progress(json=False)
    identity = None if source is None else checkout.parse(source).identity
    runs = store.runs_of(identity, Path.cwd()) if run is None else (store.find(run),)
    made, deleted = branches.undo(runs, repo, branch)
    if deleted:
        back = f"git branch {made.name} {made.tip[:12]}"
        console.note(f"branch {made.name} of {made.repository} is deleted; {back} brings it back")
    else:
        console.note(f"there is no branch {made.name} in {made.repository} any more")
