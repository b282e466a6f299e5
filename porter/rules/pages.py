"""Reference pages made from the rule folders; `python -m porter.rules.pages` writes them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from porter.errors import UsageError
from porter.host.home import PACKAGE, rules_home
from porter.model import Role, Style
from porter.rules.loader import load_pack
from porter.rules.rule import EDITED_ROLES, Rule
from porter.rules.written import Reader, checked, load_toml, table
from porter.surface.quirks import Quirk, read_quirks
from porter.targets import DEFAULT, TARGETS

RULES_PAGE = "rules.md"
CATALOGUE_PAGE = "catalogue.md"
QUIRKS_PAGE = "quirks.md"
NOTE = "<!-- Made by `python -m porter.rules.pages`; change the rule folders instead. -->\n"
_ROW = re.compile(
    r"^\| (?P<id>[A-Z]-\d\d) \| (?P<match>.*?) \| (?P<answer>[^|]*) \|$", re.MULTILINE
)
CATALOGUE_KEYS: dict[str, Reader] = {"kept": table, "declined": table}
_FENCE = re.compile(r"^```(\w+) (\w+)[^\n]*$", re.MULTILINE)


def pages(folder: Path, home: Path | None = None) -> dict[str, str]:
    """Every page by its name. The catalogue's own texts come from shared/, where that is
    present, else from the page as it stands in `folder`."""
    home = home or rules_home()
    targets = [path.name for path in sorted(home.iterdir()) if (path / "cpp").is_dir()]
    by_id = {rule.id: rule for target in targets for rule in load_pack(target, home).rules}
    rules = [by_id[name] for name in sorted(by_id)]  # once, also what several targets have
    answers = _answers(rules, home)
    return {
        RULES_PAGE: "".join(_rules_page(rules)),
        CATALOGUE_PAGE: "".join(_catalogue_page(_entries(folder), answers)),
        QUIRKS_PAGE: "".join(_quirks_page(rules, home)),
    }


def write(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(folder).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _rules_page(rules: list[Rule]) -> Iterator[str]:
    yield f"{NOTE}\n# Rules\n\n"
    yield f"{len(rules)} rules. *Safe* edits are made by `porter migrate`, those for review with "
    yield "`--review`; what is manual is reported. Those of `ascend/` are about code for Ascend "
    yield "NPUs: `porter analyze` tells what they find, whatever the target. Each example below is "
    yield "a test.\n\n"
    yield "| rule | what it finds | safety |\n|---|---|---|\n"
    for rule in rules:
        safety = rule.safety.label
        yield f"| [{rule.id}](#{_anchor(rule.id)}) | {_cell(rule.title)} | {safety} |\n"
    for rule in rules:
        yield from _section(rule)


def _section(rule: Rule) -> Iterator[str]:
    yield f"\n## {rule.id}\n\n"
    for name, value in _facts(rule):
        yield f"- {name}: {value}\n"
    yield "\n"
    readme = rule.folder / "README.md"
    if not readme.is_file():
        yield f"{rule.message}\n"
        return
    text = readme.read_text(encoding="utf-8")
    body = text.partition("\n")[2].strip() if text.startswith("# ") else text.strip()
    yield _FENCE.sub(_captioned, body) + "\n"


def _captioned(fence: re.Match[str]) -> str:
    caption = {"untouched": "left alone", "created": "new file"}.get(fence[2], fence[2])
    return f"*{caption}:*\n\n```{fence[1]}"


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "says", rule.message
    yield "safety", rule.safety.label
    if rule.catalogue:
        yield "catalogue", ", ".join(rule.catalogue)
    if rule.missing:
        names = ", ".join(f"`{name}`" for name in rule.missing)
        yield "in force where the target lacks any of", names
    for quirk in rule.quirks:
        names = ", ".join(f"`{name}`" for name in quirk.names)
        yield (
            f"in force while [{quirk.id}](quirks.md#{quirk.id}) holds",
            f"{names}: {quirk.fact.sentence}",
        )
    if rule.styles != frozenset(Style):
        yield "style", ", ".join(sorted(rule.styles))
    if rule.roles != EDITED_ROLES:
        yield "files", ", ".join(role.value for role in Role if role in rule.roles)
    if rule.not_residue:
        yield "not residue, since it is about", rule.not_residue
    if rule.always:
        yield "retires never", rule.always
    if rule.of_code:
        yield "until", rule.of_code


def _quirks_page(rules: Iterable[Rule], home: Path) -> Iterator[str]:
    """Every quirk: what it says, of which names, when it holds, and what answers it."""
    by_id = {quirk.id: quirk for path in sorted(home.iterdir()) for quirk in _of_target(path)}
    links = ((f"[{r.id}](rules.md#{_anchor(r.id)})", [q.id for q in r.quirks]) for r in rules)
    answers = _naming([*links, *_of_pieces(home, "quirks")])
    yield f"{NOTE}\n# What a target does otherwise than torch\n\n"
    yield f"{len(by_id)} quirks, each one record: in `rules/<target>/quirks/`, or in the folder of "
    yield "the rule or piece that alone is concerned ([its keys](../how-to/add-a-quirk.md)). A "
    yield "surface also has what signatures refuse and what calls on small inputs showed. While a "
    yield "quirk holds on the surface at hand, its rules are in force, its pieces are offered and "
    yield "its uses are residue.\n"
    for id, quirk in sorted(by_id.items()):
        yield f"\n## {id}\n\n"
        yield f"- names: {', '.join(f'`{name}`' for name in quirk.names)}\n"
        yield f"- concerns: {quirk.fact.condition}"
        yield f", in the form `{quirk.fact.form}`\n" if quirk.fact.form else "\n"
        yield f"- consequence: {quirk.fact.sentence}\n"
        yield f"- holds: {_span(quirk)}\n"
        if id in answers:
            yield f"- named by: {', '.join(answers[id])}\n"


def _of_target(folder: Path) -> Iterable[Quirk]:
    return read_quirks(folder).values() if folder.is_dir() else ()


def _span(quirk: Quirk) -> str:
    since = f"from {quirk.since} on" if quirk.since else ""
    before = f"before {quirk.before}" if quirk.before else ""
    versions = ", ".join(filter(None, (since, before)))
    return "as a probe tells" if quirk.probes else versions or "in every version known"


def _anchor(id: str) -> str:
    return re.sub(r"[^a-z0-9_ -]", "", id.lower())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _answers(rules: Iterable[Rule], home: Path) -> dict[str, list[str]]:
    """Rule and polyfill ids by the catalogue entry that they answer."""
    of_rules = ((rule.id, rule.catalogue) for rule in rules)
    paths = sorted(home.glob("*/catalogue.toml"))
    others = ((said, [entry]) for path in paths for entry, said in unanswered(path))
    return _naming([*of_rules, *_of_pieces(home, "catalogue"), *others])


def _of_pieces(home: Path, key: str) -> Iterator[tuple[str, Iterable[str]]]:
    """(id, what it lists under a key) of each polyfill piece."""
    for path in sorted(home.glob("*/polyfills/*/*/polyfill.toml")):
        yield "/".join(path.parent.parts[-4:]), load_toml(path).get(key, ())


def _naming(said: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for by, names in said:
        for name in names:
            found.setdefault(name, []).append(by)
    return found


def unanswered(path: Path) -> Iterator[tuple[str, str]]:
    """(entry, what is said) of entries that no rule and no piece answers. Raises RuleError."""
    written = checked(path, load_toml(path), CATALOGUE_KEYS, ())
    for key, said in (("kept", "kept as is"), ("declined", "declined")):
        for entry, reason in written.get(key, {}).items():
            yield entry, f"{said}: {reason}"


def _entries(folder: Path) -> dict[str, str]:
    """What each catalogue entry matches: of shared/, else of the page as it is."""
    shared = Path(os.environ.get("PORTER_SHARED", PACKAGE.parent.parent / "shared"))
    source = shared / "knowledge" / "rules-catalogue.json"
    if source.is_file():
        written = json.loads(source.read_text(encoding="utf-8"))
        return {entry["id"]: _cell(entry["match"]) for entry in written}
    page = folder / CATALOGUE_PAGE
    if not page.is_file():
        raise UsageError(f"neither {source} nor {page} is there to take the catalogue from")
    return {row["id"]: row["match"] for row in _ROW.finditer(page.read_text(encoding="utf-8"))}


def _catalogue_page(entries: Mapping[str, str], answers: Mapping[str, list[str]]) -> Iterator[str]:
    of = {id: " ".join(answers.get(id, ())) for id in entries}
    declined = sum(said.startswith("declined:") for said in of.values())
    open_ = sum(not said for said in of.values())
    yield f"{NOTE}\n# What experts changed, and what answers it here\n\n"
    yield "An entry is one kind of edit that people made by hand in ports of operator "
    rest = len(entries) - declined - open_
    counts = [f"{rest} are answered by a rule or a polyfill piece, or kept as they are"]
    counts += [f"{declined} are declined, with the reason"] if declined else []
    counts += [f"{open_} are not yet dealt with"] if open_ else []
    yield f"repositories to {TARGETS[DEFAULT].title}. Of {len(entries)}, {'; '.join(counts)}.\n\n"
    yield "| entry | what it is about | answered by |\n|---|---|---|\n"
    for id, match in sorted(entries.items()):
        yield f"| {id} | {match} | {', '.join(answers.get(id, ['not yet']))} |\n"


def main() -> None:
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE.parent / "docs" / "reference")


if __name__ == "__main__":
    main()
