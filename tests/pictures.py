"""Make the pictures of the documentation, by porting fixtures/vecops: `make pictures`.

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
VIEWS = (  # name, theme, width, height, the section at the top
    ("report-light", "light", 1040, 512, ""),
    ("report-dark", "dark", 1040, 600, "diff"),
    ("report-narrow", "light", 400, 720, "tests"),
)


def porter(*arguments: str, cwd: Path, **more: str) -> str:
    command = [sys.executable, "-m", "porter", *arguments]
    variables = {**os.environ, **more}
    return subprocess.run(
        command, cwd=cwd, env=variables, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def draw_terminal(folder: Path) -> str:
    """Return what `porter analyze` says as rich's SVG, without fonts from another server."""
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

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        page = folder / "report.html"
        # Elsewhere: pictures name no folder of this checkout.
        shutil.copytree(ROOT / "fixtures/vecops", folder / "vecops")
        porter("port", "vecops", "--target", "paddle", cwd=folder)
        porter("report", "vecops", "--html", "-o", str(page), cwd=folder)
        with opened() as browser:
            for name, *view, section in VIEWS:
                open_page(browser, page, *view)
                browser.execute_script(f"location.hash = '{section}'")
                made = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
                (PICTURES / f"{name}.png").write_bytes(base64.b64decode(made["data"]))
        (PICTURES / "terminal.svg").write_text(draw_terminal(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
