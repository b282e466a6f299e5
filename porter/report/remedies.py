"""What to do about a file that was not read, by the reason it was not."""

from __future__ import annotations

REMEDIES = (
    ("is not valid JSON", "open and save the notebook with Jupyter, or take it from git again"),
    ("notebook format", "`jupyter nbconvert --to notebook --inplace FILE` brings it to format 4"),
    ("notebook too large", "clear its outputs: `jupyter nbconvert --clear-output --inplace FILE`"),
    ("is not valid TOML", "correct the file"),
    ("cannot be decoded", "save it as UTF-8, or declare its encoding in its first line"),
    ("UTF-16", "save it as UTF-8"),
    ("NUL bytes", "if it is a source, remove the NUL bytes"),
    ("too large", "if a person wrote it, split it; data and generated code are not ported"),
    ("unreadable", "give yourself the right to read it"),
    ("link out of the tree", "if it belongs to the project, put the file itself there"),
    ("nowhere or in a circle", "remove the link, or let it point to a file"),
    ("cannot be printed", "rename the file"),
    ("nested", "look at it yourself: Python's own parser does not take it"),
    ("line ", "correct the syntax (porter reads Python 3), or port this file by hand"),
)


def remedy(reason: str) -> str:
    """What the user can do; empty where nothing is wrong with the file."""
    return next((advice for sign, advice in REMEDIES if sign in reason), "")
