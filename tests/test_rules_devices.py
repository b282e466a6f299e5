"""Where a file runs with torch.npu in the place of torch.cuda, and where it tells devices apart."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from porter.languages.python import parse
from porter.rules.devices import is_transferred, not_for_npu
from porter.survey.discover import discover
from porter.survey.survey import survey

TRANSFER = "from torch_npu.contrib import transfer_to_npu\n"


@pytest.mark.parametrize(
    ("importing", "path", "text", "found"),
    [
        ("ops/start.py", "ops/layers/a.py", "import torch", True),  # of one package
        ("ops/start.py", "examples/a.py", "import torch", False),
        ("ops/start.py", "examples/a.py", "import ops.start", True),
        ("ops/start.py", "examples/a.py", "from ops.start import patch", True),
        ("ops/start.py", "examples/a.py", "from ops import starter", False),
        ("tools/main.py", "tools/data.py", "import torch", True),  # of one folder
        ("tests/test_a.py", "tests/test_b.py", "import torch", False),
        ("tests/conftest.py", "tests/test_b.py", "import torch", True),
        ("model/add.patch", "model/patch/a.py", "import torch", True),
        ("model/add.patch", "other/a.py", "import torch", False),
        ("bench.py", "ops/a.py", "import torch", False),
        ("bench.py", "bench.py", TRANSFER, True),
    ],
)
def test_transfer_to_npu_reaches_its_package_and_its_importers(
    tmp_path: Path, importing: str, path: str, text: str, found: bool
) -> None:
    for name in ("ops/__init__.py", "ops/layers/__init__.py", importing, path):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / path).write_text(text)
    (tmp_path / importing).write_text("+" * importing.endswith(".patch") + TRANSFER)
    facts = survey(tmp_path, discover(tmp_path))
    assert facts.transferred == (importing,)
    assert is_transferred(parse((tmp_path / path).read_bytes(), path), facts) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if torch.npu.is_available(): pass\nelse: HERE()", True),
        ("if kind == 'cuda': HERE()\nelif kind == 'npu': other()", True),
        ("if kind == 'cuda': HERE()\nelif kind == 'xpu': other()", False),
        ("if is_nvidia: HERE()", True),
        ("if not is_nvidia: HERE()", False),
        ("x = is_nvidia and HERE()", True),
        ("x = HERE() or y.is_npu", True),
        ("x = HERE() and y.is_npu", False),
        ("assert kind == 'cuda'\nHERE()", False),
        ("other = 'npu'\nassert kind == 'cuda'\nHERE()", True),
        ("other = 'npu'\nif kind == 'cuda':\n    HERE()", True),
        ("def cuda_wait(): HERE()\ndef npu_wait(): pass", True),
        ("def cuda_wait(): HERE()\ndef xpu_wait(): pass", False),
        ("other = 'npu'\nif kind == 'cpu':\n    HERE()", False),
    ],
)
def test_a_test_for_a_device_tells_where_an_npu_does_not_go(text: str, found: bool) -> None:
    module = parse(text.encode(), "a.py")
    call = next(c for c in module.nodes_of(ast.Call) if getattr(c.func, "id", "") == "HERE")
    assert not_for_npu(module, call) is found
