"""What `make docs` adds to MkDocs: the navigation, files outside of docs/, a check of each page.

Pages are written for GitHub. The check warns where the site shows other elements or other text.
"""

from __future__ import annotations

import html
import logging
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
OUTSIDE = "tree"  # the folder of the site for files outside of docs/
CODE = r"^ *(?P<fence>`{3,}).*?^ *(?P=fence)$|`[^`\n]*`"
LINK = re.compile(CODE + r"|\]\((?P<to>(?!\w+:)[^)#\s]+)", re.MULTILINE | re.DOTALL)
ELEMENT = re.compile(r"<(h[1-6]|ul|ol|li|pre|table|tr|td|th|img|blockquote|em|strong)\b")
NO_TEXT = re.compile(r'<a class="headerlink".*?</a>|<!--.*?-->|<[^>]+>|\s', re.DOTALL)
log = logging.getLogger("mkdocs.hooks.porter")  # below `mkdocs`, so that --strict counts warnings
github = MarkdownIt().enable("table")


def on_config(config: Any) -> Any:
    """Take the navigation from the sections of index.md, which a test holds complete."""
    config.nav = [{"porter": "index.md"}]
    for section in re.split(r"^## ", (DOCS / "index.md").read_text(), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        pages = [place(DOCS / link) for link in linked(text) if link.endswith(".md")]
        config.nav.append({title: pages})
    return config


def linked(text: str) -> Iterator[str]:
    """Yield where the relative links of a page lead."""
    yield from filter(None, (match["to"] for match in LINK.finditer(text)))


def place(path: Path) -> str:
    """Return where the site has a file of the tree."""
    path = path.resolve()
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    # MkDocs leaves out what begins with a dot.
    return f"{OUTSIDE}/{path.relative_to(ROOT).as_posix()}".replace("/.", "/")


def on_files(files: Files, *, config: Any) -> Files:
    """Add what pages link to outside of docs/, and what those pages link to."""
    pages = [Path(str(file.abs_src_path)) for file in files.documentation_pages()]
    while pages:
        page = pages.pop()
        for link in linked(page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve()
            if target.is_file() and not files.get_file_from_path(place(target)):
                files.append(File.generated(config, place(target), abs_src_path=str(target)))
                pages += [target] if target.suffix == ".md" else []
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let links lead to where the site has the files, and begin with the title."""
    folder = Path(page.file.abs_src_path).parent
    here = posixpath.dirname(page.file.src_uri)

    def lead(match: re.Match[str]) -> str:
        if not match["to"]:
            return match[0]
        return f"]({posixpath.relpath(place(folder / match['to']), here)}"

    return re.sub(r"\A<!--.*?-->\s*", "", LINK.sub(lead, markdown), flags=re.DOTALL)


def on_page_content(made: str, *, page: Any, **_: Any) -> str:
    """Show `\\|` of a table's code as GitHub does, and compare with what GitHub shows."""
    made = re.sub(r"<code>[^<]*</code>", lambda code: code[0].replace(r"\|", "|"), made)
    expected = github.render(page.markdown)
    found, wanted = (Counter(ELEMENT.findall(text)) for text in (made, expected))
    here, there = (html.unescape(NO_TEXT.sub("", text)) for text in (made, expected))
    if found != wanted:
        log.warning(f"{page.file.src_uri}: {found - wanted} here, {wanted - found} on GitHub")
    elif here != there:
        same = len(posixpath.commonprefix([here, there]))
        log.warning(f"{page.file.src_uri}: another text than on GitHub: {here[same : same + 40]}")
    return made


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Say which pages are in Chinese."""
    chinese = page.file.src_uri.endswith(".zh.md")
    return output.replace('<html lang="en"', '<html lang="zh"', 1) if chinese else output
