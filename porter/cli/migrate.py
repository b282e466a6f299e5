"""porter migrate."""

from __future__ import annotations

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    target: options.Target = None,
    style: options.Style = None,
    review: options.Review = False,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Rewrite what the target lacks, until nothing changes, and write the patch.

    Works on a copy; your tree is not touched (`porter patch --apply` does that, on a branch).

    \b
    Examples:
      porter migrate --target paddle
      porter migrate ./ops --style fork
      porter migrate --review --json
    """
    from porter.cli.common import choices, continued, finish, progress
    from porter.stages import everything, migrate

    chosen = choices(target=target, style=style, review=review, jobs=jobs)
    console = progress(json)
    kept = migrate.migrate(continued(source, run, chosen, console, anew=True), chosen, console)
    finish(kept, json, console, remains=everything.leftovers(kept), only="migrate")
