"""Choose cases by an expression over words of their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from porter.errors import UsageError
from porter.model import ParityCase

MOST_WORDS = 100  # of an expression


def choose(cases: Sequence[ParityCase], expression: str) -> tuple[ParityCase, ...]:
    """The cases whose names hold the words of an expression with `and`, `or`, `not` and brackets.

    Raises UsageError for what is no expression.
    """
    return tuple(case for case in cases if holds(case.name, expression))


def holds(text: str, expression: str) -> bool:
    """Whether a text has the words of an expression; of an empty one always. Raises UsageError."""
    signs = ("and", "or", "not", "(", ")")
    words = re.findall(r"[()]|[^\s()]+", expression)
    said = " ".join(word if word in signs else str(word in text) for word in words)
    try:
        if len(words) > MOST_WORDS:
            raise ValueError
        return _truth(ast.parse(said or "True", mode="eval").body)
    except (SyntaxError, ValueError) as error:
        shown = expression if len(expression) < 100 else f"{expression[:100]}..."
        hint = f'such as -k "norm and not float16", at most {MOST_WORDS} words'
        raise UsageError(f"-k {shown!r} cannot be read", hint=hint) from error


def _truth(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=bool(value)):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _truth(operand)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(_truth, values))
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(_truth, values))
    raise ValueError("neither and, or, not nor a word")
