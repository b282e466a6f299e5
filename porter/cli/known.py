"""The commands about what porter knows: of names, rules, frameworks, this machine."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import completion, options
from porter.cli.common import progress, write_json
from porter.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from porter.stages.explain import Explained


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A name: torch.equal, at::Tensor::sum, TORCH_CHECK, <header>."
        ),
    ],
    target: options.Target = None,
    json: options.Json = False,
) -> None:
    """Show what a target has for a name of torch, and how it differs.

    Without a version: for every one that porter has data of.

    \b
    Examples:
      porter explain torch.equal
      porter explain at::Tensor::scatter_ --target TARGET==VERSION
      porter explain "<ATen/cuda/CUDAContext.h>" --json
    """
    from porter import targets
    from porter.stages import explain as stage

    written = target or targets.DEFAULT
    framework, version = targets.resolve(written)
    found = stage.explain(
        name, framework, [version] if "==" in written else framework.surface_versions()
    )
    console = progress()
    if json:
        write_json(dataclasses.asdict(found), console)
        return
    for line in _lines(found):
        console.write(line)


def _lines(found: Explained) -> list[str]:
    """A paragraph for each of: torch, each version of the target, each answer."""
    symbol = found.torch
    kind = f"{symbol.kind} of torch {found.torch_version}" if symbol else "not listed by torch"
    lines = [f"{found.name}: {kind}"]
    lines += [f"    {text}" for text in symbol.signatures] if symbol else []
    for one in found.versions:
        lines += ["", f"{found.target} {one.version}: {one.state}"]
        lines += [f"    {text}" for text in one.signatures]
        lines += [f"    {fact}" for fact in one.facts]
        if one.polyfill:
            verb = "replaced" if one.state == "present" else "filled"
            lines += [f"    {verb} by {one.polyfill}"]
    for answer in found.answers:
        said = f" ({answer.safety})" if answer.safety else ""
        lines += ["", f"{answer.kind} {answer.id}{said}: {answer.title}", f"    {answer.why}"]
        lines += [f"    remove when: {answer.until}"]
        for label, text in (("before", answer.before), ("after", answer.after)):
            if text:
                lines += ["", f"    {label}:", *(f"        {row}" for row in text.splitlines())]
    if not found.answers and any(one.state != "present" for one in found.versions):
        lines += ["", "no rule or polyfill: manual changes required"]
    for code in found.probes:
        rows = (row for line in code.splitlines() for row in line.split("; "))
        lines += ["", "holds under torch:", *(f"    {row}" for row in rows)]
    return lines


def rules(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="Show one rule with its examples.",
            autocompletion=completion.complete_rule,
        ),
    ] = None,
    target: options.Target = None,
    json: options.Json = False,
) -> None:
    """List the rules of a target, or explain one of them.

    \b
    Examples:
      porter rules
      porter rules torch_import_in_build_script
      porter rules --target TARGET==VERSION --json
    """
    import difflib
    from itertools import product

    from porter import targets
    from porter.model import Delivery, Form, Style
    from porter.rules.loader import load_pack
    from porter.surface import load

    console = progress()
    framework, version = targets.resolve(target)
    rules = (*load_pack(framework.pack).rules, *load_pack("ascend").rules)
    offered = load.load(framework.name, version)
    if rule is not None:
        found = next((r for r in rules if rule in (r.id, r.id.rpartition("/")[2])), None)
        if found is None:
            close = difflib.get_close_matches(rule, [r.id for r in rules], n=1, cutoff=0.3)
            raise UsageError(
                f"no rule {rule!r}", hint=f"did you mean {close[0]}?" if close else "porter rules"
            )
        page = (found.folder / "README.md").read_text(encoding="utf-8")
        console.write(f"{found.id} ({found.safety.label}): {found.title}\n\n{page}")
        return
    rows = [
        {
            "id": r.id,
            "title": r.title,
            "safety": r.safety.label,
            "until": r.until,
            "catalogue": list(r.catalogue),
            "active": any(r.is_needed(offered, Form(*one)) for one in product(Style, Delivery)),
        }
        for r in rules
    ]
    if json:
        write_json(rows, console)
        return
    for row in rows:
        mark = "" if row["active"] else f"  (not needed for {framework.name} {version})"
        console.write(f"{row['safety']:7} {row['id']}  {row['title']}{mark}")


surface = typer.Typer(
    help="Show or capture what a version of a framework offers.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@surface.command("capture")
def capture(
    python: Annotated[
        Path, typer.Option("--python", metavar="PYTHON", help="The interpreter that has it.")
    ],
    package: Annotated[
        str | None,
        typer.Option(
            "--package", metavar="NAME", help="torch or a target.", show_default=options.DEFAULT
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A file; default: porter's own data."),
    ] = None,
) -> None:
    """Capture the surface of a framework that you have installed.

    Without --output it is kept in porter's data and stands for that version from then on.

    \b
    Examples:
      porter surface capture --python ~/gpu/bin/python
      porter surface capture --python .venv-torch/bin/python --package torch -o torch.json
    """
    from porter import targets
    from porter.surface import capture as capturing
    from porter.surface import load

    console = progress()
    package = package or targets.DEFAULT
    with console.stage(f"capturing the surface of {package}"):
        found = capturing.capture(python.absolute(), package, on_line=console.line)
    path = output or load.own(found.package, found.version)
    load.save(found, path)
    names = len(found.python) + len(found.cpp)
    console.note(f"{found.package} {found.version} ({found.build}): {names} names in {path}")


def doctor(json: options.Json = False) -> None:
    """Check this machine for what porter needs.

    Compilers, git, disk space, the package index, environments.
    Exit code 3 when something that porter needs is missing.

    \b
    Examples:
      porter doctor
      porter doctor --json
    """
    from porter.model import Status
    from porter.stages import doctor as stage

    console = progress()
    with console.stage("check this machine"):
        checks = stage.examine()
    if json:
        write_json([dataclasses.asdict(check) for check in checks], console)
    else:
        console.checks(checks)
    bad = any(check.status is Status.FAILED for check in checks)
    raise typer.Exit(ExitCode.ENVIRONMENT if bad else ExitCode.CLEAN)
