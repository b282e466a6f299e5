"""porter runs."""

from __future__ import annotations

import time

from porter.cli import options


def command(json: options.Json = False) -> None:
    """List the runs that later commands can continue, newest last.

    \b
    Examples:
      porter runs
      porter report --run 20261121-101500-1f2e3d
    """
    from porter.cli.common import progress
    from porter.errors import EnvironmentFailed
    from porter.report.facts import verdict_line
    from porter.run import store

    console = progress(json)
    rows = []
    for run in store.all_runs():
        try:
            kept = run.load()
        except EnvironmentFailed as error:
            console.note(f"{error}; delete the folder if you do not need it")
            continue
        done = kept.stages[-1].name if kept.stages else "checkout"
        rows.append(
            {
                "run": kept.id,
                "source": kept.source.written,
                "created": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(kept.created)),
                "stage": done,
                "verdict": verdict_line(kept),
                "folder": str(run.folder),
            }
        )
    if json:
        import json as encoder

        console.write(encoder.dumps(rows, indent=2))
        return
    for row in rows:
        console.write(f"{row['run']}  {row['source']}  after {row['stage']}  {row['verdict']}")
    if not rows:
        console.note("no runs yet: porter analyze SOURCE")
