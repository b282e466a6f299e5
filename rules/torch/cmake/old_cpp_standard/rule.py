"""C++ standards before 17 in a file that finds torch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.languages.cmake import Argument, Document
from porter.model import Edit, Match, ProjectFacts

OLD = re.compile(r"(-{1,2}std=(?:c|gnu)\+\+)(?:98|03|0x|11|1y|14|1z)(?!\w)")
STANDARD = re.compile(r"(?:CMAKE_)?(?:CXX|CUDA)_STANDARD")
YEARS = ("98", "11", "14")


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    packages = {c.arguments[0].value for c in document.calls_to("find_package") if c.arguments}
    if "Torch" not in packages:
        return
    for command in document.commands:
        before: Argument | None = None
        for argument in command.arguments:
            text = document.data[argument.span.start : argument.span.end].decode("utf-8", "replace")
            newer = OLD.sub(r"\g<1>17", text)
            if before and STANDARD.fullmatch(before.value) and argument.value in YEARS:
                newer = text.replace(argument.value, "17")
            if newer != text:
                yield Match(argument.span, (Edit(argument.span, newer.encode()),))
            before = argument
