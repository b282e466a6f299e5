"""Reference pages made from the rule folders; `python -m porter.rules.pages` writes them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from porter.errors import UsageError
from porter.host.home import PACKAGE, rules_home
from porter.model import Delivery, Role, Style
from porter.rules.loader import load_pack
from porter.rules.rule import EDITED_ROLES, Rule
from porter.rules.written import Reader, check_table, load_toml, table
from porter.surface.load import list_shipped, read
from porter.surface.quirks import FOLDER, Quirk, read_files, read_quirks
from porter.targets import DEFAULT, TARGETS

RULES_PAGE = "rules.md"  # one line a rule, and a page each in a folder of this name
CATALOGUE_PAGE = "catalogue.md"
QUIRKS_PAGE = "quirks.md"  # one line a quirk, and a page for each file of quirks
OF_ONE = "one-rule-or-piece"  # the pages of quirks that only one rule or piece concerns
NOTE = "<!-- Made by `python -m porter.rules.pages`; change the rule folders instead. -->\n"
_ROW = re.compile(
    r"^\| (?P<id>[A-Z]-\d\d) \| (?P<match>.*?) \| (?P<answer>[^|]*) \|$", re.MULTILINE
)
CATALOGUE_KEYS: dict[str, Reader] = {"kept": table, "declined": table}
Measured = Mapping[str, tuple[str, ...] | None]  # names by version; None: not probed
_FENCE = re.compile(r"^```(\w+) (\w+)[^\n]*$", re.MULTILINE)


def pages(folder: Path, home: Path | None = None) -> dict[str, str]:
    """Every page by its name. The catalogue's own texts come from shared/, where that is
    present, else from the page as it stands in `folder`."""
    home = home or rules_home()
    targets = [path.name for path in sorted(home.iterdir()) if (path / "cpp").is_dir()]
    by_id = {rule.id: rule for target in targets for rule in load_pack(target, home).rules}
    rules = [by_id[name] for name in sorted(by_id)]  # once, also what several targets have
    answers = _answers(rules, home)
    topics = read_topics(home)
    measured = dict(_measure(home))
    return {
        RULES_PAGE: "".join(_rules_index(rules)),
        **{_page_of_rule(rule.id): "".join(_rule_page(rule, topics)) for rule in rules},
        CATALOGUE_PAGE: "".join(_catalogue_page(_entries(folder), answers)),
        QUIRKS_PAGE: "".join(_quirks_index(topics, measured)),
        **_quirk_pages(topics, rules, measured, home),
    }


def write(folder: Path) -> None:
    """Write the pages into a folder, and delete those of rules and quirks that are no more."""
    made = {folder / name: text for name, text in pages(folder).items()}
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in find_stale(folder, made):
        path.unlink()


def find_stale(folder: Path, made: Iterable[Path]) -> set[Path]:
    """Find pages of a rule or topic that there is no longer."""
    own = (folder / page.removesuffix(".md") for page in (RULES_PAGE, QUIRKS_PAGE))
    return {path for below in own for path in below.rglob("*.md")} - {*made}


def _rules_index(rules: list[Rule]) -> Iterator[str]:
    yield f"{NOTE}\n# Rules\n\n"
    yield f"{len(rules)} rules. `porter migrate` makes *safe* edits, and with `--review` those for "
    yield "review; findings of *manual* rules are reported. The rules of `ascend/` concern code "
    yield "for Ascend NPUs: `porter analyze` reports their findings for every target. Each example "
    yield "on their pages is a test.\n\n"
    yield "| rule | finds | safety |\n|---|---|---|\n"
    for rule in rules:
        safety = rule.safety.label
        yield f"| [{rule.id}]({_page_of_rule(rule.id)}) | {_cell(rule.title)} | {safety} |\n"


def _page_of_rule(id: str) -> str:
    return f"{RULES_PAGE.removesuffix('.md')}/{id}.md"


def _rule_page(rule: Rule, topics: Mapping[str, list[Quirk]]) -> Iterator[str]:
    page = _page_of_rule(rule.id)
    up = "../" * page.count("/")
    yield f"{NOTE}\n# {rule.id}\n\n"
    quirks = {quirk.id: f"{up}{page_of_topic(t)}" for t, found in topics.items() for quirk in found}
    for name, value in _facts(rule, quirks):
        yield f"- {name}: {value}\n"
    yield f"- [all rules]({up}{RULES_PAGE})\n\n"
    readme = rule.folder / "README.md"
    if not readme.is_file():
        yield f"{rule.message}\n"
        return
    text = readme.read_text(encoding="utf-8")
    body = text.partition("\n")[2].strip() if text.startswith("# ") else text.strip()
    yield _FENCE.sub(_make_caption, body) + "\n"


def _make_caption(fence: re.Match[str]) -> str:
    caption = {"untouched": "unchanged", "created": "new file"}.get(fence[2], fence[2])
    return f"*{caption}:*\n\n```{fence[1]}"


def _facts(rule: Rule, quirks: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what holds of a rule; `quirks` has the page of each."""
    yield "message", rule.message
    yield "safety", rule.safety.label
    if rule.catalogue:
        yield "catalogue", ", ".join(rule.catalogue)
    if rule.missing:
        names = ", ".join(f"`{name}`" for name in rule.missing)
        yield "active if the target lacks any of", names
    for quirk in rule.quirks:
        names = ", ".join(f"`{name}`" for name in quirk.names)
        yield (
            f"active while [{quirk.id}]({quirks[quirk.id]}#{quirk.id}) holds",
            f"{names}: {quirk.fact.sentence}",
        )
    if rule.deliveries != frozenset(Delivery):
        yield "delivery", ", ".join(sorted(rule.deliveries))
    if rule.styles != frozenset(Style):
        yield "style", ", ".join(sorted(rule.styles))
    if rule.roles != EDITED_ROLES:
        yield "files", ", ".join(role.value for role in Role if role in rule.roles)
    if rule.not_residue:
        yield "not residue, because it concerns", rule.not_residue
    if rule.always:
        yield "always active", rule.always
    if rule.of_code:
        yield "remove when", rule.of_code


def read_topics(home: Path) -> dict[str, list[Quirk]]:
    """The quirks of all targets by the name of the file that holds them, each in order."""
    found: dict[str, list[Quirk]] = {}
    for path, quirks in (one for folder in sorted(home.iterdir()) for one in read_files(folder)):
        for quirk in quirks:
            own = f"{OF_ONE}-{'a-to-m' if quirk.id < 'n' else 'n-to-z'}"
            topic = path.stem.replace("_", "-") if path.parent.name == FOLDER else own
            found.setdefault(topic, []).append(quirk)
    return {topic: sorted(found[topic], key=lambda quirk: quirk.id) for topic in sorted(found)}


def page_of_topic(topic: str) -> str:
    return f"{QUIRKS_PAGE.removesuffix('.md')}/{topic}.md"


def _measure(home: Path) -> Iterator[tuple[str, Measured]]:
    """Yield of each quirk the names that its probes found on each version that porter ships."""
    for folder in sorted(home.iterdir()):
        versions = list_shipped(folder.name, home)
        paths = [folder / "surfaces" / f"{version}.json" for version in versions]
        captured = {f"{folder.name} {path.stem}": read(path).quirks for path in paths}
        for id in read_quirks(folder):
            yield id, {version: found.get(id) for version, found in captured.items()}


def _quirks_index(
    topics: Mapping[str, list[Quirk]], measured: Mapping[str, Measured]
) -> Iterator[str]:
    number = sum(map(len, topics.values()))
    yield f"{NOTE}\n# Quirks: differences between targets and torch\n\n"
    yield f"{number} quirks. Each is a record in `rules/<target>/quirks/`, or in the folder of "
    yield "the only rule or polyfill it concerns ([keys](../how-to/add-a-quirk.md)). A surface "
    yield "also contains the arguments that signatures reject, and the results of calls with small "
    yield "inputs. While a quirk holds on a surface, its rules are active, its polyfills are "
    yield "available and its uses are residue.\n\n"
    yield "## By version\n\nHow many quirks the probes found on each version that porter has data "
    yield "of. A quirk whose probe is newer than that data was not probed there. Where a part of "
    yield "the names is affected, the others behave as in torch, or were added later. Quirks "
    yield "without a probe are taken to hold for the versions in their record, or for all.\n\n"
    yield "| version | probed | found | found for a part of the names | not found |\n"
    yield "|---|---:|---:|---:|---:|\n"
    yield from _rows_of_versions([q for found in topics.values() for q in found], measured)
    yield "\n## All quirks\n\n"
    yield "| quirk | consequence | names | found on |\n|---|---|---|---|\n"
    for topic, quirks in topics.items():
        for quirk in quirks:
            names = ", ".join(f"`{name}`" for name in quirk.names[:2])
            names += f" and {len(quirk.names) - 2} more" if len(quirk.names) > 2 else ""
            link = f"[{quirk.id}]({page_of_topic(topic)}#{quirk.id})"
            found_on = _found_on(measured[quirk.id]) or "no probe"
            yield f"| {link} | {_cell(quirk.fact.sentence)} | {names} | {found_on} |\n"


def _rows_of_versions(quirks: Iterable[Quirk], measured: Mapping[str, Measured]) -> Iterator[str]:
    counts: dict[str, Counter[str]] = {}
    for quirk in quirks:
        for version, names in measured[quirk.id].items():
            if names is not None:
                kind = "none" if not names else "all" if len(names) == len(quirk.names) else "part"
                counts.setdefault(version, Counter())[kind] += 1
    for version, count in sorted(counts.items()):
        cells = (version, count.total(), count["all"], count["part"], count["none"])
        yield f"| {' | '.join(map(str, cells))} |\n"


def _found_on(measured: Measured) -> str:
    """Name the versions on which a probe found a quirk, for any of its names."""
    found = [version.split() for version, names in measured.items() if names]
    return f"{found[0][0]} {', '.join(version for _, version in found)}" if found else ""


def _quirk_pages(
    topics: Mapping[str, list[Quirk]],
    rules: Iterable[Rule],
    measured: Mapping[str, Measured],
    home: Path,
) -> dict[str, str]:
    links = ((f"[{r.id}](../{_page_of_rule(r.id)})", [q.id for q in r.quirks]) for r in rules)
    answers = _group_by_name([*links, *_read_pieces(home, "quirks")])
    return {
        page_of_topic(topic): "".join(_quirk_page(topic, quirks, answers, measured))
        for topic, quirks in topics.items()
    }


def _quirk_page(
    topic: str,
    quirks: Iterable[Quirk],
    answers: Mapping[str, list[str]],
    measured: Mapping[str, Measured],
) -> Iterator[str]:
    """Every quirk of a topic: what it says, of which names, when it holds, what answers it."""
    yield f"{NOTE}\n# Quirks: {topic.replace('-', ' ')}\n\n[All quirks](../{QUIRKS_PAGE})\n"
    for quirk in quirks:
        yield f"\n## {quirk.id}\n\n"
        yield f"- names: {', '.join(f'`{name}`' for name in quirk.names)}\n"
        yield f"- concerns: {quirk.fact.condition}"
        yield f", in the form `{quirk.fact.form}`\n" if quirk.fact.form else "\n"
        yield f"- consequence: {quirk.fact.sentence}\n"
        yield f"- holds: {_span(quirk, measured[quirk.id])}\n"
        if quirk.id in answers:
            yield f"- used by: {', '.join(answers[quirk.id])}\n"


def _span(quirk: Quirk, measured: Measured) -> str:
    if not quirk.probes:
        since = f"from {quirk.since} on" if quirk.since else ""
        before = f"before {quirk.before}" if quirk.before else ""
        versions = ", ".join(filter(None, (since, before))) or "in every version"
        return f"{versions} (it has no probe)"
    said = (_found_there(version, names, quirk) for version, names in measured.items())
    return "if its probe shows it: " + ", ".join(said)


def _found_there(version: str, names: tuple[str, ...] | None, quirk: Quirk) -> str:
    if names is None:
        return f"not probed on {version}"
    if not names:
        return f"not on {version}"
    part = f" for {len(names)} of {len(quirk.names)} names" if len(names) < len(quirk.names) else ""
    return f"on {version}{part}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def escape(text: str) -> str:
    """`<` outside of code, where it begins a tag that no one sees."""
    return re.sub(r"(`[^`]*`)|<", lambda found: found[1] or "&lt;", text)


def _answers(rules: Iterable[Rule], home: Path) -> dict[str, list[str]]:
    """Rule and polyfill ids by the catalogue entry that they answer."""
    of_rules = ((rule.id, rule.catalogue) for rule in rules)
    paths = sorted(home.glob("*/catalogue.toml"))
    others = ((said, [entry]) for path in paths for entry, said in find_unanswered(path))
    return _group_by_name([*of_rules, *_read_pieces(home, "catalogue"), *others])


def _read_pieces(home: Path, key: str) -> Iterator[tuple[str, Iterable[str]]]:
    """(id, what it lists under a key) of each polyfill piece."""
    for path in sorted(home.glob("*/polyfills/*/*/polyfill.toml")):
        yield "/".join(path.parent.parts[-4:]), load_toml(path).get(key, ())


def _group_by_name(said: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for by, names in said:
        for name in names:
            found.setdefault(name, []).append(by)
    return found


def find_unanswered(path: Path) -> Iterator[tuple[str, str]]:
    """(entry, what is said) of entries that no rule and no piece answers. Raises RuleError."""
    written = check_table(path, load_toml(path), CATALOGUE_KEYS, ())
    for key, said in (("kept", "unchanged"), ("declined", "declined")):
        for entry, reason in written.get(key, {}).items():
            yield entry, f"{said}: {reason}"


def _entries(folder: Path) -> dict[str, str]:
    """What each catalogue entry matches: of shared/, else of the page as it is."""
    shared = Path(os.environ.get("PORTER_SHARED", PACKAGE.parent.parent / "shared"))
    source = shared / "knowledge" / "rules-catalogue.json"
    if source.is_file():
        written = json.loads(source.read_text(encoding="utf-8"))
        return {entry["id"]: escape(_cell(entry["match"])) for entry in written}
    page = folder / CATALOGUE_PAGE
    if not page.is_file():
        raise UsageError(f"no catalogue: neither {source} nor {page} exists")
    return {row["id"]: row["match"] for row in _ROW.finditer(page.read_text(encoding="utf-8"))}


def _catalogue_page(entries: Mapping[str, str], answers: Mapping[str, list[str]]) -> Iterator[str]:
    of = {id: " ".join(answers.get(id, ())) for id in entries}
    declined = sum(said.startswith("declined:") for said in of.values())
    open_ = sum(not said for said in of.values())
    yield f"{NOTE}\n# Edits by experts, and their counterparts in porter\n\n"
    yield "An entry is one kind of edit that experts made by hand when porting operator "
    rest = len(entries) - declined - open_
    counts = [f"{rest} are handled by a rule or a polyfill, or need no change"]
    counts += [f"{declined} are declined, with the reason"] if declined else []
    counts += [f"{open_} are not yet handled"] if open_ else []
    yield f"repositories to {TARGETS[DEFAULT].title}. Of {len(entries)}, {'; '.join(counts)}.\n\n"
    yield "| entry | pattern | handled by |\n|---|---|---|\n"
    for id, match in sorted(entries.items()):
        yield f"| {id} | {match} | {', '.join(answers.get(id, ['not yet']))} |\n"


def main() -> None:
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE.parent / "docs" / "reference")


if __name__ == "__main__":
    main()
