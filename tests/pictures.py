"""Make the pictures of the documentation from the newest run of fixtures/vecops: `make pictures`.

docs/pictures/pipeline.svg is drawn by hand.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.conftest import ROOT

PICTURES = ROOT / "docs/pictures"
WIDTH = 100  # columns of the terminal
FONT = re.compile(r"@font-face {{.*?}}\s*", re.DOTALL)
VIEWS = (  # name, theme, width, section
    ("report-light", "light", 1280, "main"),
    ("report-dark", "dark", 1280, "diff"),
    ("report-narrow", "light", 400, "main"),
)


def porter(*arguments: str, cwd: Path, **more: str) -> str:
    command = [sys.executable, "-m", "porter", *arguments]
    variables = {**os.environ, **more}
    done = subprocess.run(command, cwd=cwd, env=variables, stdout=subprocess.PIPE, text=True)
    return done.stdout


def draw_terminal(folder: Path) -> str:
    """Return what `porter analyze` says as rich's SVG, without fonts from another server."""
    shutil.copytree(ROOT / "fixtures/vecops", folder / "vecops")
    looks = {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "PORTER_HOME": str(folder)}
    said = porter("analyze", "vecops", "--quiet", cwd=folder, **looks)
    screen = Console(record=True, width=WIDTH, file=io.StringIO())
    screen.print(Text.from_ansi(f"$ porter analyze vecops\n{said}"))
    form = FONT.sub("", CONSOLE_SVG_FORMAT)
    return screen.export_svg(title="porter", code_format=form, unique_id="terminal")


def read_terminal() -> str:
    """Return the text of the committed picture, without white space."""
    drawn = (PICTURES / "terminal.svg").read_text(encoding="utf-8")
    lines = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    return "".join(html.unescape("".join(lines)).split())


def main() -> None:
    from tests.browser import open_page, opened

    with tempfile.TemporaryDirectory() as name, opened() as browser:
        folder = Path(name)
        page = folder / "report.html"
        porter("report", "vecops", "--html", "-o", str(page), cwd=ROOT / "fixtures")
        for name, theme, width, section in VIEWS:
            open_page(browser, page, theme, width)
            browser.execute_script(f"document.getElementById('{section}').scrollIntoView()")
            made = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
            (PICTURES / f"{name}.png").write_bytes(base64.b64decode(made["data"]))
        (PICTURES / "terminal.svg").write_text(draw_terminal(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
