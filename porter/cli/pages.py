"""The pages of all commands, made from their help, and what docs/reference has of configuration
files; `python -m porter.cli.pages` writes them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porter.host.home import PACKAGE

NOTE = "<!-- Made by `make pages` from the help of the commands; change porter/cli instead. -->\n"
NAME = "commands.md"
CONFIGURATION, SCHEMA = "configuration.md", "configuration.schema.json"
KEYS = re.compile(r"(<!-- keys: [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
WIDTH = 78  # what click takes of a terminal of 80 columns


def pages() -> dict[str, str]:
    """Every page by its name: an index, and one for each command with those below it."""
    import typer

    from porter.cli.app import app

    whole = typer.main.get_command(app)
    outer = _context(whole, "porter")
    made = {}
    index = f"{NOTE}\n# Commands\n\n```text\n{whole.get_help(outer).rstrip()}\n```\n\n"
    index += "| command | what it does |\n|---|---|\n"
    for name, command in whole.commands.items():  # type: ignore[attr-defined]
        page = f"{NAME.removesuffix('.md')}/{name}.md"
        made[page] = _page(command, _context(command, name, outer))
        index += f"| [porter {name}]({page}) | {(command.help or '').partition(chr(10))[0]} |\n"
    return {NAME: index, **made}


def _page(command: Any, context: Any) -> str:
    (_, text), *below = _helps(command, context)
    parts = [f"{NOTE}\n# {context.command_path}\n\n```text\n{text}\n```\n"]
    parts += [f"## {name}\n\n```text\n{text}\n```\n" for name, text in below]
    return "\n".join(parts)


def _helps(command: Any, context: Any) -> Iterator[tuple[str, str]]:
    yield context.command_path, command.get_help(context).rstrip()
    for inner, found in getattr(command, "commands", {}).items():
        yield from _helps(found, _context(found, inner, context))


def _context(command: Any, name: str, outer: Any = None) -> Any:
    return command.context_class(
        command, info_name=name, parent=outer, terminal_width=WIDTH, max_content_width=WIDTH
    )


def configuration(page: str) -> dict[str, str]:
    """The page about configuration files with its table of keys, and their JSON schema."""
    from porter import config, targets

    target, version = targets.resolve(None)
    table = "| key | example | what it says | in a repository's own file |\n|---|---|---|---|\n"
    for name, example, text, own in config.rows():
        example = example.replace("{target}", f"{target.name}=={version}")
        table += f"| `{name}` | `{example}` | {text} | {own or 'anything'} |\n"
    return {
        CONFIGURATION: KEYS.sub(lambda match: f"{match[1]}\n{table}\n{match[2]}", page),
        SCHEMA: json.dumps(config.schema(), indent=2) + "\n",
    }


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE.parent / "docs" / "reference"
    about = (PACKAGE.parent / "docs" / "reference" / CONFIGURATION).read_text(encoding="utf-8")
    for name, text in {**pages(), **configuration(about)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
