"""The site of the documentation: made without a warning, and searched in a browser."""

from __future__ import annotations

import functools
import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser import opened
from tests.conftest import ROOT

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="`make docs` installs it")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    subprocess.run([*command, str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_there_and_says_its_language(site: Path) -> None:
    docs = ROOT / "docs"
    for page in docs.rglob("*.md"):
        made = (site / page.relative_to(docs).with_suffix(".html")).read_text(encoding="utf-8")
        assert f'<html lang="{"zh" if page.name.endswith(".zh.md") else "en"}"' in made
    assert (site / "tree/CHANGELOG.html").is_file(), "pages outside of docs/ that are linked to"


def test_a_generated_page_has_its_title(site: Path) -> None:
    page = (site / "reference/rules/paddle/python/record_stream_method.html").read_text("utf-8")
    assert "<title>paddle/python/record_stream_method - porter" in page


def test_the_search_finds_rules_and_polyfills(address: str) -> None:
    with opened() as browser:
        browser.get(f"{address}/index.html")
        wait = WebDriverWait(browser, 30)
        for words, page in (
            ("compiled_with_cxx11_abi", "rules/paddle/python/compiled_with_cxx11_abi.html"),
            ("record_stream", "rules/paddle/python/record_stream_method.html"),
            ("scatter_gather", "polyfills/cpp.html#cppscatter_gather"),
        ):
            browser.get(f"{address}/index.html?q={words}")
            found = f'.md-search-result a[href*="{page}"]'
            wait.until(lambda page, found=found: page.find_elements(By.CSS_SELECTOR, found))
