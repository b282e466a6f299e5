"""porter verify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porter.cli import options
from porter.cli.common import takes
from porter.cli.options import INTERPRETERS, STEPS

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes(
    "target",
    "device",
    "tests",
    "parity",
    *INTERPRETERS,
    "offline",
    "needed",
    "prepare",
    "timeout",
    *STEPS,
)
def command(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Run the repository's tests and parity cases under both frameworks, and compare.

    Migrates and builds what is not yet; what failed is built again. Exit code 0 when the verdict
    is PORTED and nothing remains.

    \b
    Examples:
      porter verify
      porter verify --tests "pytest tests/test_ops.py -k forward"
      porter verify ./ops --parity my.parity.toml --json
      porter verify ./npu_ops --target TARGET --device emulated
    """
    from porter.cli.common import finish, migrated, progress
    from porter.stages import everything, verify

    console = progress(json)
    going_on = migrated(source, run, chosen, console)
    kept = verify.verify(going_on, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept), only="verify")
