"""Operators that yaml entries of OpPlugin and json files of msopgen define."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from porter.languages.data import read_json
from porter.languages.text import line_of
from porter.model import AscendSignature

# Both are read by the few lines that matter: porter needs no yaml library for that.
_FUNC = re.compile(r"^(?P<indent>\s*)-\s*(?:func|name)\s*:\s*(?P<text>[^#\n]+)")
_EXEC = re.compile(r"^\s+exec\s*:\s*(?P<name>aclnn\w+)")
_NAME = re.compile(r"\s*(?:(\w+)::)?([\w.]+)\s*\(")


@dataclass(frozen=True, slots=True)
class Entry:
    """A yaml entry: the schema, what it runs, and whether code for it is generated."""

    name: str
    line: int
    schema: str
    runs: str = ""  # the aclnn operator, of `exec`
    generated: bool = False


def yaml_entries(data: bytes) -> Iterator[Entry]:
    """The entries of an op_plugin_functions.yaml; every other yaml gives none."""
    found: Entry | None = None
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        match = _FUNC.match(line)
        if match:
            if found:
                yield found
            name = _NAME.match(match["text"])
            found = Entry(name[2], number, match["text"].strip()) if name else None
        elif found and line.strip().startswith("gen_opapi"):
            found = replace(found, generated=True)
        elif found and (run := _EXEC.match(line)):
            found = replace(found, runs=run["name"], generated=True)
    if found:
        yield found


def json_definitions(data: bytes) -> Iterator[tuple[str, int, AscendSignature | None]]:
    """(operator, line, what it calls its inputs and outputs) of a definition file of msopgen;
    nothing for any other json. Of an operator with a list of tensors there is no signature."""
    try:
        document = read_json(data)
    except ValueError:
        return
    for item in document if isinstance(document, list) else [document]:
        if isinstance(item, dict) and "input_desc" in item and isinstance(item.get("op"), str):
            mark = json.dumps(item["op"]).encode()
            yield item["op"], line_of(data, max(data.find(mark), 0)), _signature(item)


def _signature(item: Mapping[str, Any]) -> AscendSignature | None:
    given = [item.get(key) or [] for key in ("input_desc", "output_desc")]
    described = [each for some in given for each in some]
    if not all(isinstance(d, dict) and d.get("param_type") != "dynamic" for d in described):
        return None
    inputs, outputs = (tuple(str(d.get("name")) for d in some) for some in given)
    return AscendSignature(item["op"], inputs, outputs)
