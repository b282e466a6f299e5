"""Errors by which a target shows what it does otherwise: without what differs from call to call."""

from __future__ import annotations

import re

_SUMMARY = "Error Message Summary:"  # after a stack of C++, where a framework prints one
_EMPTY = re.compile(r"[\s\-=+*#.]*\Z")
_PLACE = re.compile(r"\s*\(at [^()]*:\d+\)|0x[0-9a-fA-F]{4,}")
_TYPE = re.compile(r"^\w+Error: (?=\(?[A-Z])")  # of C++ before the message of Python's
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf|nan)(?!\w|\.\w)")
_NUMBERS = re.compile(r"\bN(?:(?:, ?| )N\b)+")
LIMIT = 300


def normalise(message: str) -> str:
    """The line of a message that tells the cause, with N for numbers, however many."""
    lines = message.rpartition(_SUMMARY)[2].splitlines()
    telling = next((line.strip() for line in lines if not _EMPTY.match(line)), "")
    text = _NUMBER.sub("N", _PLACE.sub("", _TYPE.sub("", telling)))
    return _NUMBERS.sub("N", text)[:LIMIT].strip()


def signature(exception: str, message: str) -> str:
    """What errors with one cause share: `TypeError: f() takes N arguments`."""
    return f"{exception}: {normalise(message)}".removesuffix(": ")
