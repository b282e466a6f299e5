"""What a codemod changes is the same in the part of a file that it needs as in the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.languages.edits import splice
from porter.languages.python import parse
from porter.migrate import scan
from porter.migrate.scan import Job, ScanResult, scan_bytes
from porter.model import Form, Language, ProjectFacts, Role, SourceFile, Span
from porter.rules import codemods
from porter.rules.loader import load_pack
from porter.rules.portion import lines_around, portion, statements_around
from porter.rules.rewrite import Rewrite

TEXT = b"""# first
import torch

def above():
  # two spaces
  return 1

# of f
@torch.no_grad()
def f(x):
  return torch.device(device="cpu"), pow(2, x)
# of g
class G:
  device = torch.device(device=1)  # one

def below(): return 2
"""


def scanned(data: bytes, root: Path = Path()) -> ScanResult:
    pack = load_pack("paddle").active(None, Form())
    job = Job(root=root, facts=ProjectFacts(), pack=pack, form=Form())
    return scan_bytes(job, SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data)), data)


@pytest.mark.parametrize("data", [TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT[:-1], b"\n" + TEXT])
def test_edits_are_those_of_the_whole_file(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    found = scanned(data)
    assert sum(f.rule.endswith("device_by_keyword") and bool(f.edits) for f in found.findings) == 2
    monkeypatch.setattr(Rewrite, "needs", lambda module, matches: None)
    assert scanned(data) == found


def test_a_part_is_the_named_statements_below_another_one() -> None:
    module = parse(TEXT, "a.py")
    at = TEXT.index(b"torch.device(device=1)")
    part = portion(module, range(3, 4))
    assert part is not None and part.indent == "  "
    assert part.module.data == b"pass\n" + TEXT[TEXT.index(b"# of g") : TEXT.index(b"\ndef below")]
    inside = part.enter(Span(at, at + 5))
    assert part.module.data[inside.start :].startswith(b"torch.device(device=1)")
    assert part.leave(inside) == Span(at, at + 5)
    assert statements_around(module, []) == range(0)


def test_a_place_needs_no_more_than_its_statement() -> None:
    text = b"""import torch

class G:
  def f(self, x):
    if x: y = 1
    elif torch.device(device=1): y = 2
    else: y = torch.device(device=2)
    return g(
      torch.device(device=3))  # three
"""
    module = parse(text, "a.py")
    places = [
        Span(at, at + 12) for at in (text.index(b"torch.device(device=%d" % n) for n in (1, 3))
    ]
    part = lines_around(module, places)
    assert part is not None and part.indent == "  "
    assert [part.leave(part.enter(place)) for place in places] == places
    last = text[text.index(b"    return g(") :]
    assert part.module.data.endswith(b"else: y = torch.device(device=2)\nif 1:\n" + last)
    assert lines_around(module, places[1:]).module.data == b"if 1:\n  pass\nif 1:\n" + last
    assert lines_around(parse(text[:-1], "a.py"), places) is None  # the last line is not ended


def test_a_place_in_the_head_of_a_block_needs_no_more_than_that() -> None:
    text = b"""@mark(torch.device(device=1))
def f(x):
    # first
    y = torch.device(device=2)
    return y
"""
    module = parse(text, "a.py")
    places = [Span(at, at + 12) for at in (text.index(b"torch"), text.rindex(b"torch"))]
    part, head = lines_around(module, places), text[: text.index(b"    y =")]
    assert part is not None
    assert [part.leave(part.enter(place)) for place in places] == places
    below = b"    pass\nif 1:\n    y = torch.device(device=2)\n"
    assert part.module.data == b"if 1:\n    pass\n" + head + below
    alone = lines_around(module, places[:1])
    assert alone is not None
    assert alone.module.data == b"if 1:\n    pass\n" + head + b"    pass\n"


def test_an_import_is_added_without_the_rest_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"""import os
import torch  # first

x = torch.cuda.is_available()
import torch.nn

def f():
    torch.cuda.synchronize()
"""
    rules = load_pack("torch_npu").rules
    (rule,) = (rule for rule in rules if rule.id == "torch_npu/python/cuda_module")
    monkeypatch.setattr(codemods, "whole", lambda module: pytest.fail("all of it is read"))
    found = [*rule.find(parse(text, "a.py"), ProjectFacts(), Form())]
    assert len(found) == 2
    assert splice(text, {edit for finding in found for edit in finding.edits}) == (
        text.replace(b"# first\n", b"# first\nimport torch_npu  # noqa: F401\n").replace(
            b"torch.cuda", b"torch.npu"
        )
    )


def test_what_stands_between_the_lines_is_not_of_the_file() -> None:
    module = parse(TEXT, "a.py")
    part = lines_around(module, [Span(at, at + 5) for at in (TEXT.index(b"torch.device"),)])
    assert part is not None
    with pytest.raises(ValueError, match="not of the file"):
        part.leave(Span(0, 2))


@pytest.mark.parametrize(
    "data",
    [b"def f(x, k):\n    x += pow(2, x.shape[k])\n", b"x = (\n", b"from cutlass import cute\n"],
)
def test_a_file_without_torch_is_not_parsed(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "read", lambda *given: pytest.fail("is parsed"))
    assert scanned(data) == ScanResult()


def test_a_file_that_gets_torch_from_another_one_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_bytes(b"from torch import pow\n")
    found = scanned(b"from other import pow\n\ny = pow(2, x)\n", tmp_path)
    assert [f.rule for f in found.findings] == ["paddle/python/pow_of_a_number"]
