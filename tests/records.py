"""Records of runs made up for tests."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from porter.run.record import RunRecord

T = TypeVar("T")


def changed(record: RunRecord, **fields: Any) -> RunRecord:
    """A record with fields of its sections changed, and all else in it as if made of that."""
    parts: dict[str, Any] = {}
    for name in ("analysis", "migration", "verification"):
        section = getattr(record, name)
        own = {f.name for f in dataclasses.fields(section)} & {*fields}
        parts[name] = dataclasses.replace(
            section, of=(), **{field: fields.pop(field) for field in own}
        )
    for name in ("builds", "suites", "stages"):
        parts[name] = tuple(_new(item) for item in fields.pop(name, getattr(record, name)))
    return dataclasses.replace(record, **parts, **fields)


def _new(item: T) -> T:
    return dataclasses.replace(item, of=())  # type: ignore[type-var]
