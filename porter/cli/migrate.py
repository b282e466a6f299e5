"""porter migrate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porter.cli import options
from porter.cli.common import takes
from porter.cli.options import REWRITING, STEPS

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("target", *REWRITING, "target_python", "no_build_isolation", *STEPS)
def command(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Rewrite what the target lacks, until nothing changes, and write the patch.

    Works on a copy; your tree is not touched (`porter patch --apply` does that, on a branch).
    For C++ and CUDA a compiler says, in the target's environment, which polyfills are needed; for
    its flags the repository's setup.py or CMake files are run, in a sandbox where there is one.
    With --no-compiler nothing of the repository is run.

    \b
    Examples:
      porter migrate --target TARGET
      porter migrate ./ops --style fork
      porter migrate --review --json
      porter migrate ./ops --no-compiler
      porter migrate ./npu_ops --target TARGET --route aclnn
    """
    from porter.cli.common import continued, finish, progress
    from porter.stages import everything, migrate

    console = progress(json)
    kept = migrate.migrate(continued(source, run, chosen, console, anew=True), chosen, console)
    finish(kept, json, console, remains=everything.leftovers(kept), only="migrate")
