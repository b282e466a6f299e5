"""Keep results by a digest of all that they depend on, in one file; safe for processes at once."""

from __future__ import annotations

import contextlib
import io
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

from porter.host.home import porter_home

FOLDER = "kept"
LARGEST = 256 * 2**20  # bytes of one kind; the results that were written first go
_ASKED = 500  # keys of one question: SQLite takes 999 at least


class _Reader(pickle.Unpickler):
    """Reads data alone: what is kept names no function, no class but porter's own records, and no
    module that is not loaded."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a record, or of one of its words."""
        own = module.partition(".")[0] == "porter"
        found = getattr(sys.modules.get(module), name, None) if own else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, (Enum, tuple))):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no record")


def load(kind: str, keys: Iterable[str]) -> dict[str, Any]:
    """The results that are there, by key. A damaged file has none."""
    asked, found = list(keys), dict[str, Any]()
    with contextlib.suppress(Exception), _open(kind) as table:
        for first in range(0, len(asked), _ASKED):
            some = asked[first : first + _ASKED]
            marks = ",".join("?" * len(some))
            rows = table.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", some)
            found |= {key: _Reader(io.BytesIO(value)).load() for key, value in rows}
    return found


def save(kind: str, results: Mapping[str, Any]) -> None:
    """Add results, all or none. Where porter's home cannot be written, or another process writes
    for long, nothing is kept; a damaged file is made anew."""
    import sqlite3

    rows = [(key, pickle.dumps(value)) for key, value in results.items()]
    try:
        _write(kind, rows)
    except sqlite3.OperationalError:  # full, read-only, or busy
        return
    except sqlite3.DatabaseError:
        with contextlib.suppress(OSError, sqlite3.Error):
            (porter_home() / FOLDER / f"{kind}.sqlite").unlink(missing_ok=True)
            _write(kind, rows)


def _write(kind: str, rows: Iterable[tuple[str, bytes]]) -> None:
    with contextlib.suppress(OSError), _open(kind) as table, table:
        table.executemany("INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)", rows)
        (size,) = table.execute("SELECT total(length(value)) FROM kept").fetchone()
        if size > LARGEST:
            half = "SELECT (min(number) + max(number)) / 2 FROM kept"
            table.execute(f"DELETE FROM kept WHERE number <= ({half})")


@contextlib.contextmanager
def _open(kind: str) -> Iterator[Any]:
    import sqlite3

    folder = porter_home() / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(folder / f"{kind}.sqlite", timeout=10)) as table:
        table.execute(
            "CREATE TABLE IF NOT EXISTS kept"
            " (number INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, value BLOB NOT NULL)"
        )
        yield table
