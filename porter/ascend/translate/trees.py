"""What statements and expressions have in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from porter.ascend.translate.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Expression,
    For,
    If,
    Index,
    Name,
    Statement,
    Ternary,
    Unary,
)


def shape(tree: Expression) -> object:
    """What is computed, whatever place of the source it is at."""
    match tree:
        case Call(_, name, arguments):
            return name, len(arguments)
        case Binary(_, operator):
            return operator
        case Cast(_, type):
            return type
        case Unary(_, operator):
            return operator
    return tree


def less_than(condition: Expression, name: str) -> Expression | None:
    match condition:
        case Binary(_, "<", left, right) if bare(left) == name:
            return right
        case Binary(_, ">", left, right) if bare(right) == name:
            return left
    return None


def bare(expression: Expression) -> str:
    while isinstance(expression, Cast):
        expression = expression.value
    return expression.text if isinstance(expression, Name) else ""


def step(step: Statement, name: str) -> Expression | None:
    match step:
        case Assign(_, Name(_, own), "+=", value) if own == name:
            return value
        case Assign(_, Name(_, own), "=", Binary(_, "+", Name(_, left), value)) if (
            own == name == left
        ):
            return value
    return None


def changed(statements: Sequence[Statement]) -> set[str]:
    """Names that are assigned to."""
    return {
        statement.target.text
        for statement in walk(statements)
        if isinstance(statement, Assign) and isinstance(statement.target, Name)
    }


def writes(statements: Sequence[Statement], name: str) -> bool:
    return any(
        isinstance(statement, Assign)
        and isinstance(statement.target, Index)
        and statement.target.name == name
        for statement in walk(statements)
    )


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, also inside of others."""
    for statement in statements:
        yield statement
        match statement:
            case If(_, _, then, otherwise):
                yield from walk((*then, *otherwise))
            case For(_, start, _, step, body):
                yield from walk((*start, step, *body))
            case Block(_, body):
                yield from walk(body)


def deep(expression: Expression, shared: Set[str] = frozenset()) -> bool:
    """Whether something is read or called in it."""
    match expression:
        case Index(_, name, index):
            return name not in shared or deep(index, shared)
        case Call():
            return True
        case Unary(_, _, value) | Cast(_, _, value):
            return deep(value, shared)
        case Binary(_, _, left, right):
            return deep(left, shared) or deep(right, shared)
        case Ternary(_, a, b, c):
            return any(deep(part, shared) for part in (a, b, c))
    return False


def words(expression: Expression) -> set[str]:
    """The names in an expression."""
    match expression:
        case Name(_, text):
            return {text}
        case Index(_, name, index):
            return {name} | words(index)
        case Unary(_, _, value) | Cast(_, _, value):
            return words(value)
        case Binary(_, _, left, right):
            return words(left) | words(right)
        case Ternary(_, a, b, c):
            return words(a) | words(b) | words(c)
        case Call(_, _, arguments):
            return set().union(*(words(a) for a in arguments))
    return set()
