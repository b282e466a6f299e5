"""Shards of the test suite: each file in exactly one, of about the same length."""

from __future__ import annotations

import pytest

from tests import shards

SECONDS = {"a.py": 100.0, "b.py": 60.0, "c.py": 50.0, "d.py": 40.0}
FILES = {*SECONDS, "e.py", "f.py"}


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_file_is_in_one_shard(count: int) -> None:
    parts = [shards.choose(FILES, SECONDS, f"{k}/{count}") for k in range(1, count + 1)]
    assert sorted(file for part in parts for file in part) == sorted(FILES)


def test_shards_take_about_the_same_time() -> None:
    loads = [
        sum(SECONDS.get(file, 0.0) for file in shards.choose(FILES, SECONDS, f"{k}/2"))
        for k in (1, 2)
    ]
    assert sorted(loads) == [110.0, 140.0]


@pytest.mark.parametrize("shard", ["", "2", "0/3", "4/3", "x/2", "1/"])
def test_a_shard_that_does_not_exist_is_refused(shard: str) -> None:
    with pytest.raises(pytest.UsageError):
        shards.choose(FILES, SECONDS, shard)
