"""The HTML page in a browser: accessible, usable by keyboard, small, and asking for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from porter.run.record import Migration, RunRecord, Verification
from tests.browser import open_page, opened
from tests.records import changed, diff_of, made, record_of

pytestmark = pytest.mark.long

LINE = "a line of the source that is longer than a narrow page is wide, but not cut"
BYTES, NODES = 5_000_000, 5_000
VIEWS = [(theme, width) for theme in ("light", "dark") for width in (1280, 400)]
EVERY_NODE = """
let number = 0;
const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
while (walker.nextNode()) number += 1;
return number;
"""
AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(done, (error) => done({error: `${error}`}));
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    with opened() as driver:
        yield driver


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def analyzed() -> RunRecord:
    """A run of `porter analyze` alone."""
    record = replace(record_of(30), migration=Migration(), verification=Verification())
    return changed(record, builds=(), suites=(), stages=())


def write(folder: Path, name: str) -> Path:
    """Write the page of a run that has few, many, or only analyzed entries."""
    file = folder / f"{name}.html"
    if not file.exists():
        record = {"few": record_of(3), "many": record_of(2_000)}.get(name) or analyzed()
        (folder / name).mkdir()
        diff = "" if name == "analyzed" else diff_of(3 if name == "few" else 3_000, "")
        file.write_text(made(folder / name, record, diff, f"{LINE}\n" * 50))
    return file


def violations(browser: webdriver.Chrome) -> list[tuple[str, str]]:
    """Return the rules of axe-core that the page breaks, each with the first element that does."""
    browser.execute_script((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = browser.execute_async_script(AXE)
    assert found.get("passes"), found
    return [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]


def section(browser: webdriver.Chrome, key: str) -> WebElement:
    return browser.find_element(By.ID, key)


def column(found: WebElement, number: int) -> list[str]:
    cells = found.find_elements(By.CSS_SELECTOR, f"tbody td:nth-child({number})")
    return [cell.get_attribute("textContent") or "" for cell in cells]


def press(browser: webdriver.Chrome, *keys: str) -> None:
    browser.switch_to.active_element.send_keys(*keys)


def focus(browser: webdriver.Chrome) -> WebElement:
    return browser.switch_to.active_element


@pytest.mark.parametrize(("theme", "width"), VIEWS)
@pytest.mark.parametrize("name", ["few", "many", "analyzed"])
def test_nothing_on_the_page_breaks_a_rule_of_axe(
    browser: webdriver.Chrome, folder: Path, name: str, theme: str, width: int
) -> None:
    open_page(browser, write(folder, name), theme, width)
    dark = browser.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert dark is (theme == "dark") and paper == (
        "rgb(13, 17, 23)" if dark else "rgb(255, 255, 255)"
    )
    wide = "return [document.documentElement.scrollWidth, innerWidth]"
    assert browser.execute_script(wide) == [width, width], "no sideways scrolling of the page"
    assert violations(browser) == []
    for found in browser.find_elements(By.CSS_SELECTOR, "[data-rows]"):
        for control in found.find_elements(By.CSS_SELECTOR, "[data-more], summary")[:2]:
            browser.execute_script("arguments[0].click()", control)
    assert violations(browser) == [], "with more rows, made by the script, and a quoted source"
    assert browser.execute_script(wide) == [width, width]


def test_the_largest_run_is_small_at_first_paint(browser: webdriver.Chrome, folder: Path) -> None:
    file = write(folder, "many")
    open_page(browser, file)
    assert file.stat().st_size <= BYTES
    assert browser.execute_script(EVERY_NODE) <= NODES


def test_the_page_asks_for_nothing_and_reports_no_error(
    browser: webdriver.Chrome, folder: Path
) -> None:
    browser.get_log("browser"), browser.get_log("performance")
    open_page(browser, write(folder, "few"))
    search(browser, "diff", "added")
    said = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [
        one["params"]["request"]["url"]
        for one in said
        if one["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [write(folder, "few").as_uri()]
    assert browser.get_log("browser") == [], "its policy allows its own script and style"


def search(browser: webdriver.Chrome, key: str, text: str) -> None:
    for field in section(browser, key).find_elements(By.CSS_SELECTOR, "[data-search]"):
        field.send_keys(Keys.CONTROL, "a", Keys.NULL, text or Keys.DELETE)


def test_rows_are_searched_filtered_and_sorted_also_those_that_were_not_there(
    browser: webdriver.Chrome, folder: Path
) -> None:
    open_page(browser, write(folder, "many"))
    found = section(browser, "findings")
    assert len(column(found, 1)) == 20
    search(browser, "findings", "finding 199")
    assert column(found, 4) == ["finding 199", *(f"finding 199{n}" for n in range(10))]
    search(browser, "findings", "")
    rule, sort = (
        Select(found.find_element(By.CSS_SELECTOR, css))
        for css in ("[data-column='0']", "[data-sort]")
    )
    assert rule.options[1].text == "rule_0 (7)", "the number of rows of each"
    rule.select_by_value("rule_5")
    assert {*column(found, 1)} == {"rule_5"} and len(column(found, 1)) == 7
    rule.select_by_index(0)
    sort.select_by_visible_text("file")
    assert column(found, 2)[:5] == ["dir/a0.py"] * 4 + ["dir/a1.py"]
    status = found.find_element(By.CSS_SELECTOR, "[role=status]")
    assert status.text.startswith("100 of ")


def test_the_page_is_used_by_keyboard_alone(browser: webdriver.Chrome, folder: Path) -> None:
    open_page(browser, write(folder, "many"), width=400)
    press(browser, Keys.TAB)
    assert focus(browser).text == "Skip to the report" and focus(browser).is_displayed()
    press(browser, Keys.ENTER)
    assert browser.execute_script("return location.hash") == "#main"
    reached = []
    for _ in range(60):
        press(browser, Keys.TAB)
        reached.append(focus(browser).tag_name)
        if focus(browser).tag_name == "button":
            break
    assert {"input", "div", "button"} <= {*reached}, "search, table, more"
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.execute_script(outline) == "solid", "the focus can be seen"
    body = (
        focus(browser)
        .find_element(By.XPATH, "./ancestor::section")
        .find_element(By.TAG_NAME, "tbody")
    )
    before = len(body.find_elements(By.TAG_NAME, "tr"))
    press(browser, Keys.ENTER)
    assert len(body.find_elements(By.TAG_NAME, "tr")) == before + 100


def test_a_source_is_quoted_below_its_row_until_that_is_closed(
    browser: webdriver.Chrome, folder: Path
) -> None:
    open_page(browser, write(folder, "few"))
    found = section(browser, "left")
    summary = found.find_element(By.TAG_NAME, "summary")
    width = "return arguments[0].querySelector('th').offsetWidth"
    before = browser.execute_script(width, found)
    # A browser sends "toggle" some time after the key that opened or closed.
    wait = WebDriverWait(browser, 10)
    for _ in range(2):
        summary.send_keys(Keys.ENTER)
        wait.until(lambda _: found.find_elements(By.CSS_SELECTOR, "tr + .quote mark"))
        quote = found.find_element(By.CSS_SELECTOR, "tr + .quote mark")
        assert quote.is_displayed() and quote.text.strip() == f"1 {LINE}"
        assert browser.execute_script(width, found) == before, "columns stay as they are"
        summary.send_keys(Keys.ENTER)
        wait.until(lambda _: not found.find_elements(By.CLASS_NAME, "quote"))
