"""`c10::DispatchKey::NPU`, `TORCH_LIBRARY_IMPL(ns, NPU, m)` and their Autograd forms."""

from collections.abc import Iterator

from porter.languages.cpp import Token, Unit
from porter.model import Edit, Match, ProjectFacts

KEYS = {"NPU": "PrivateUse1", "AutogradNPU": "AutogradPrivateUse1", "kNPU": "kPrivateUse1"}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    found: list[Token] = []
    for name, _, last in unit.full_names():
        head, _, key = name.rpartition("::")
        of_enum = head.rpartition("::")[2] == "DispatchKey" and key != "kNPU"
        if key in KEYS and (of_enum or (key == "kNPU" and head in ("torch", "at", "c10"))):
            found.append(unit.tokens[last])
    for index in unit.find("TORCH_LIBRARY_IMPL", "("):
        given = unit.arguments(index + 1)
        if given is not None and len(given[0]) == 3:
            first, last = given[0][1]
            if first == last and unit.tokens[first].text in KEYS:
                found.append(unit.tokens[first])
    defined = {unit.tokens[at + 1].text for at in unit.places("#define")}  # the file's own NPU
    found = [token for token in found if token.text not in defined]
    for token in sorted(found, key=lambda t: t.start):
        new = KEYS[token.text]
        yield Match(token.span, (Edit(token.span, new.encode()),), name=f"c10::DispatchKey::{new}")
