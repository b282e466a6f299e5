"""What every command has: options in groups in its help, and -v and -q with one meaning."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from porter.cli import options
from porter.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    import typer

    from porter.model import Step

GROUPS = {
    "Rewriting": options.REWRITING,
    "Interpreters and requirements": (
        *options.INTERPRETERS,
        *("offline", "needed", "requires", "prepare"),
    ),
    "Builds, tests and parity cases": (*options.RUNNING, "timeout", *options.STEPS),
    "Output": (*options.DETAIL, "timing", "json", "junit", "output"),
}
_GROUP_OF = {name: title for title, names in GROUPS.items() for name in names}


class Command(TyperCommand):
    """A command whose help lists its options by what they are about."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name, written alike by every version of typer."""
        names = (
            _name(p) if p.required else f"[{_name(p)}]"
            for p in self.get_params(ctx)
            if p.param_type_name == "argument"
        )
        return ["[OPTIONS]", *names]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group; options without one come first."""
        rows: dict[str, list[tuple[str, str]]]
        rows = {title: [] for title in ("Arguments", "Options", *GROUPS)}
        for param in self.get_params(ctx):
            title = _GROUP_OF.get(param.name or "", "Options")
            record = param.get_help_record(ctx)
            if record is not None and param.param_type_name == "argument":
                title, record = "Arguments", (_name(param), record[1])
            if record is not None:
                rows[title].append(record)
        for title, found in rows.items():
            if found:
                with formatter.section(title):
                    formatter.write_dl(found)


def _name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def prepare(group: typer.Typer) -> typer.Typer:
    """Give -v and -q to each command of a group, and to itself where it is one."""
    for info in group.registered_commands:
        info.cls = Command
        info.callback = info.callback and with_detail(info.callback)
    whole = group.registered_callback
    if whole is not None and group.info.invoke_without_command:
        whole.callback = whole.callback and with_detail(whole.callback)
    return group


def with_detail(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that takes --verbose and --quiet besides its own options."""

    @functools.wraps(function)
    def command(verbose: bool, quiet: bool, **given: Any) -> Any:
        choose_detail(verbose, quiet)
        return function(**given)

    kinds = {"verbose": options.Verbose, "quiet": options.Quiet}
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(n, keyword, default=False, annotation=k) for n, k in kinds.items()]
    signature = inspect.signature(function, eval_str=True)
    parameters = [p.replace(kind=keyword) for p in signature.parameters.values()] + own
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def choose_detail(verbose: bool, quiet: bool) -> None:
    """Say how much of its work porter shows on stderr from now on."""
    from porter import console
    from porter.host import process

    if verbose and quiet:
        raise UsageError("--verbose and --quiet exclude each other", hint="give one of them")
    console.detail = console.Detail(1 + verbose - quiet)
    process.announce(_show_step if verbose else None)


def _show_step(step: Step, log: Path) -> None:
    import shlex

    from porter.console import Console

    Console().note(f"$ {shlex.join(map(str, step.argv))}\n  in {step.cwd}, log: {log}")
