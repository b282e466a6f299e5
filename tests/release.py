"""Check and describe a release: `python -m tests.release check TAG`, or `... notes`."""

from __future__ import annotations

import re
import sys

import porter
from tests.conftest import ROOT


def notes(text: str, version: str) -> str:
    """Return the section of a version in a changelog; empty where it has none."""
    found = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else ""


def problem(tag: str, text: str, version: str) -> str:
    """Say why a tag cannot be released; empty where it can."""
    if tag != f"v{version}":
        return f"the tag {tag!r} is not v{version}, porter's version"
    if not notes(text, version):
        return f"CHANGELOG.md says nothing of {version}"
    if re.search(rf"^## {re.escape(version)}.*unreleased", text, re.MULTILINE):
        return f"CHANGELOG.md calls {version} unreleased: write the date"
    return ""


def main() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    if sys.argv[1] == "notes":
        sys.stdout.write(notes(changelog, porter.__version__) + "\n")
    else:
        sys.exit(problem(sys.argv[2], changelog, porter.__version__) or None)


if __name__ == "__main__":
    main()
