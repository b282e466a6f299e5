"""What is kept of porter's data files is what reading them gives."""

from __future__ import annotations

from pathlib import Path

from porter.host import compiled
from porter.stages import session


def test_a_source_is_read_once_until_it_changes(tmp_path: Path, home: Path) -> None:
    source = tmp_path / "data"
    source.mkdir()
    (source / "a.toml").write_text("one")
    (home / "compiled").unlink()  # of this test alone
    reads = []

    def read() -> str:
        reads.append(text := (source / "a.toml").read_text())
        return text

    assert [compiled.load("t", source, read) for _ in range(2)] == ["one", "one"]
    assert len(reads) == 1
    (source / "a.toml").write_text("three")
    assert compiled.load("t", source, read) == "three"
    (path,) = [p for p in (home / "compiled").iterdir() if b"three" in p.read_bytes()]
    path.write_bytes(b"damaged")
    assert compiled.load("t", source, read) == "three"
    assert len(reads) == 3


def test_a_home_that_cannot_be_written_is_done_without(tmp_path: Path, home: Path) -> None:
    (home / "compiled").unlink()
    (home / "compiled").write_text("no folder")
    assert compiled.load("t", tmp_path, lambda: 7) == 7


def test_few_forms_of_a_kind_are_kept(tmp_path: Path, home: Path) -> None:
    (home / "compiled").unlink()
    for number in range(compiled.KEPT + 3):
        (tmp_path / "file").write_text(str(number) * (number + 1))
        compiled.load("t", tmp_path / "file", lambda: "x")
    assert len(list((home / "compiled").glob("t-*"))) == compiled.KEPT


def test_what_a_killed_process_was_writing_goes(home: Path) -> None:
    left = home / "compiled" / ".porter-4194305.1-x"  # above the largest process number
    left.write_text("half")
    session.sweep()
    assert not left.exists()
