"""Notebooks: their cells as Python, places in cells, edits that leave every other byte alone."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from porter.languages import notebook
from porter.languages.edits import splice
from porter.languages.python import Unreadable
from porter.migrate.intact import find_harm
from porter.migrate.plan import Migration, migrate
from porter.migrate.scan import Job, scan
from porter.model import Edit, Form, Language, Role, Safety, Span
from porter.report.facts import remedy
from porter.rules.loader import load_pack
from porter.stages.options import Options
from porter.survey.discover import LARGEST, discover
from porter.survey.survey import survey
from porter.targets.paddle import PROXY
from tests.test_cli import document, write

SETTINGS = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5}
EVENTS = ["import torch\n", "ev = torch.cuda.Event()\n"]
WAITS = "ev.wait(torch.cuda.current_stream())"
WAITED = "torch.cuda.current_stream().wait_event(ev)"


def code(source: str | list[str], **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [],
        "source": source,
    }  # fmt: skip


def book(*cells: dict[str, Any], **settings: Any) -> bytes:
    return json.dumps({"cells": cells, **SETTINGS, **settings}, indent=1).encode() + b"\n"


def plan(root: Path, *, notebooks: bool = True, gate: Safety = Safety.SAFE) -> Migration:
    found = discover(root)
    facts = survey(root, found)
    job = Job(root=root, facts=facts, pack=load_pack("paddle"), form=Form())
    return migrate(job, found.files, gate=gate, notebooks=notebooks)


def migrated(tmp_path: Path, data: bytes) -> bytes:
    """A notebook after the rules; every file that is not changed keeps its bytes."""
    (tmp_path / "demo.ipynb").write_bytes(data)
    patches = plan(tmp_path).plan.patches
    return next((p.after for p in patches if p.path == "demo.ipynb" and p.after), data)


def replaced(data: bytes, old: str, new: str) -> bytes:
    """The notebook with one piece of code written over another."""
    parsed = notebook.parse(data)
    at = parsed.text.index(old.encode())
    edit = parsed.edit(Edit(Span(at, at + len(old.encode())), new.encode()))
    assert edit is not None
    assert parsed.map_offset(edit.span.start) == at
    return splice(data, [edit])


# -------------------------------------------------------------------- reading


def test_cells_are_one_text_and_places_are_in_cells() -> None:
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# torch"]}
    parsed = notebook.parse(book(text, code(EVENTS), code("x = 1\ny = 2")))
    assert parsed.text == b"\n\nimport torch\nev = torch.cuda.Event()\n\nx = 1\ny = 2\n"
    assert [parsed.place(n) for n in (3, 4, 6, 7)] == [(2, 1), (2, 2), (3, 1), (3, 2)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("%matplotlib inline\nx = 1", "0                 \nx = 1"),
        ("!pip install \\\n  torch\nx = 1", "0             \n       \nx = 1"),
        ("!pip install \\\r\n  torch\r\nx = 1", "0              \n        \nx = 1"),
        ("%time y = f(x)", "0;    y = f(x)"),
        ("%timeit -n 10 f(x)", "0;            f(x)"),
        ("y = %time f(x)", "y =       f(x)"),
        ("files = !ls é", "files = 0     "),
        ("f?\nx = 1", "0 \nx = 1"),
        ("if x:\n    !ls\n", "if x:\n    0  \n"),
        ("%%time\ny = f(x)", "      \ny = f(x)"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ("# coding: latin-1\nx = 'é'", "# coding: latin-1\nx = 'é'"),
        ("await f()", "await f()"),
    ],
)
def test_magics_are_masked_byte_for_byte(written: str, read: str) -> None:
    parsed = notebook.parse(book(code(written)))
    assert parsed.text.decode() == f"\n\n{read}\n"
    assert len(parsed.text) == len(written.encode()) + 3


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (code("%%bash\npip install torch"), "a cell of %%bash"),
        (code("\n%%writefile x.py\nimport torch"), "a cell of %%writefile"),
        (code("using Torch", vscode={"languageId": "julia"}), "a cell of julia"),
    ],
)
def test_cells_of_other_languages_are_left_out_and_said(cell: dict[str, Any], reason: str) -> None:
    parsed = notebook.parse(book(cell, code("x = 1")))
    assert parsed.others == ((1, reason),)
    assert [c.number for c in parsed.cells] == [2]


def test_a_notebook_of_another_language_is_left_out_and_said() -> None:
    parsed = notebook.parse(book(code("x <- 1"), metadata={"kernelspec": {"language": "R"}}))
    assert (parsed.others, parsed.cells) == (((0, "a notebook of R"),), ())


@pytest.mark.parametrize(
    "source", ["x = (", "print 'x'", "x = '\0'", "\ufeffx = 1", "x = '\ud800'"]
)
def test_a_cell_that_is_no_python_costs_that_cell_only(source: str) -> None:
    parsed = notebook.parse(book(code(source), code("x = 1")))
    assert parsed.broken[0][1].startswith("line 1: ")
    assert [c.number for c in parsed.cells] == [2]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"cells": [', "is not valid JSON: line 1: "),
        (b"<<<<<<< HEAD\n{}", "is not valid JSON: line 1: "),
        (b"\x80\x81torch", "is not valid JSON: cannot be decoded: "),
        (b"[" * 100_000, "is not valid JSON that can be read: "),
        (b"[1]", "is not a notebook: its JSON is no object"),
        (b"{}", "is of notebook format None, not 4"),
        (b'{"worksheets": [], "nbformat": 3}', "is of notebook format 3, not 4"),
        (b'{"cells": {}, "nbformat": 4}', "is not a notebook: it has no list of cells"),
        (b'{"cells": [1], "nbformat": 4}', "is not a notebook: it has no list of cells"),
        (
            b'{"cells": [{"cell_type": "code", "source": "a", "source": "b"}], "nbformat": 4}',
            "says the source of a cell twice",
        ),
    ],
)
def test_what_is_no_notebook_is_told_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        notebook.parse(data)
    assert str(error.value).startswith(reason)


# -------------------------------------------------------------------- writing


def test_an_edit_changes_the_string_of_its_line_only() -> None:
    data = book(code([*EVENTS, "x = 'a\\n\"ü'\t# é\n", WAITS]))
    assert replaced(data, WAITS, WAITED) == data.replace(WAITS.encode(), WAITED.encode())
    assert replaced(data, "# é", '"\\n"') == data.replace(rb"# \u00e9", rb"\"\\n\"")


def test_text_that_is_new_is_written_as_the_file_writes_text() -> None:
    ascii_only = book(code("x = 1"))
    assert replaced(ascii_only, "1", "'é'") == ascii_only.replace(b"= 1", rb"= '\u00e9'")
    utf8 = json.dumps(
        {"cells": [code("x = 'ü😀'; y = 1")], **SETTINGS}, ensure_ascii=False
    ).encode()
    assert replaced(utf8, "1", "'é'") == utf8.replace(b"= 1", "= 'é'".encode())
    pair = book(code("x = '😀'; y = 1"))
    assert rb"\ud83d\ude00" in pair
    assert replaced(pair, "1", "2") == pair.replace(b"y = 1", b"y = 2")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_new_lines_become_strings_as_their_neighbours_are(end: str) -> None:
    data = book(code(["a = 1\n", "b = 2"])).replace(b"\n", end.encode())
    after = replaced(data, "b", "c = 3\nb")
    assert json.loads(after)["cells"][0]["source"] == ["a = 1\n", "c = 3\n", "b = 2"]
    assert after == data.replace(b'"b = 2"', f'"c = 3\\n",{end}    "b = 2"'.encode())
    one = book(code(["b = 2"]))
    assert json.loads(replaced(one, "b", "c\nb"))["cells"][0]["source"] == ["c\n", "b = 2"]
    whole = book(code("a = 1\nb = 2"))
    assert json.loads(replaced(whole, "b", "c\nb"))["cells"][0]["source"] == "a = 1\nc\nb = 2"
    gone = replaced(data, "a = 1\n", "")
    assert json.loads(gone)["cells"][0]["source"] == ["b = 2"]


def test_edits_over_cells_and_of_magics_are_refused() -> None:
    parsed = notebook.parse(book(code("%time x = 1"), code("y = 2")))
    magic = parsed.text.index(b"0;")
    assert parsed.edit(Edit(Span(magic, magic + 2), b"1")) is None
    assert parsed.edit(Edit(Span(magic + 6, parsed.text.index(b"y")), b"")) is None
    assert parsed.edit(Edit(Span(magic + 6, magic + 7), b"z")) is not None


def test_a_harmful_edit_is_seen_through_the_json() -> None:
    data = book(code([*EVENTS, WAITS]), code("x = 1"))
    at = data.index(b"ev.wait")
    assert find_harm(data, [Edit(Span(at, at + 2), b"fv")], "a.ipynb", Language.NOTEBOOK) is None
    for harm in (b"(", b'"', b"x: \\n  "):
        said = find_harm(data, [Edit(Span(at, at + 2), harm)], "a.ipynb", Language.NOTEBOOK)
        assert said is not None
    count = data.index(b"null")
    said = find_harm(data, [Edit(Span(count, count + 4), b"1")], "a.ipynb", Language.NOTEBOOK)
    assert said == "more than the code of its cells would change"


# ------------------------------------------------------------ rules and plans


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("indent", [None, 1, "\t"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_rule_rewrites_a_cell_and_nothing_else(
    tmp_path: Path, ascii_only: bool, indent: int | str | None, end: str
) -> None:
    shown = {"output_type": "stream", "name": "stdout", "text": [WAITS, "é\n"]}
    told = {"cell_type": "markdown", "metadata": {"z": 1, "a": [2.50, 1e3]}, "source": [WAITS]}
    last = code(["# über\n", f"{WAITS}  # é\n", f"%time {WAITS}"]) | {"outputs": [shown]}
    whole = {
        "nbformat": 4,
        "cells": [told, code(["%pip install x\n", *EVENTS]), last],
        "metadata": {},
    }
    text = json.dumps(whole, ensure_ascii=ascii_only, indent=indent) + end
    data = text.replace("\r\n", "\n").replace("\n", end or "\n").encode()
    after = migrated(tmp_path, data)
    expected = json.loads(data)
    expected["cells"][2]["source"] = ["# über\n", f"{WAITED}  # é\n", f"%time {WAITED}"]
    assert json.loads(after) == expected
    assert after.replace(WAITED.encode(), WAITS.encode()) == data, "no other byte"


def test_notebooks_stay_as_they_are_unless_asked(tmp_path: Path) -> None:
    write(tmp_path, {"demo.ipynb": book(code(EVENTS), code(WAITS)).decode()})
    done = plan(tmp_path, notebooks=False).plan
    assert done.patches == ()
    left = [(f.path, f.cell, f.line) for f in done.open if f.edits and f.safety is Safety.SAFE]
    assert left == [("demo.ipynb", 2, 1)]
    asked = plan(tmp_path).plan
    assert [p.path for p in asked.patches] == ["demo.ipynb"]
    (tmp_path / "demo.ipynb").write_bytes(asked.patches[0].after or b"")
    assert plan(tmp_path).plan.patches == (), "a second run changes nothing"


@pytest.mark.parametrize("above", ["", "%matplotlib inline\n", "%%time\n"])
def test_a_cell_gets_the_lines_that_enable_the_proxy_for_review(tmp_path: Path, above: str) -> None:
    cells = [f"{above}import torch\nimport ops", "print(torch.ones(2))"]
    (tmp_path / "demo.ipynb").write_bytes(book(*map(code, cells)))
    [patch] = plan(tmp_path, gate=Safety.REVIEW).plan.patches
    first, second = json.loads(patch.after or b"")["cells"]
    assert first["source"].startswith(above)
    assert first["source"].endswith(f"{PROXY.guard(Form()).dual}import torch\nimport ops")
    assert second["source"] == cells[1]
    (tmp_path / "demo.ipynb").write_bytes(patch.after or b"")
    assert plan(tmp_path, gate=Safety.REVIEW).plan.patches == ()


def test_a_notebook_is_an_example_wherever_it_is(tmp_path: Path) -> None:
    write(tmp_path, {f"{p}.ipynb": "{}" for p in ("a", "pkg/b", "tests/test_c", "third_party/d")})
    write(tmp_path, {"pkg/__init__.py": "", ".ipynb_checkpoints/a.ipynb": "{}"})
    roles = {f.path: f.role for f in discover(tmp_path).files if f.language is Language.NOTEBOOK}
    assert set(roles) == {"a.ipynb", "pkg/b.ipynb", "tests/test_c.ipynb", "third_party/d.ipynb"}
    assert roles.pop("third_party/d.ipynb") is Role.VENDORED
    assert set(roles.values()) == {Role.ENTRY}


def test_a_notebook_too_large_is_left_with_a_remedy(tmp_path: Path) -> None:
    with (tmp_path / "demo.ipynb").open("wb") as file:
        file.truncate(LARGEST + 1)
    [skipped] = [s for s in discover(tmp_path).skipped if s.path == "demo.ipynb"]
    assert skipped.reason.startswith("notebook too large: 20 MiB")
    assert "--clear-output" in remedy(skipped.reason)


def test_asking_for_notebooks_is_another_run() -> None:
    assert Options(notebooks=True).asked != Options().asked


def test_the_time_grows_as_the_number_of_cells(tmp_path: Path) -> None:
    def seconds(name: str, count: int) -> float:
        cells = [code(EVENTS), *(code([f"x{n} = torch.ones({n})\n", WAITS]) for n in range(count))]
        root = tmp_path / name
        root.mkdir()
        (root / "demo.ipynb").write_bytes(book(*cells))
        found = discover(root)
        job = Job(root=root, facts=survey(root, found), pack=load_pack("paddle"), form=Form())
        began = time.process_time()
        result = scan(job, found.files, jobs=1)
        assert sum(f.cell > 1 and bool(f.edits) for f in result.findings) == count
        return time.process_time() - began

    assert seconds("many", 1_200) < 12 * seconds("few", 200), "six times would be linear"


# ------------------------------------------------------------- from the shell


def test_the_commands_say_what_is_in_notebooks_and_leave_them(tmp_path: Path) -> None:
    root = write(
        tmp_path / "ops",
        {
            "ops/__init__.py": "import torch\n",
            "demo.ipynb": book(code(EVENTS), code("%%html\n<b>"), code(WAITS)).decode(),
            "old.ipynb": '{"nbformat": 3, "worksheets": ["import torch"]}',
            "cut.ipynb": '{"nbformat": 4, "cells": ["import torch"',
            "none.ipynb": "not one, and nothing of t.o.r.c.h in it",
        },
    )
    (root / "around").symlink_to(".")
    (root / "loop.ipynb").symlink_to("loop.ipynb")
    (root / "nul.ipynb").write_bytes(b"\0\1torch")
    analyzed = document("analyze", "ops", cwd=tmp_path, code=1)
    skipped = {s["path"]: (s["reason"], s["remedy"]) for s in analyzed["skipped"]}
    assert skipped["demo.ipynb:cell 2"] == ("a cell of %%html", None)
    assert skipped["old.ipynb"][0] == "is of notebook format 3, not 4"
    assert "jupyter nbconvert" in skipped["old.ipynb"][1]
    assert skipped["cut.ipynb"][0].startswith("is not valid JSON: line 1: ")
    assert "none.ipynb" not in skipped
    [found] = [f for f in analyzed["findings"] if f["rule"].endswith("event_wait_method")]
    assert (found["path"], found["cell"], found["line"]) == ("demo.ipynb", 3, 1)
    assert any("1 notebook with torch, demo.ipynb first" in note for note in analyzed["notes"])
    left = document("migrate", "ops", "--no-compiler", cwd=tmp_path, code=1)
    assert left["patch"]["files"] == 1
    note = "1 place in 1 notebook left unchanged: `porter migrate --notebooks` rewrites it"
    assert note in left["notes"]
    assert left["residue"] == []  # the package that it imports has brought the method
    asked = document("migrate", "--no-compiler", "--notebooks", cwd=tmp_path, code=1)
    assert (asked["patch"]["files"], asked["residue"]) == (2, [])
    assert not any("--notebooks" in note for note in asked["notes"])
    assert WAITED in Path(asked["patch"]["path"]).read_text()
