"""Documents: code blocks in Markdown and reST, reported by line and never edited."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.uses.documents import blocks, look
from tests.test_cli import document, shown, write

PRELUDE = "import paddle; paddle.enable_compat()"
NEEDS = f"needs `{PRELUDE}` before it"
LACKS = "paddle 3.3.1 lacks it"
README = """\
# ops uses torch.absolute

`import torch` in text, and no block:

    import torch

- a list

  ```python title="x"
  import torch

  x = torch.randn(3)
  ```

```py
y = torch.absolute(x)
if torch.equal(x, y): ...
```

```cpp
import torch
```

```console
$ pip install torch --index-url https://download.pytorch.org/whl/cpu
$ pip install torchvision ops
$ torchrun --nproc 2 train.py
>>> import ops
>>> ops.f(torch.ones(2))
tensor([1., 1.])
```

~~~
$ python -c "import torch; print(torch.ones(2))"
torch is run
~~~
"""
REST = """\
ops
~~~

.. code-block:: python
   :linenos:

   import torch
   torch.absolute(x)

.. code-block:: c++

   import torch

Text:

>>> from ops import f
>>> for each in f(torch.ones(2)):
...     torch.celu_(each)
torch

~~~
"""


def found(root: Path, path: str, text: str) -> list[tuple[int, str, str]]:
    write(root, {path: text})
    surface = load("paddle", "3.3.1")
    names = ("ops",)
    mentions, crashes = look(root, discover(root).documents, names, surface, load_torch(), PRELUDE)
    assert crashes == ()
    assert {m.path for m in mentions} <= {path}
    return [(m.line, m.name, m.reason) for m in mentions]


def test_blocks_of_markdown_are_read_as_one_program(tmp_path: Path) -> None:
    runs = f"is run: under paddle, `{PRELUDE}` comes first"
    assert found(tmp_path, "README.md", README) == [
        (10, "torch", NEEDS),
        (16, "torch.absolute", LACKS),
        (17, "torch.equal", "compares elementwise and returns a Tensor"),
        (25, "torch", "is installed: under paddle it is not needed"),
        (27, "torchrun", runs),
        (28, "torch", NEEDS),
        (34, "torch", runs),
    ]


def test_where_torch_itself_is_beside_nothing_comes_before_it(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": README})
    paths = discover(tmp_path).documents
    mentions, _ = look(tmp_path, paths, ("ops",), load_torch(), load_torch(), "")
    assert mentions == ()


def test_a_block_that_only_imports_what_enables_the_proxy_needs_nothing(tmp_path: Path) -> None:
    only = "```py\nimport ops\nops.f(x)\n```\n"
    both = "```py\nimport ops\nops.f(torch.ones(2))\n```\n"
    write(tmp_path, {"README.md": only + both})
    paths, surface = discover(tmp_path).documents, load("paddle", "3.3.1")
    for enabling, lines in ((True, [6]), (False, [2, 6])):
        mentions, _ = look(
            tmp_path, paths, ("ops",), surface, load_torch(), PRELUDE, enabling=enabling
        )
        assert [m.line for m in mentions] == lines


def test_directives_and_prompts_of_rest_are_read(tmp_path: Path) -> None:
    assert found(tmp_path, "docs/index.rst", REST) == [
        (7, "torch", NEEDS),
        (8, "torch.absolute", LACKS),
        (16, "torch", NEEDS),
        (18, "torch.celu_", LACKS),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "no code, but torch",
        f"```python\n{PRELUDE}\nimport torch\nx = torch.ones(2)\n```",
        "```python\nimport torch (\n```",
        "```python\nimport torchvision\nprint('torch.absolute')\n```",
        "```diff\n+import torch\n```",
        "```bash\npip install torchvision\ngit clone torch\n```",
        "```",
        "",
    ],
)
def test_what_needs_nothing_is_not_told(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "README.md", text) == []


def test_line_ends_and_odd_bytes_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff\xfe \x00\r\n```python\r\nimport torch\r\n```\r\n")
    (tmp_path / "b.md").symlink_to("b.md")
    (tmp_path / "c.md").mkdir()
    write(tmp_path, {"third_party/d.md": README, "third_party/d.py": ""})
    assert discover(tmp_path).documents == ("a.md",)
    assert found(tmp_path, "a.md", "") == []
    (tmp_path / "a.md").write_bytes(b"\xff\r\n```python\r\nimport torch\r\n```\r\n")
    surface = load("paddle", "3.3.1")
    [one], _ = look(tmp_path, ["a.md", "none.md"], (), surface, load_torch(), PRELUDE)
    assert one.line == 3


def test_a_long_text_takes_seconds() -> None:
    text = "pip " * 200_000 + "\n" + "```python\nimport torch\n```\n$ x\n>>> y\n" * 20_000
    began = time.monotonic()
    assert sum(block.language == "python" for block in blocks(text, rest=False)) == 20_000
    assert time.monotonic() - began < 20


def test_documents_do_not_make_a_project_one_of_torch(tmp_path: Path) -> None:
    write(tmp_path / "ops", {"ops/__init__.py": "", "README.md": README})
    assert "nothing to port" in shown("analyze", "ops", cwd=tmp_path, code=0)
    write(tmp_path / "ops", {"ops/__init__.py": "import torch\n"})
    analyzed = document("analyze", "ops", cwd=tmp_path, code=0)
    assert [d["line"] for d in analyzed["documents"]] == [10, 16, 17, 25, 27, 28, 34]
    text = shown("report", cwd=tmp_path, code=1)
    assert "in documentation (not edited) (1 file)" in text
    assert "README.md:10" in text
    assert "and 2 more" in text
