"""porter build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porter.cli import options
from porter.cli.common import takes
from porter.cli.options import INTERPRETERS, STEPS

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("target", "device", *INTERPRETERS, "needed", "prepare", "timeout", *STEPS)
def command(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Build the tree under torch and the patched tree under both frameworks.

    Each in an environment of its own. What is not migrated yet is migrated first; what is built
    stays, what failed is built again.
    Exit code 0 when every build works.

    \b
    Examples:
      porter build
      porter build ./ops --target-python ~/gpu/bin/python --device cuda
    """
    from porter.cli.common import finish, migrated, progress
    from porter.stages import build

    console = progress(json)
    going_on = migrated(source, run, chosen, console)
    kept = build.build(going_on, chosen, console)
    finish(kept, json, console, remains=not build.works(kept), only="build")
