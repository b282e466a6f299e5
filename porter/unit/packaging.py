"""Lists of packages, modules and data in build files: the unit where it would be left out."""

from __future__ import annotations

import ast
import re
import tomllib
from fnmatch import fnmatchcase

from porter.languages import python
from porter.languages.data import read_toml
from porter.languages.edits import splice
from porter.languages.python import Module
from porter.languages.text import newline
from porter.model import Edit, Span

HEADERS = "include/**"
FINDERS = frozenset({"setuptools.find_packages", "setuptools.find_namespace_packages"})


def add_to_script(data: bytes, path: str, package: str, unit: str) -> bytes:
    """A build script whose list of packages has the unit too; without a package, where it lists
    single modules. Raises Unreadable."""
    module = python.parse(data, path)
    for name, call in module.calls():
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        if name.endswith(".setup") and not package:
            return _add_beside_modules(module, keywords, unit)
        if name.endswith(".setup") and (
            stated := _find_statement(module, keywords.get("packages"))
        ):
            return _extend_list(module, stated, package, unit)
        if name in FINDERS and isinstance(keywords.get("include"), ast.List | ast.Tuple):
            listed = _texts(keywords["include"])
            if listed is None or any(fnmatchcase(unit, pattern) for pattern in listed):
                return data
            return _extend_list(module, keywords["include"], package, unit)
    return data


def _add_beside_modules(module: Module, keywords: dict[str | None, ast.expr], unit: str) -> bytes:
    """A call of setup() that lists modules, with the unit, which is a package, in its packages."""
    listed, packages = keywords.get("py_modules"), keywords.get("packages")
    if listed is None:
        return module.data
    if packages is not None:
        return _extend_list(module, packages, "", unit)
    begin = module.line_start(listed).start
    before = module.data[begin : module.span(listed).start]
    own_line = before.strip() == b"py_modules="
    indent = before[: len(before) - len(before.lstrip())] if own_line else b""
    text = module.encode(",\n" if own_line else ", ") + indent
    added = Edit(module.end_of(listed), text + module.encode(f'packages=["{unit}"]'))
    return splice(module.data, [added])


def _find_statement(module: Module, node: ast.expr | None) -> ast.expr | None:
    """What states the packages; nothing where setuptools looks for them."""
    if isinstance(node, ast.Name):
        match module.bindings(module.function(node), node.id):
            case [ast.List() | ast.Tuple() as listed]:
                return listed
    finds = any(
        isinstance(part, ast.Call) and module.resolve(part.func) in FINDERS
        for part in (ast.walk(node) if node is not None else ())
    )
    if finds or (isinstance(node, ast.Name) and module.call_behind(node) in FINDERS):
        return None
    return None if isinstance(node, ast.Constant) else node


def headers_in_script(data: bytes, path: str, unit: str) -> bytes:
    """A build script whose setup() installs the unit's headers with it. Raises Unreadable.

    Unchanged where there is no setup() with a list of packages or of data written out.
    """
    module = python.parse(data, path)
    for name, call in module.calls():
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        if not name.endswith(".setup") or unit in module.text(call).partition("package_data")[2]:
            continue
        listed, packages = keywords.get("package_data"), keywords.get("packages")
        entry = f'"{unit}": ["{HEADERS}"]'
        if isinstance(listed, ast.Dict):
            start = module.span(listed).start + 1
            first = next(iter(listed.keys), None)
            if first is not None and first.lineno != listed.lineno:  # one a line
                start = module.line_start(first).start
                indent = module.data[start : module.span(first).start]
                text = indent + module.encode(f"{entry},\n")
            else:
                text = module.encode(f"{entry}, " if listed.keys else entry)
            return splice(data, [Edit(Span(start, start), text)])
        if packages is not None and listed is None:
            begin = module.line_start(packages).start
            before = data[begin : module.span(packages).start]
            own_line = before.strip() == b"packages="
            indent = before[: len(before) - len(before.lstrip())] if own_line else b""
            text = module.encode(",\n" if own_line else ", ") + indent
            at = module.end_of(packages)
            return splice(data, [Edit(at, text + module.encode(f"package_data={{{entry}}}"))])
    return data


def headers_in_metadata(data: bytes, unit: str) -> bytes:
    """A pyproject.toml whose table of data for setuptools has the unit's headers.

    Unchanged where setuptools is given no table. The edit is made only if the file, read again,
    differs in that entry alone.
    """
    try:
        document = read_toml(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return data
    table = document.get("tool", {}).get("setuptools")
    if not isinstance(table, dict):
        return data
    listed = table.setdefault("package-data", {})
    if unit in listed:
        return data
    ending = newline(data)
    entry = f'"{unit}" = ["{HEADERS}"]'.encode() + ending
    header = re.search(rb"^\s*\[\s*tool\.setuptools\.package-data\s*\][^\n]*\n", data, re.MULTILINE)
    if header is not None:
        new = splice(data, [Edit(Span(header.end(), header.end()), entry)])
    elif listed:
        return data  # written inline
    else:
        last = b"" if data.endswith(b"\n") else ending
        new = data + last + ending + b"[tool.setuptools.package-data]" + ending + entry
    listed[unit] = [HEADERS]
    return new if read_toml(new.decode("utf-8-sig")) == document else data


def _texts(node: ast.expr) -> list[str] | None:
    values = [n.value if isinstance(n, ast.Constant) else None for n in _elements(node)]
    return None if None in values else [str(value) for value in values]


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else []


def _extend_list(module: Module, node: ast.expr, package: str, unit: str) -> bytes:
    listed = _elements(node)
    values = [n.value if isinstance(n, ast.Constant) else None for n in listed]
    literal = isinstance(node, ast.List | ast.Tuple)
    elsewhere = bool(package) and package not in values and None not in values
    if unit in values or (literal and elsewhere):
        return module.data
    if literal and not listed:
        return splice(module.data, [module.replace(node, f'["{unit}"]')])
    if not literal:
        span, whole = module.span(node), module.encode(f', "{unit}"]')
        before, after = Span(span.start, span.start), Span(span.end, span.end)
        return splice(module.data, [Edit(before, b"[*"), Edit(after, whole)])
    if package not in values:  # it is computed
        return splice(module.data, [Edit(module.end_of(listed[-1]), module.encode(f', "{unit}"'))])
    element = listed[values.index(package)]
    quote = module.text(element)[-1]
    added = f"{quote}{unit}{quote}"
    at = module.end_of(element)
    lines = {n.lineno for n in listed}
    if len(lines) == len(listed) and node.lineno not in lines:  # one a line
        start = module.line_start(element).start
        indent = module.data[start : module.span(element).start]
        text = module.encode(",\n") + indent + module.encode(added)
    else:
        text = module.encode(f", {added}")
    return splice(module.data, [Edit(at, text)])


def add_to_metadata(data: bytes, path: str, package: str, unit: str) -> bytes:
    """A pyproject.toml whose setuptools list of packages has the unit too; without a package, where
    it lists single modules.

    The edit is made only if the file, read again, differs in that list alone.
    """
    try:
        before = read_toml(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return data
    if not package:
        return _add_below_modules(data, before, unit)
    found = _read_stated(before)
    if found is None:
        return data
    table, key, listed = found
    matches = any(fnmatchcase(unit, pattern) for pattern in listed)
    if (matches if key == "include" else unit in listed) or package not in listed:
        return data
    place = _array(data, table, key)
    entry = re.compile(rb"([\"'])" + re.escape(package.encode()) + rb"\1")
    match = entry.search(data, *place) if place else None
    if match is None:
        return data
    quote = match[1]
    text = b", " + quote + unit.encode() + quote
    new = splice(data, [Edit(Span(match.end(), match.end()), text)])
    listed.insert(listed.index(package) + 1, unit)
    return new if read_toml(new.decode("utf-8-sig")) == before else data


def _add_below_modules(data: bytes, document: dict[str, object], unit: str) -> bytes:
    """A table of setuptools that lists modules, with the unit, which is a package, below them."""
    tool = document.get("tool")
    table = tool.get("setuptools") if isinstance(tool, dict) else None
    if not isinstance(table, dict) or "py-modules" not in table or "packages" in table:
        return data
    place = _array(data, "tool.setuptools", "py-modules")
    if place is None:
        return data
    added = newline(data) + f'packages = ["{unit}"]'.encode()
    new = splice(data, [Edit(Span(place[1], place[1]), added)])
    table["packages"] = [unit]
    return new if read_toml(new.decode("utf-8-sig")) == document else data


def add_to_settings(data: bytes, path: str, package: str, unit: str) -> bytes:
    """A setup.cfg whose list of packages, one a line, has the unit too; without a package, where it
    lists single modules."""
    key, entry = ("packages", package) if package else ("py_modules", "")
    found = re.search(rb"^" + key.encode() + rb"[ \t]*=.*\n(?:[ \t]+\S.*\n?)*", data, re.MULTILINE)
    if found is None or unit.encode() in data:
        return data
    ending = newline(data)
    if not entry:
        text = f"packages = {unit}".encode() + ending
        return splice(data, [Edit(Span(found.start(), found.start()), text)])
    listed = re.search(
        rb"^([ \t]+)" + re.escape(entry.encode()) + rb"[ \t]*$", found[0], re.MULTILINE
    )
    if listed is None:
        return data
    at = found.start() + listed.end()
    return splice(data, [Edit(Span(at, at), ending + listed[1] + unit.encode())])


BY_NAME = {"pyproject.toml": add_to_metadata, "setup.cfg": add_to_settings}


def takes_from_git(settings: bytes) -> bool:
    """Whether an sdist has what git has."""
    return re.search(rb"setuptools[_-](?:scm|git)", settings) is not None


def add_line(data: bytes, line: str) -> bytes:
    """A MANIFEST.in with a line, unless it takes the same folder, or one around it, already."""
    command, _, folder = line.partition(" ")
    taken = [
        words[1].strip("/") for words in map(str.split, _lines(data)) if words[:1] == [command]
    ]
    if any(f"{folder}/".startswith(f"{other}/") or other == "." for other in taken):
        return data
    last = b"" if data.endswith(b"\n") or not data else newline(data)
    return data + last + line.encode() + newline(data)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()


def _read_stated(document: dict[str, object]) -> tuple[str, str, list[str]] | None:
    """(table, key, list) of the packages that a pyproject.toml states for setuptools."""
    table: object = document
    for key in ("tool", "setuptools"):
        table = table.get(key) if isinstance(table, dict) else None
    packages = table.get("packages") if isinstance(table, dict) else None
    if isinstance(packages, list):
        return "tool.setuptools", "packages", packages
    find = packages.get("find") if isinstance(packages, dict) else None
    include = find.get("include") if isinstance(find, dict) else None
    return ("tool.setuptools.packages.find", "include", include) if include else None


def _array(data: bytes, table: str, key: str) -> tuple[int, int] | None:
    """Where the array of a key of a table with a header of its own stands."""
    header = re.search(rb"^\s*\[\s*" + re.escape(table.encode()) + rb"\s*\]", data, re.MULTILINE)
    if header is None:
        return None
    following = re.compile(rb"^\s*\[", re.MULTILINE).search(data, header.end())
    end = following.start() if following else len(data)
    # an array over several lines may have lines that begin with a bracket: search on to its end
    start = re.compile(rb"^\s*" + key.encode() + rb"\s*=\s*\[", re.MULTILINE).search(
        data, header.end(), end
    )
    return (start.end(), data.find(b"]", start.end()) + 1) if start else None
