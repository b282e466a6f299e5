"""Arguments are read of the names of which a surface says what depends on them, and no others."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path

import pytest

from porter import targets
from porter.languages.read import read
from porter.model import Language, Role, SourceFile, Surface, Use
from porter.surface.load import extend, load, load_torch
from porter.survey.discover import discover
from porter.uses.asked import LookUp
from porter.uses.differences import differences
from porter.uses.guesses import guesses
from porter.uses.lookup import find_missing, uses_in
from tests.conftest import ROOT

FIXTURES = ("vecops", "core_ops", "triton_norms", "npu_from_cuda")
CODE = b"""import torch
def f(x: torch.Tensor, y, n):
    torch.randn(3, device="cuda").view(torch.int8)
    y.max(dim=1).values.size(0)
    x.view(-1, n).to("cuda", non_blocking=True).shape.numel()
    return torch.nn.functional.pad(x, (1, 1), mode="reflect"), torch.full((2,), True)
"""


@cache
def surface(target: str) -> Surface:
    found = load(target, targets.resolve(target)[1])
    return extend(found, load_torch()) if targets.TARGETS[target].beside else found


def documents(root: Path) -> list[tuple[bytes, SourceFile]]:
    files = [file for file in discover(root).files if file.language is Language.PYTHON]
    return [((root / file.path).read_bytes(), file) for file in files]


def said(uses: list[Use], target: str) -> tuple[object, ...]:
    here, torch = surface(target), load_torch()
    told = differences(uses, here, torch)
    return find_missing(uses, here, torch), told, guesses(uses, told, here, torch)


@pytest.mark.parametrize("target", sorted(targets.TARGETS))
def test_nothing_else_is_said_than_with_all_arguments(target: str) -> None:
    every = [(CODE, SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(CODE)))]
    for name in FIXTURES:
        every += documents(ROOT / "fixtures" / name)
    look_up = pickle.loads(pickle.dumps(LookUp.of(surface(target))))
    some: list[Use] = []
    whole: list[Use] = []
    for data, file in every:
        document = read(data, file.path, file.language)
        some += look_up(document, file)
        whole += uses_in(document, file)
    assert [use.name for use in some] == [use.name for use in whole]
    assert sum(use.given is not None for use in some) < sum(use.given is not None for use in whole)
    assert said(some, target) == said(whole, target)
