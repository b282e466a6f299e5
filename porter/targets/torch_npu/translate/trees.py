"""What statements and expressions have in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import fields, replace
from typing import Any, TypeVar

from porter.targets.torch_npu.translate.syntax import (
    Array,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Do,
    Expression,
    For,
    If,
    Index,
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


def names_assigned(statements: Sequence[Statement]) -> set[str]:
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


Change = Callable[[Expression], Expression | None]
Node = TypeVar("Node", bound=Statement | Expression)


def map_expressions(statements: Sequence[Statement], change: Change) -> tuple[Statement, ...]:
    """The statements with other expressions for those that `change` gives one for."""
    return tuple(_statement(statement, change) for statement in statements)


def _statement(statement: Statement, change: Change) -> Statement:
    match statement:
        case Array():  # its sizes say nothing of what is computed
            return statement
        case Assign(_, Index() as target, _, value):
            own = rebuild(target, change)
            if not isinstance(own, Index):
                own = replace(target, index=rebuild(target.index, change))
            return replace(statement, target=own, value=rebuild(value, change))
        case Assign(_, _, _, value):
            return replace(statement, value=rebuild(value, change))
        case Do(_, call):
            return replace(statement, call=_map_children(call, change))
    return _map_children(statement, change)


def rebuild(expression: Expression, change: Change) -> Expression:
    """An expression with others for the parts of it that `change` gives one for."""
    other = change(expression)
    return _map_children(expression, change) if other is None else other


def _map_children(node: Node, change: Change) -> Node:
    """A statement or an expression with what is in it changed."""
    new: dict[str, Any] = {}
    for own in fields(node):
        value = getattr(node, own.name)
        if isinstance(value, Statement | Expression):
            new[own.name] = _change_node(value, change)
        elif isinstance(value, tuple) and value and not isinstance(value[0], str):
            new[own.name] = tuple(_change_node(each, change) for each in value)
    return replace(node, **new) if new else node


def _change_node(node: Statement | Expression, change: Change) -> Statement | Expression:
    return rebuild(node, change) if isinstance(node, Expression) else _statement(node, change)


def names_in(statements: Sequence[Statement]) -> set[str]:
    """All names in the expressions of statements."""
    found: set[str] = set()

    def look(expression: Expression) -> None:
        found.update(words(expression))

    map_expressions(statements, look)
    return found


def unknown_statement_error(statement: Statement) -> Untranslatable:
    """What is said of a statement that elementwise bodies do not have."""
    match statement:
        case Array(at, _, name, _, shared):
            return Untranslatable("shared memory" if shared else f"the array `{name}`", at)
        case Do(at, call):
            return Untranslatable(f"`{call.name}`", at)
    return Untranslatable("a nested block", statement.at)


def returns(body: Sequence[Statement]) -> bool:
    return bool(body) and (
        isinstance(body[-1], Return)
        or (isinstance(body[-1], If) and returns(body[-1].then) and returns(body[-1].otherwise))
    )
