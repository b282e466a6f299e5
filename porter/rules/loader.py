"""Rule folders to a rule pack: as written, validated, frozen; a folder that fails is fatal."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from porter.errors import RuleError, UsageError
from porter.host.home import rules_home
from porter.model import Delivery, Language, Place, Role, Safety, Style
from porter.rules import patterns
from porter.rules.rule import Check, Create, IsAbout, Rule, RulePack
from porter.rules.written import (
    RULE_HINT,
    Reader,
    check_table,
    import_file,
    load_toml,
    one_of,
    some_of,
    table,
    tables,
    text,
    text_or_texts,
    texts,
    true_or_texts,
    words,
)
from porter.surface.quirks import Quirk, read_quirks
from porter.targets import SOURCE, TARGETS, home_of

FOLDERS = {language.value: language for language in Language}

RULE_KEYS: dict[str, Reader] = {
    "title": text,
    "message": text,
    "safety": one_of(words(Safety)),
    "catalogue": texts,
    "missing": texts,
    "quirks": texts,
    "always": text,
    "until": text,
    "styles": some_of(words(Style)),
    "deliveries": some_of(words(Delivery)),
    "roles": some_of(words(Role)),
    "not_residue": text,
    "needles": texts,
    "of_source": true_or_texts,
    "find": table,
}
ROW_KEYS: dict[str, Reader] = {
    **{key: RULE_KEYS[key] for key in ("message", "safety", "catalogue", "missing")},
    "name": text,
    "replace": text,
    "examples": tables,
}
FIND_KEYS: dict[Language, dict[str, Reader]] = {
    Language.PYTHON: {
        "name": text_or_texts,
        "call": text_or_texts,
        "replace": text,
        "replace_call": text,
    },
    Language.CPP: {"tokens": texts, "include": text_or_texts, "replace": text},
    Language.CMAKE: {"command": text, "first": text_or_texts},
    Language.TOML: {"requirement": text_or_texts},
}


def load_pack(target: str, home: Path | None = None) -> RulePack:
    """All rules for a target, and those of what the source itself no longer takes. Raises
    UsageError for a target without rules, RuleError for a folder that cannot be loaded."""
    folder = (home or home_of(target)) / target
    home = home or rules_home()
    if not folder.is_dir():
        raise UsageError(f"there are no rules for the target {target!r}")
    known = TARGETS.get(target)
    folders = [folder, *home.glob(f"*/{target}")]  # what targets add to a shared pack is in theirs
    for shared in (*known.shared_packs, SOURCE.name) if known else ():
        folders += [home / shared, *home.glob(f"*/{shared}")]
    rules = sorted((r for each in folders for r in _rules(each)), key=lambda rule: rule.id)
    return RulePack(target=target, rules=tuple(rules), folder=folder)


def known_rules() -> frozenset[str]:
    """The names of all rules, whole and short, of whatever target."""
    packs = [load_pack(name) for name in sorted({*(t.pack for t in TARGETS.values()), "ascend"})]
    ids = {rule.id for pack in packs for rule in pack.rules}
    return frozenset(ids | {rule.rpartition("/")[2] for rule in ids})


def _rules(folder: Path) -> Iterator[Rule]:
    for name, language in FOLDERS.items():
        if not (folder / name).is_dir():
            continue
        for path in sorted((folder / name).iterdir()):
            if path.name == "table.toml":
                yield from load_table(path, language)
            elif _holds_files(path):
                yield load_rule(path, language)


def _holds_files(folder: Path) -> bool:
    """Whether this is a folder of somebody's, not what git or Python left of one."""
    if not folder.is_dir() or folder.name.startswith(("_", ".")):
        return False
    return any(path.is_file() for path in folder.iterdir())


def load_rule(folder: Path, language: Language) -> Rule:
    """The rule of one folder. Raises RuleError with the file and what is wrong in it."""
    path = folder / "rule.toml"
    values = check_table(
        path, load_toml(path), RULE_KEYS, ("title", "message", "safety", "catalogue")
    )
    _check_retirement(path, values)
    values["of_code"] = values.pop("until", "")
    values["quirks"] = _quirks(path, values.get("quirks", ()))
    find = values.pop("find", None)
    code, codemod = folder / "rule.py", folder / "codemod.py"
    finders = (find is not None) + code.is_file()
    if finders != 1 and (finders or not codemod.is_file()):
        raise RuleError(f"{folder}: needs a [find], a rule.py or a codemod.py", hint=RULE_HINT)
    check: Check | None = None
    create: Create | None = None
    is_about: IsAbout | None = None
    needles = tuple(map(str.encode, values.pop("needles", ())))
    of_source = values.pop("of_source", None)
    if find is not None:
        check, own = _make_declared(path, language, find)
        needles = needles or own
        check = _return_places(check) if codemod.is_file() else check
    elif code.is_file():
        check, create, is_about = _load_code(code)
    if not (folder / "README.md").is_file():
        raise RuleError(f"{folder}: README.md is missing", hint=RULE_HINT)
    return Rule(
        id=_id(folder),
        language=language,
        needles=needles,
        of_source=None if of_source is None else tuple(map(str.encode, of_source)),
        check=check,
        create=create,
        is_about=is_about,
        codemod=codemod if codemod.is_file() else None,
        folder=folder,
        **values,
    )


def _check_retirement(path: Path, values: Mapping[str, Any]) -> None:
    """Raise RuleError unless the rule says in one way when it is not needed any more."""
    by_target = bool({"missing", "quirks"} & values.keys())
    if by_target + ("always" in values) + ("until" in values) != 1:
        said = "needs what retires it, missing or quirks; else always or until"
        raise RuleError(f"{path}: {said}", hint=RULE_HINT)


def _quirks(path: Path, ids: Iterable[str]) -> tuple[Quirk, ...]:
    """The quirks of the rule's target by their ids."""
    known = read_quirks(path.parents[2])
    for id in ids:
        if id not in known:
            near = difflib.get_close_matches(id, known, n=1)
            remedy = f"; did you mean {near[0]!r}?" if near else ""
            raise RuleError(f"{path}: quirks: there is no quirk {id!r}{remedy}", hint=RULE_HINT)
    return tuple(known[id] for id in ids)


def load_table(path: Path, language: Language) -> Iterator[Rule]:
    """A rule for each row of a table of plain renames (`[[rename]]`)."""
    written = check_table(path, load_toml(path), {"rename": tables}, ("rename",))
    for row in written["rename"]:
        yield _row(path, language, row)


def _row(path: Path, language: Language, row: Mapping[str, Any]) -> Rule:
    values = check_table(path, row, ROW_KEYS, ("name", "replace", "catalogue", "examples"))
    name, new = values["name"], values["replace"]
    find: dict[str, Any] = {"name": name, "replace": new}
    if language is Language.CPP:
        find = {"tokens": name.replace("::", " :: ").split(), "replace": new}
    check, needles = _make_declared(path, language, find)
    return Rule(
        id=f"{_id(path.parent)}/table/{name}",
        language=language,
        title=f"{name} is written {new}",
        message=values.get("message", f"{name}: write {new}"),
        safety=values.get("safety", Safety.SAFE),
        catalogue=values["catalogue"],
        missing=values.get("missing", (name,)),
        needles=needles,
        check=check,
        folder=path.parent,
    )


def _id(folder: Path) -> str:
    """target/language/name, by the path; of a table target/language."""
    return "/".join(folder.parts[-2 if folder.name in FOLDERS else -3 :])


def _make_declared(
    path: Path, language: Language, find: Mapping[str, Any]
) -> tuple[Check, tuple[bytes, ...]]:
    values = check_table(path, find, FIND_KEYS[language], ())
    replace = values.get("replace")
    match language, sorted(set(values) - {"replace", "replace_call"}):
        case Language.PYTHON, ["name"]:
            names = frozenset(values["name"])
            return patterns.python_name(names, replace), _needles(names, ".")
        case Language.PYTHON, ["call"]:
            names = frozenset(values["call"])
            whole = values.get("replace_call")
            return patterns.python_call(names, replace, whole), _needles(names, ".")
        case Language.CPP, ["tokens"]:
            longest = max(values["tokens"], key=len)
            return patterns.cpp_tokens(values["tokens"], replace), (longest.encode(),)
        case Language.CPP, ["include"]:
            headers = frozenset(values["include"])
            return patterns.cpp_include(headers, replace), _needles(headers, "\n")
        case Language.CMAKE, ["command"] | ["command", "first"]:
            first = frozenset(values.get("first", ()))
            return patterns.cmake_command(values["command"], first), _needles(first, "\n")
        case Language.TOML, ["requirement"]:
            return patterns.toml_requirement(frozenset(values["requirement"])), ()
    known = ", ".join(FIND_KEYS[language])
    raise RuleError(f"{path}: [find] needs one pattern of {language.value}: {known}", RULE_HINT)


def _return_places(check: Check) -> Check:
    """The same finder for a rule with a codemod, which makes the edits."""
    return lambda document, facts, form: (
        replace(match, edits=(), place=Place(match.span)) for match in check(document, facts, form)
    )


def _needles(names: frozenset[str], separator: str) -> tuple[bytes, ...]:
    return tuple(sorted(name.rpartition(separator)[2].encode() for name in names))


def _load_code(path: Path) -> tuple[Check | None, Create | None, IsAbout | None]:
    module = import_file(path)
    check, create = getattr(module, "check", None), getattr(module, "create", None)
    if check is None and create is None:
        raise RuleError(f"{path}: defines neither check() nor create()", hint=RULE_HINT)
    found = check and _call_with_form(check, 2), create and _call_with_form(create, 2)
    return *found, getattr(module, "is_about", None)


def _call_with_form(function: Any, arguments: int) -> Any:
    """The function taking the form of the port last, whether it asks for it or not."""
    if len(inspect.signature(function).parameters) > arguments:
        return function
    return lambda first, second, form: function(first, second)
