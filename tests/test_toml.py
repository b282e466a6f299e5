"""Requirements of pyproject.toml and requirements.txt, with what has to go with each."""

from __future__ import annotations

import pytest

from porter.languages.edits import splice
from porter.languages.python import Unreadable
from porter.languages.toml import normalise, parse

TEXT = b"""\
# requires = ["torch"]
[build-system]
requires = ["setuptools", 'torch >= 2.0', "wheel"]

[project]
name = "ops"
description = "dependencies = ['torch']"
dependencies = [
  # first
  "torch==2.4; sys_platform == 'linux'", # pinned
  "numpy",
]

[project.optional-dependencies]
test = ["pytest", "torch[dev]"]

[tool.poetry.dependencies]
torch = { version = "^2.4", optional = true }
"""


def test_requirements_stand_where_they_are_stated() -> None:
    document = parse(TEXT, "pyproject.toml")
    assert [r.where for r in document.requirements_on("torch")] == [
        "build-system.requires",
        "project.dependencies",
        "project.optional-dependencies.test",
        "tool.poetry.dependencies",
    ]
    second = list(document.requirements_on("torch"))[1]
    assert TEXT[second.span.start : second.span.end].startswith(b'"torch==2.4;')
    assert document.position(second.span.start) == (10, 3)


@pytest.mark.parametrize("data", [TEXT, TEXT.replace(b"\n", b"\r\n")])
def test_removing_requirements_leaves_valid_toml_and_the_rest(data: bytes) -> None:
    document = parse(data, "pyproject.toml")
    after = splice(data, [document.remove(r) for r in document.requirements_on("torch")])
    left = parse(after, "pyproject.toml")
    assert [r.name for r in left.requirements] == ["setuptools", "wheel", "numpy", "pytest"]
    assert b'"setuptools", "wheel"]' in after and b'["pytest"]' in after


def test_lines_of_a_requirements_file() -> None:
    data = b"# torch\n-r other.txt\nnumpy\ntorch==2.4  # pinned\n--extra-index-url x\nTorch_Scatter"
    document = parse(data, "requirements.txt")
    assert [r.name for r in document.requirements] == ["numpy", "torch", "torch-scatter"]
    torch = next(document.requirements_on("torch"))
    assert data[torch.span.start : torch.span.end] == b"torch==2.4"
    assert b"pinned" not in splice(data, [document.remove(torch)])


def test_names_compare_as_the_indexes_do() -> None:
    assert normalise("Torch_C.dlpack--ext") == "torch-c-dlpack-ext"


@pytest.mark.parametrize("data", [b"[a\n", b"a = [1, 2\n", b"\xff\xfe"])
def test_what_is_no_toml_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parse(data, "pyproject.toml")
