"""What statements and expressions have in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from porter.ascend.translate.syntax import (
    Array,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Do,
    Element,
    Expression,
    For,
    If,
    Index,
    Macro,
    Member,
    Name,
    Return,
    Statement,
    Ternary,
    Unary,
    Untranslatable,
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


def mapped(
    statements: Sequence[Statement], change: Callable[[Expression], Expression | None]
) -> tuple[Statement, ...]:
    """The statements with other expressions for those that `change` gives one for."""
    return tuple(_statement(statement, change) for statement in statements)


def _statement(
    statement: Statement, change: Callable[[Expression], Expression | None]
) -> Statement:
    def within(inner: Sequence[Statement]) -> tuple[Statement, ...]:
        return mapped(inner, change)

    def new(expression: Expression) -> Expression:
        return rebuilt(expression, change)

    match statement:
        case Declare(_, _, _, value) if value is not None:
            return replace(statement, value=new(value))
        case Assign(_, Index(_, name, index) as target, _, value):
            own = new(target)
            own = own if isinstance(own, Index) else Index(target.at, name, new(index))
            return replace(statement, target=own, value=new(value))
        case Assign(_, _, _, value):
            return replace(statement, value=new(value))
        case If(_, condition, then, otherwise):
            return replace(
                statement, condition=new(condition), then=within(then), otherwise=within(otherwise)
            )
        case For(_, start, condition, step, body):
            return replace(
                statement,
                start=within(start),
                condition=new(condition),
                step=_statement(step, change),
                body=within(body),
            )
        case Block(_, body):
            return replace(statement, body=within(body))
        case Macro(_, _, arguments, body):
            given = tuple(new(argument) for argument in arguments)
            return replace(statement, arguments=given, body=within(body))
        case Return(_, value) if value is not None:
            return replace(statement, value=new(value))
        case Do(_, call):
            given = tuple(new(argument) for argument in call.arguments)
            return replace(statement, call=replace(call, arguments=given))
    return statement


def rebuilt(
    expression: Expression, change: Callable[[Expression], Expression | None]
) -> Expression:
    """An expression with others for the parts of it that `change` gives one for."""
    other = change(expression)
    if other is not None:
        return other

    def new(inner: Expression) -> Expression:
        return rebuilt(inner, change)

    match expression:
        case Index(_, _, index):
            return replace(expression, index=new(index))
        case Member(_, value, _):
            return replace(expression, value=new(value))
        case Element(_, pointer, index):
            return replace(expression, pointer=new(pointer), index=new(index))
        case Unary(_, _, value) | Cast(_, _, value):
            return replace(expression, value=new(value))
        case Binary(_, _, left, right):
            return replace(expression, left=new(left), right=new(right))
        case Ternary(_, a, b, c):
            return replace(expression, condition=new(a), then=new(b), otherwise=new(c))
        case Call(_, _, arguments):
            return replace(expression, arguments=tuple(new(a) for a in arguments))
    return expression


def named(statements: Sequence[Statement]) -> set[str]:
    """All names in the expressions of statements."""
    found: set[str] = set()

    def look(expression: Expression) -> None:
        found.update(words(expression))

    mapped(statements, look)
    return found


def unknown(statement: Statement) -> Untranslatable:
    """What is said of a statement that elementwise bodies do not have."""
    match statement:
        case Array(at, _, name, _, shared):
            return Untranslatable(
                "memory that threads share" if shared else f"the array `{name}`", at
            )
        case Do(at, call):
            return Untranslatable(f"`{call.name}`", at)
    return Untranslatable("a block of its own", statement.at)


def returns(body: Sequence[Statement]) -> bool:
    return bool(body) and (
        isinstance(body[-1], Return)
        or (isinstance(body[-1], If) and returns(body[-1].then) and returns(body[-1].otherwise))
    )
