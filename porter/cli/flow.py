"""The commands of the flow: port, or one stage after another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import (
    continue_run,
    drop_run_form,
    ensure_migrated,
    finish,
    progress,
    takes,
    write_file,
)
from porter.cli.common import wheel as symbols_of_wheel
from porter.cli.options import BUILDING, INTERPRETERS, REWRITING, RUNNING, STEPS
from porter.errors import ExitCode

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("target", *REWRITING, *RUNNING, *INTERPRETERS, *BUILDING, *STEPS, "baseline")
def port(
    source: options.Source,
    chosen: Options,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not continue an interrupted run.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Analyze, migrate, build, verify and report, in one run.

    A run that was killed is continued where it stopped. Exit code 0 only when the verdict
    is PORTED and porter knows of nothing left.

    \b
    Examples:
      porter port https://github.com/owner/ops --target TARGET
      porter port pypi:torch-scatter==2.1.2 --target TARGET==VERSION --json
      porter port ./torch_sparse --with ./torch_scatter
      porter port ./ops --device cuda --target-python ~/gpu/bin/python
    """
    from porter.stages import estimates, everything, session
    from porter.stages.configured import configure

    console = progress()
    console.plan(*estimates.PLAN)
    run = session.begin(source, console)
    chosen = configure(run, chosen, console)
    run = run if fresh else session.resume(run, chosen, console)
    kept = everything.port(run, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept), page=run.page)


@takes("target", "style", "vendor", "jobs", "config", "baseline", "timing")
def analyze(
    source: options.Source,
    chosen: Options,
    fail_on_findings: Annotated[
        bool, typer.Option("--fail-on-findings", help="Exit with 1 when anything was found.")
    ] = False,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline", metavar="FILE", help="Accept what is found now: see --baseline."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Show what a repository uses of torch, and what the target lacks.

    Runs no code of the repository. Exit code 0 if every file could be read. For a wheel, it lists
    the symbols of torch that its libraries need, and which of them the target's package has: exit
    code 0 if it has all.

    \b
    Examples:
      porter analyze ./flashinfer
      porter analyze torchcodec-0.13.0-cp311-cp311-manylinux_2_28_x86_64.whl
      porter analyze pypi:torch-scatter==2.1.2 --target TARGET==VERSION
      porter analyze https://github.com/owner/ops@v1.2#kernels --json
    """
    from porter.stages import accepted, repeated
    from porter.stages import analyze as stage

    console = progress()
    if source.endswith(".whl"):
        symbols_of_wheel(Path(source), chosen, json, console)
        return
    run, kept = repeated.find(source, chosen, console) or stage.begin(source, chosen, console)
    if write_baseline is not None:
        write_file(write_baseline, accepted.encode_baseline(run, kept), console)
    unread = stage.unread_files(kept)
    counted = [f for f in kept.analysis.findings if not f.accepted]
    lacking = [m for m in kept.missing if not m.accepted]
    found = fail_on_findings and (counted or lacking)
    finish(kept, json, console, remains=bool(unread or found), only="analyze")


@takes("target", *REWRITING, "target_python", "no_build_isolation", *STEPS, "baseline")
def migrate(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Rewrite what the target lacks, and write the patch.

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
    from porter.stages import everything
    from porter.stages import migrate as stage

    console = progress()
    found, chosen = continue_run(source, run, chosen, console, anew=True)
    if source is not None and run is None:
        chosen = drop_run_form(chosen)
    kept = stage.migrate(found, chosen, console)
    finish(kept, json, console, remains=everything.leftovers(kept), only="migrate")


@takes("target", "device", *INTERPRETERS, *BUILDING, *STEPS)
def build(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Build the tree under torch, and the patched tree under both.

    Each in an environment of its own. What is not migrated yet is migrated first; what is built
    stays, what failed is built again.
    Exit code 0 when every build works.

    \b
    Examples:
      porter build
      porter build ./ops --target-python ~/gpu/bin/python --device cuda
    """
    from porter.stages import build as stage

    console = progress()
    kept = stage.build(*ensure_migrated(source, run, chosen, console), console)
    finish(kept, json, console, remains=not stage.works(kept), only="build")


@takes("target", *RUNNING, *INTERPRETERS, "offline", *BUILDING, *STEPS)
def verify(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Run tests and parity cases under both frameworks, and compare.

    Migrates and builds what is not yet; what failed is built again. Exit code 0 when the verdict
    is PORTED and porter knows of nothing left.

    \b
    Examples:
      porter verify
      porter verify --tests "pytest tests/test_ops.py -k forward"
      porter verify ./ops --parity my.parity.toml --json
      porter verify ./npu_ops --target TARGET --device emulated
    """
    from porter.stages import everything
    from porter.stages import verify as stage

    console = progress()
    kept = stage.verify(*ensure_migrated(source, run, chosen, console), console)
    finish(kept, json, console, remains=everything.remains(kept), only="verify")


@takes("target", *INTERPRETERS[1:], *BUILDING, *STEPS)
def wheel(
    source: options.OptionalSource = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to put it.")
    ] = Path(),
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Make a wheel of the patched tree that needs no torch.

    It asks for the target in the place of torch, and for the package with what the target lacks
    where its code imports that. Then it is installed over the bare target, without an index, and
    imported. What is not migrated or built yet is, first. Exit code 0 when all that worked; else
    the wheel stays in the run's folder.

    \b
    Examples:
      porter wheel
      porter wheel ./ops --target TARGET -o dist
      porter wheel ./ops --target-python ~/gpu/bin/python --json
    """
    from porter import targets
    from porter.report.wheel import wheel_document, wheel_text
    from porter.stages import wheel as stage

    console = progress()
    found, chosen = ensure_migrated(source, run, chosen, console)
    made = stage.wheel(found, output, chosen, console)
    target = targets.TARGETS[made.target]
    console.write(wheel_document(made) if json else wheel_text(made, target))
    raise typer.Exit(ExitCode.REMAINS if made.problem else ExitCode.CLEAN)
