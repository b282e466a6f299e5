"""Large files of cells are on the disk once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from porter.host import files, usage
from porter.host.files import LARGE


def install(folder: Path, data: bytes = b"x", mode: int = 0o644) -> Path:
    folder.mkdir(parents=True)
    path = folder / "lib.so"
    path.write_bytes(data * LARGE)
    path.chmod(mode)
    (folder / "small.py").write_bytes(data)
    return path


def test_large_files_of_two_folders_are_one(tmp_path: Path) -> None:
    first, second = (install(tmp_path / name) for name in ("a", "b"))
    before = usage.disk([str(tmp_path)])
    for path in (first, second):
        files.share(path.parent, tmp_path / "shared")
    assert first.samefile(second) and first.read_bytes() == b"x" * LARGE
    assert before - usage.disk([str(tmp_path)]) == LARGE
    assert not (first.parent / "small.py").samefile(second.parent / "small.py")


def test_what_differs_in_content_or_rights_stays_apart(tmp_path: Path) -> None:
    paths = [install(tmp_path / "a"), install(tmp_path / "b", b"y")]
    paths.append(install(tmp_path / "c", mode=0o755))
    for path in paths:
        files.share(path.parent, tmp_path / "shared")
    assert len({path.stat().st_ino for path in paths}) == 3
    assert [path.read_bytes()[:1] for path in paths] == [b"x", b"y", b"x"]
    assert os.access(paths[2], os.X_OK)


def test_a_file_that_was_written_to_is_given_to_no_other(tmp_path: Path) -> None:
    first, second = (install(tmp_path / name) for name in ("a", "b"))
    files.share(first.parent, tmp_path / "shared")
    with first.open("r+b") as file:
        file.write(b"z")
    files.share(second.parent, tmp_path / "shared")
    assert second.read_bytes() == b"x" * LARGE


def test_a_copy_has_large_files_by_link_and_replacing_them_leaves_the_first(tmp_path: Path) -> None:
    first = install(tmp_path / "a")
    shutil.copytree(first.parent, tmp_path / "b", copy_function=files.copy)
    second = tmp_path / "b" / "lib.so"
    assert second.samefile(first)
    files.replace(second, b"new")
    assert first.read_bytes() == b"x" * LARGE
    assert not (tmp_path / "b" / "small.py").samefile(first.parent / "small.py")


def test_where_the_disk_has_no_links_files_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    first, second = (install(tmp_path / name) for name in ("a", "b"))
    for path in (first, second):
        files.share(path.parent, tmp_path / "shared")
    files.copy(str(first), str(tmp_path / "copy"))
    assert not first.samefile(second)
    assert (tmp_path / "copy").read_bytes() == second.read_bytes() == b"x" * LARGE
