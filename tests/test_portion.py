"""What a codemod changes is the same in the part of a file that it needs as in the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.languages.python import parse
from porter.migrate.scan import Job, ScanResult, scan_bytes
from porter.model import Form, Language, ProjectFacts, Role, SourceFile
from porter.rules import codemods
from porter.rules.loader import load_pack
from porter.rules.portion import portion, statements_around

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


def scanned(data: bytes) -> ScanResult:
    pack = load_pack("paddle").active(None, Form())
    job = Job(root=Path(), facts=ProjectFacts(), pack=pack, form=Form())
    return scan_bytes(job, SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data)), data)


@pytest.mark.parametrize("data", [TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT[:-1], b"\n" + TEXT])
def test_edits_are_those_of_the_whole_file(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    found = scanned(data)
    assert sum(f.rule.endswith("device_by_keyword") and bool(f.edits) for f in found.findings) == 2
    monkeypatch.setattr(codemods, "portion", lambda module, statements: None)
    assert scanned(data) == found


def test_a_part_is_the_named_statements_below_another_one() -> None:
    module = parse(TEXT, "a.py")
    at = TEXT.index(b"torch.device(device=1)")
    part = portion(module, range(3, 4))
    assert part is not None and part.indent == "  "
    assert part.module.data == b"pass\n" + TEXT[TEXT.index(b"# of g") : TEXT.index(b"\ndef below")]
    assert part.module.data[at + part.shift :].startswith(b"torch.device(device=1)")
    assert statements_around(module, []) == range(0)
