"""The options that several commands share, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from porter.cli import completion
from porter.host.home import PACKAGE

Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="Git URL[@ref][#subdir], a path, or pypi:name==version.",
        autocompletion=completion.complete_source,
    ),
]
OptionalSource = Annotated[
    str | None,
    typer.Argument(
        metavar="SOURCE",
        help="Git URL[@ref][#subdir], a path, or pypi:name==version. "
        "Without it: the latest run of this folder.",
        show_default=False,
        autocompletion=completion.complete_source,
    ),
]
Framework = Annotated[
    str,
    typer.Option(
        "--source", metavar="FRAMEWORK", help="The framework that the repository was written for."
    ),
]
# Their names without loading them: `--help` is to be fast.
_TARGETS = {p.parent.name for p in (PACKAGE / "targets").glob("*/__init__.py")} - {"torch"}
DEFAULT = "the default target"
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        "-t",
        metavar="TARGET",
        help=f"{' or '.join(sorted(_TARGETS))}, or NAME==VERSION.",
        show_default=f"the run's, else {DEFAULT}",
        autocompletion=completion.complete_target,
    ),
]
Route = Annotated[
    str | None,
    typer.Option(
        "--route",
        metavar="ROUTE",
        help="How operators of Ascend NPUs get to torch afterwards: direct, aclnn or opplugin.",
    ),
]
RunId = Annotated[
    str | None,
    typer.Option(
        "--run",
        metavar="RUN",
        help="Continue this run (see `porter runs`).",
        autocompletion=completion.complete_run,
    ),
]
Style = Annotated[
    str | None,
    typer.Option(
        "--style",
        metavar="STYLE",
        help="dual: one tree for both frameworks; fork: the target only.",
        show_default="dual",
        autocompletion=completion.complete_style,
    ),
]
Vendor = Annotated[
    bool | None,
    typer.Option(
        "--vendor/--no-vendor",
        help="Write what the target lacks into the tree; else the tree imports a package with it.",
        show_default="--no-vendor",
    ),
]
Review = Annotated[
    bool, typer.Option("--review", help="Also apply edits that a person should look at.")
]
Notebooks = Annotated[
    bool, typer.Option("--notebooks", help="Also rewrite the code cells of Jupyter notebooks.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Show the command line and the log of each step."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show results and errors only.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; 0: one a core.")]
SourcePython = Annotated[
    Path | None,
    typer.Option("--source-python", metavar="PYTHON", help="Your own interpreter that has torch."),
]
TargetPython = Annotated[
    Path | None,
    typer.Option(
        "--target-python", metavar="PYTHON", help="Your own interpreter that has the target."
    ),
]
NoCompiler = Annotated[
    bool,
    typer.Option(
        "--no-compiler",
        envvar="PORTER_NO_COMPILER",
        help="Choose C++ pieces by the names in the sources; nothing is compiled or installed.",
    ),
]
NoBuildIsolation = Annotated[
    bool,
    typer.Option(
        "--no-build-isolation",
        help="Build with what the interpreters have; install no requirement of the repository.",
    ),
]
Offline = Annotated[
    bool,
    typer.Option(
        "--offline",
        help="Download nothing: build only for the interpreters that are named.",
    ),
]
With = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        metavar="FOLDER",
        help="A project that this one needs, ported already: built and installed first, under "
        "each framework. May be repeated.",
    ),
]
Requires = Annotated[
    list[str] | None,
    typer.Option(
        "--requires",
        metavar="NAME",
        help="A distribution that the project needs and does not name, as numba or numba>=0.60: "
        "installed under each framework. May be repeated.",
    ),
]
Prepare = Annotated[
    str | None,
    typer.Option(
        "--prepare",
        metavar="COMMAND",
        help='Run in the tree before each build, as "bash gen.sh ops.yaml".',
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", metavar="SECONDS", help="Seconds that one build or test step may take."
    ),
]
Sandbox = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="MODE",
        help="auto: code of the repository runs in a sandbox where there is one; require: else not "
        "at all; off: never.",
        autocompletion=completion.complete_sandbox,
    ),
]
Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME",
        help="An environment variable that code of the repository gets. May be repeated.",
    ),
]
Tests = Annotated[
    str | None,
    typer.Option(
        "--tests", metavar="COMMAND", help='The command of the tests, as "pytest tests/x -k y".'
    ),
]
Parity = Annotated[
    Path | None,
    typer.Option(
        "--parity", metavar="FILE", help="Parity cases.", show_default="porter.parity.toml"
    ),
]
Devices = Annotated[
    list[str] | None,
    typer.Option(
        "--device",
        "-d",
        metavar="DEVICE",
        help="cpu, cuda, npu, or emulated (CUDA or an NPU, on the CPU).",
        autocompletion=completion.complete_device,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="PORTER_CONFIG",
        help="A porter.toml or pyproject.toml of yours, in the place of the repository's own.",
    ),
]
Timing = Annotated[
    bool,
    typer.Option("--timing", help="Show where the time went: by stage, and kind of process."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Findings that are accepted: shown by number, not "
        "counted. `porter analyze --write-baseline` writes it.",
    ),
]
Only = Annotated[
    str,
    typer.Option(
        "-k",
        metavar="EXPRESSION",
        help='Cases whose names hold these words: "norm and not float16".',
    ),
]
Junit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")
]
CaseTimeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", help="Seconds that one case may take.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the user wrote; the plain values where a command does not have an option."""

    framework: Framework = "torch"
    target: Target = None
    style: Style = None
    vendor: Vendor = None
    route: Route = None
    review: Review = False
    notebooks: Notebooks = False
    no_compiler: NoCompiler = False
    device: Devices = None
    tests: Tests = None
    parity: Parity = None
    source_python: SourcePython = None
    target_python: TargetPython = None
    no_build_isolation: NoBuildIsolation = False
    offline: Offline = False
    needed: With = None
    requires: Requires = None
    prepare: Prepare = None
    timeout: Timeout = 3600.0
    sandbox: Sandbox = "auto"
    env: Env = None
    jobs: Jobs = 0
    config: Config = None
    baseline: Baseline = None
    timing: Timing = False


REWRITING = ("style", "vendor", "route", "review", "notebooks", "no_compiler")
INTERPRETERS = ("source_python", "target_python", "no_build_isolation")
RUNNING = ("device", "tests", "parity")
BUILDING = ("needed", "requires", "prepare", "timeout")
STEPS = ("sandbox", "env", "jobs", "config", "timing")
DETAIL = ("verbose", "quiet")
