"""The page of all commands, made from their help; `python -m porter.cli.pages` writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porter.host.home import PACKAGE

NOTE = "<!-- Made by `make pages` from the help of the commands; change porter/cli instead. -->\n"
NAME = "commands.md"
WIDTH = 80


def page() -> str:
    """The help of porter and of each of its commands."""
    import typer

    from porter.cli.app import app

    helps = _helps(typer.main.get_command(app), "porter")
    parts = [f"## {name}\n\n```text\n{text}\n```\n" for name, text in helps]
    return f"{NOTE}\n# Commands\n\n" + "\n".join(parts)


def _helps(command: Any, name: str, outer: Any = None) -> Iterator[tuple[str, str]]:
    context = command.context_class(
        command, info_name=name, parent=outer, terminal_width=WIDTH, max_content_width=WIDTH
    )
    yield context.command_path, command.get_help(context).rstrip()
    for inner, found in getattr(command, "commands", {}).items():
        yield from _helps(found, inner, context)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE.parent / "docs" / "reference"
    (folder / NAME).write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
