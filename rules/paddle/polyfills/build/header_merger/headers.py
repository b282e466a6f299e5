"""Headers of Paddle with what they lack: `python headers.py OUT OWN COMPAT`.

OWN holds headers in the places they have in torch. What stands in one is added to Paddle's header
of that name, and a class or enum after `// extends` to Paddle's own. Above a declaration stands
how often Paddle declared its name when this was written: `//- sum 0`. Where it does so more often
now, ours is left out. `//- slice 0 for CODE` takes the place of the one of Paddle that has CODE.
"""

import hashlib
import os
import re
import sys
from pathlib import Path

HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
MARK = re.compile(r"^ *//- (.+?) (\d+)(?: for (.*))?\n((?:(?! *//-|\}  // namesp|\n).+\n?)*)", re.M)
EXTENDED = re.compile(r"^// extends\n(class|enum class) (\w+) \{\n(.*?)^\};\n", re.M | re.S)
BEFORE = re.compile(
    r"\b(class|struct|enum|using|define)\s+\Z|(\})\s*\Z|(?:[>&*]|\b(?!return\b)\w+)\s+\Z"
)
ONCE = re.compile(r"^#pragma once\n", re.M)
ROOT = "../../../../.."  # of all of Paddle's headers, from those for torch's names
PLACES = (".", "torch/csrc/api/include", ROOT)


def blank(text):
    """The text with comments and strings as spaces, so that brackets can be counted."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(code, at):
    """Where the bracket at an offset is closed."""
    depth = 0
    for index in range(at, len(code)):
        depth += (code[index] in "({[") - (code[index] in ")}]")
        if depth == 0:
            return index
    return len(code)


def declared(code, name):
    """Where a name is declared: a function after its type, a class, an alias, a macro."""
    word = re.sub(r"\W", lambda sign: rf"\s*{re.escape(sign[0])}\s*", name)
    found = []
    for use in re.finditer(rf"{word}(?!\w)", code):  # the name first: much faster
        before = BEFORE.search(code, max(0, use.start() - 80), use.start())
        after = re.compile(r"\s*(.?)").match(code, use.end())[1]
        if before and (before[1] or after == (";" if before[2] else "(")):
            found.append(before.start())
    return found


def without(text, name, sign, ours=""):
    """The text with `ours` in the place of the declaration of a name that has a piece of code."""
    code = blank(text)
    for at in declared(code, name):
        if code[at] == "}":  # typedef enum { ... } name;
            start, end = code.rindex("typedef", 0, at), code.index(";", at) + 1
        else:
            head = max(code.rfind(mark, 0, at) for mark in (";", "{", "}", "\n#"))
            head = code.find("\n", head + 1) if code.startswith("\n#", head) else head + 1
            label = re.match(r"\s*(?:public|private|protected)\s*:", code[head:])
            start = head + (label.end() if label else 0)
            named = re.compile(r"(?:using|class|struct)\b").match(code, at)  # not a function
            end = at if named else closing(code, code.index("(", at)) + 1
            end = closing(code, re.compile("[{;]").search(code, end).start()) + 1
            end += bool(named) and code.startswith(";", end)
        whole = "".join(text[start:end].split())
        if all("".join(part.split()) in whole for part in sign.split(" ... ")):
            return text[:start] + ours + text[end:]
    return text


def kept(own, code):
    """What stands in a header of ours, but for what Paddle has by now."""

    def choose(mark):
        name, count, _, part = mark.groups()
        return "" if len(declared(code, name)) > int(count) else part

    return MARK.sub(choose, own)


def body_of(code, kind, name):
    """Where the body of a class or enum begins and ends; nowhere if there is none."""
    kind = "(?:class|struct)" if kind == "class" else kind
    macro = r"(?:\w+\s*\([^)]*\)\s*)?"  # an alignment, say
    found = re.search(rf"\b{kind}\s+{macro}[^;{{(<]*\b{name}\b[^;{{(]*\{{", code)
    return (found.end(), closing(code, found.end() - 1)) if found else (0, 0)


def merge(path, own, installed, others):
    """The header to use: `installed` is Paddle's of that name, or None, `others` all its code."""
    if installed is None:
        return kept(own, others)
    blocks, rest = list(EXTENDED.finditer(own)), EXTENDED.sub("", own)
    signs = [mark for mark in MARK.finditer(own) if mark[3]]
    for mark in signs:
        ours = f"\n\n{mark[4]}" if mark[0] in rest else ""
        installed = without(installed, mark[1], mark[3], ours)
    rest = MARK.sub(lambda mark: "" if mark[3] else mark[0], rest)
    rest = ONCE.sub("", kept(rest, others))
    if not blocks and not signs:
        return f"#pragma once\n#include_next <{path}>\n{rest}"
    for kind, name, text in (block.groups() for block in blocks):
        code = blank(installed)
        start, end = body_of(code, kind, name)
        if not end:
            raise SystemExit(f"{path}: Paddle's header has no {kind} {name} any more")
        before, body = installed[:end].rstrip(), code[start:end]
        if kind == "class":
            added = f"\n\n public:\n{kept(text, body)}"
        else:
            known = set(re.findall(r"\w+", body))
            new = [n.strip() for n in text.split(",\n") if n.split()[0] not in known]
            added = "," * (before[-1] not in ",{") + "".join(f"\n  {name}," for name in new)
        installed = f"{before}{added}\n{installed[end:]}"
    includes = "".join(re.findall(r"^#include .*\n", rest, re.M))
    rest = re.sub(r"^#include .*\n", "", rest, flags=re.M)
    return f"#pragma once\n{includes}{ONCE.sub('', installed)}\n// What Paddle lacks.\n{rest}"


def read(path):
    return path.read_text("utf-8", "surrogateescape")


def walk(folder):
    """The headers below a folder, by path."""
    found = sorted(p for p in Path(folder).rglob("*") if p.suffix in (".h", ".hpp", ".cuh"))
    return {path.relative_to(folder).as_posix(): path for path in found}


def installed(compat, path):
    """The text of Paddle's header of that name, or None."""
    places = [Path(compat, place, path) for place in PLACES]
    return next((read(place) for place in places if place.is_file()), None)


def code_of(compat, own, extended):
    """The code of Paddle's headers for torch's names and of those in `own`, but for those whose
    classes are extended."""
    paths = {*walk(compat), *own} - {*extended}
    return "\n".join(blank(installed(compat, path) or "") for path in sorted(paths))


def write(out, own, compat):
    """Write every header below `own` to `out`, merged with Paddle's, and nothing else."""
    texts = {path: read(file) for path, file in walk(own).items()}
    for path, file in walk(out).items():
        if path not in texts:  # of an earlier unit
            file.unlink()
    extended = {path for path, text in texts.items() if EXTENDED.search(text)}
    others = code_of(compat, texts, extended)
    for path, text in texts.items():
        merged, target = merge(path, text, installed(compat, path), others), Path(out, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or read(target) != merged:  # else older than what it made
            target.write_text(merged, "utf-8", "surrogateescape")


def merged(own, compat, place):
    """The folder with the headers below `own` merged with Paddle's: `place`, or where these are of
    the package porter_compat, its cache, in which they are made once per folder of Paddle's."""
    if Path(own).parent.parent.name == "porter_compat":
        from porter_compat import cache

        name = f"include-{hashlib.sha256(os.path.realpath(compat).encode()).hexdigest()[:8]}"
        return str(cache.make(name, lambda new: write(new, own, compat)))
    write(place, own, compat)
    return place


if __name__ == "__main__":
    write(*sys.argv[1:4])
