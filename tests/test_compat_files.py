"""Files of tensors that torch, and code for torch under Paddle, write and read."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_compat_package import DATA, cache, call, installed, wheel

__all__ = ["cache", "installed", "wheel"]  # fixtures

pytestmark = pytest.mark.real


def test_torch_and_paddle_read_one_another_s_files_alike(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    script = str(DATA / "torch_files.py")
    torch = [str(framework_pythons["torch"]), "-W", "ignore", script]
    paddle = [str(framework_pythons["paddle"]), "-W", "ignore", "-m", "porter_compat", script]
    own = {"PORTER_COMPAT_CACHE": str(cache)}
    for name, command in (("torch.pt", torch), ("paddle.pt", paddle)):
        status, said = call([*command, "write", name], installed, tmp_path, **own)
        assert status == 0, said
    answers = {}
    for name, command in (("torch", torch), ("paddle", paddle)):
        for file in ("torch.pt", "paddle.pt"):
            status, said = call([*command, "read", file], installed, tmp_path, **own)
            assert status == 0, said
            answers[name, file] = said.splitlines()
    expected = answers["torch", "torch.pt"]
    assert len(expected) > 12
    sys.stdout.write("\n".join(expected))
    for key, said in answers.items():
        differing = [pair for pair in zip(expected, said, strict=True) if pair[0] != pair[1]]
        assert not differing, key
