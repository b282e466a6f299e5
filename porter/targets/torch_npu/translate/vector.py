"""A thread's computation as instructions on whole tiles: one value of float32 an element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate import functions
from porter.targets.torch_npu.translate.branches import Branches, State
from porter.targets.torch_npu.translate.device import DeviceFunction
from porter.targets.torch_npu.translate.instructions import (
    Instructions,
    Pointer,
    Scalar,
    Value,
    Vector,
    is_truth,
    literal_value,
)
from porter.targets.torch_npu.translate.syntax import (
    FLOATING,
    HALVES,
    Alias,
    Array,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Do,
    Expression,
    If,
    Index,
    Name,
    Number,
    Return,
    Statement,
    Ternary,
    Unary,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.trees import returns, unknown_statement_error

_DEPTH = 16  # of device functions that call others


@dataclass(slots=True)
class Body:
    """Makes the instructions of a body. Raises Untranslatable for what it cannot."""

    pointers: dict[str, Pointer]
    index: str  # the name of the element's number
    floats: frozenset[str]  # types that are computed in float: parameters of the template
    constants: Mapping[str, str]  # of the file, and their types
    function: Callable[[str, int], DeviceFunction | None]  # of the file for the device
    place: Callable[[Index, bool], Pointer | Scalar] | None = None  # of other than [index]
    number: Callable[[str, Expression], bool] | None = None  # keeps a variable that is a place
    state: State = field(default_factory=State)
    types: dict[str, str] = field(default_factory=dict)  # of local variables
    make: Instructions = field(default_factory=Instructions)
    loads: dict[str, Vector] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)  # conditions for all elements, around here
    guarded: dict[str, str] = field(default_factory=dict)  # pointers that are read under one
    stored: set[str] = field(default_factory=set)
    apart: set[tuple[str, str]] = field(default_factory=set)  # pointers to other memory
    kept: set[str] = field(default_factory=set)  # pointers whose elements some branch leaves
    depth: int = 0

    # -------------------------------------------------------------- statements

    def run(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            match statement:
                case Declare(at, type, name, value):
                    self._declare(at, type, name, value)
                case Alias(at, name, type):
                    self._alias(at, name, type)
                case Assign():
                    self._assign(statement)
                case If():
                    self._if(statement)
                case Return(at):
                    raise Untranslatable("a `return` in the middle", at)
                case Array() | Block() | Do():
                    raise unknown_statement_error(statement)
                case _:
                    raise Untranslatable(
                        "a loop over something other than the elements", statement.at
                    )

    def _alias(self, at: int, name: str, type: str) -> None:
        own = plain(type) in self.floats or plain(type) in FLOATING or plain(type) in HALVES
        if not own and not any(word in type for word in ("opmath_type", "acc_type")):
            raise Untranslatable(f"the type `{name}`", at)
        self.floats |= {name}

    def keep(self, at: int) -> None:
        """Where a pointer is written in some branches only, beside another one that is written,
        what it keeps would undo that, if they were the same memory."""
        for name in self.kept:
            for other in self.stored - {name}:
                self.apart |= self.pointers[name].apart_from(self.pointers[other], at)

    def _declare(self, at: int, type: str, name: str, value: Expression | None) -> None:
        if name in self.types or name in self.state.names:
            raise Untranslatable(f"a second `{name}` that hides the first", at)
        if value is not None and self.number is not None and self.number(name, value):
            return
        self.types[name] = plain(type)
        if value is None:
            self.state.names.pop(name, None)
            return
        self.state.names[name] = self._convert(plain(type), self.value(value), at)

    def _assign(self, statement: Assign) -> None:
        at, operator = statement.at, statement.operator
        value = self.value(statement.value)
        if operator != "=":
            old = self.value(statement.target)
            value = self.make.binary(at, operator[:-1], old, value)
        if isinstance(statement.target, Index):
            pointer = self._element(statement.target, written=True)
            if isinstance(pointer, Scalar):
                raise Untranslatable(f"`{statement.target.name}` is written by all threads", at)
            if pointer.constant:
                raise Untranslatable(f"`{pointer.name}` is const", at)
            self.stored.add(pointer.name)
            self.state.stores.pop(pointer.name, None)  # in the order of the last writes
            self.state.stores[pointer.name] = value
            self.state.guards.pop(pointer.name, None)
            return
        if not isinstance(statement.target, Name):
            raise Untranslatable("an assignment to something other than a name", at)
        name = statement.target.text
        if name not in self.types:
            raise Untranslatable(f"an assignment to `{name}`", at)
        self.state.names[name] = self._convert(self.types[name], value, at)

    def _if(self, statement: If) -> None:
        condition = self._condition(statement.condition)
        before, types = self.state.copy(), dict(self.types)
        with self._assume(condition):
            self.run(statement.then)
        then = self.state
        self.state, self.types = before.copy(), dict(types)
        with self._assume(condition, negated=True):
            self.run(statement.otherwise)
        sides = Branches(self.make, condition, before, then, self.state)
        self.types = types
        self.state = State(sides.names({**before.names, **types}))
        for name in sides.all_stores():
            value, guard = sides.store(name, self._load, statement.at)
            self.state.stores[name] = value
            if guard:
                self.state.guards[name] = guard
            elif sides.one_sided(name):
                self.kept.add(name)

    def _condition(self, expression: Expression) -> Value:
        bare = expression
        if isinstance(bare, Name) and bare.text in self.pointers:
            return Scalar(f"({bare.text} != nullptr)", "bool")
        return self.make.truth(self.value(expression))

    @contextmanager
    def _assume(self, condition: Value, negated: bool = False) -> Iterator[None]:
        """What is read here is only read where the condition is so."""
        if isinstance(condition, Vector):
            yield
            return
        self.guards.append(f"!{condition.text}" if negated else condition.text)
        yield
        self.guards.pop()

    def _convert(self, type: str, value: Value, at: int) -> Value:
        """A value as one of a type."""
        if type == "auto" or (type == "bool" and is_truth(value)):
            return value
        if type == "bool":
            return self.make.truth(value)
        if type in self.floats or type in FLOATING or type in HALVES:
            return self.make.as_floats(value)
        if is_integer(type):
            if isinstance(value, Vector):
                raise Untranslatable("a conversion of elements to integers", at)
            return Scalar(f"static_cast<{type}>({value.text})", "int")
        raise Untranslatable(f"a value of the type `{type}`", at)

    # -------------------------------------------------------------- expressions

    def value(self, expression: Expression) -> Value:
        match expression:
            case Number(_, text):
                return literal_value(text)
            case Name(at, text):
                return self._name(at, text)
            case Index():
                return self._read(expression)
            case Unary(at, operator, inner):
                return self._unary(at, operator, inner)
            case Binary(_, ("==" | "!=") as operator, Name(_, name), Name(_, none)) if (
                none in ("nullptr", "NULL") and name in self.pointers
            ):
                return Scalar(f"({name} {operator} nullptr)", "bool")
            case Binary(at, "&&", left, right):
                first = self._condition(left)
                with self._assume(first):
                    second = self._condition(right)
                return self.make.both("&&", first, second)
            case Binary(at, operator, left, right):
                return self.make.binary(at, operator, self.value(left), self.value(right))
            case Ternary(at, condition, then, otherwise):
                chosen = self._condition(condition)
                with self._assume(chosen):
                    first = self.value(then)
                with self._assume(chosen, negated=True):
                    second = self.value(otherwise)
                return self.make.select(chosen, first, second)
            case Cast(at, type, inner):
                return self._convert(type, self.value(inner), at)
            case Call(at, name, arguments):
                return self._call(at, name, arguments)
        raise Untranslatable("an expression", expression.at)

    def _name(self, at: int, name: str) -> Value:
        if name in self.state.names:
            return self.state.names[name]
        if name in self.types:
            raise Untranslatable(f"`{name}` is not initialized", at)
        if name == self.index:
            raise Untranslatable("an element index as a value", at)
        if name in self.pointers:
            raise Untranslatable(f"the pointer `{name}` itself", at)
        if (known := functions.constant(name, self.constants)) is not None:
            return known
        where = " in a place other than an element index" if "." in name else ""
        raise Untranslatable(f"`{name}`{where}", at)

    def _element(self, expression: Index, written: bool = False) -> Pointer | Scalar:
        if self.place is not None:
            found = self.place(expression, written)
            if isinstance(found, Pointer):
                self.pointers[found.name] = found
            return found
        if expression.name not in self.pointers:
            raise Untranslatable(f"`{expression.name}[...]`", expression.at)
        index = expression.index
        while isinstance(index, Cast):
            index = index.value
        if not (isinstance(index, Name) and index.text == self.index):
            raise Untranslatable(
                f"`{expression.name}` is accessed at a place other than [{self.index}]",
                expression.at,
            )
        return self.pointers[expression.name]

    def _read(self, expression: Index) -> Value:
        pointer = self._element(expression)
        if isinstance(pointer, Scalar):
            return pointer
        if pointer.name in self.state.guards:
            raise Untranslatable(
                f"`{expression.name}` is read after a conditional write", expression.at
            )
        for name in self.state.stores:
            if name != pointer.name:
                self.apart |= self.pointers[name].apart_from(pointer, expression.at)
        return self.state.stores.get(pointer.name) or self._load(pointer.name)

    def _load(self, name: str) -> Vector:
        guard = " && ".join(self.guards)
        if name not in self.loads:
            self.loads[name] = self.make.number()
            self.guarded[name] = guard
        elif guard != self.guarded[name]:
            both = f"({self.guarded[name]}) || ({guard})" if guard and self.guarded[name] else ""
            self.guarded[name] = both
        return self.loads[name]

    def _unary(self, at: int, operator: str, inner: Expression) -> Value:
        if operator == "&" and isinstance(inner, Index):
            raise Untranslatable("an address", at)
        value = self.value(inner)
        if operator == "!":
            return self.make.invert(self.make.truth(value))
        if operator == "+":
            return value
        if operator != "-":
            raise Untranslatable(f"`{operator}`", at)
        return self.make.negate(value)

    def _call(self, at: int, name: str, arguments: Sequence[Expression]) -> Value:
        short = name.removeprefix("std::").removeprefix("::")
        if short in ("__ldg",) and len(arguments) == 1 and isinstance(arguments[0], Unary):
            inner = arguments[0].value
            if arguments[0].operator == "&" and isinstance(inner, Index):
                return self._read(inner)
        function = self.function(short, at)
        if function is not None:
            return self._inline(function, at, arguments)
        if (limit := functions.limit(short)) is not None:
            return limit
        given = [self.value(argument) for argument in arguments]
        return functions.call(self.make, at, name, given)

    def _inline(self, function: DeviceFunction, at: int, arguments: Sequence[Expression]) -> Value:
        """What a function of scalars returns."""
        if any(template.type for template in function.templates):
            raise Untranslatable(f"`{function.name}` with a number as a template argument", at)
        if any(parameter.pointer for parameter in function.parameters):
            raise Untranslatable(f"`{function.name}`, which has pointer parameters", at)
        body, left = function.body(), function.defaults()[len(arguments) :]
        arguments = (*arguments, *(value for value in left if value is not None))
        if len(arguments) != len(function.parameters):
            raise Untranslatable(f"`{function.name}` with unsupported arguments", at)
        if self.depth == _DEPTH:
            raise Untranslatable(f"`{function.name}` calls itself", at)
        given = [self.value(argument) for argument in arguments]
        state, types, floats = self.state, self.types, self.floats
        self.state, self.floats = State(stores=state.stores), floats | function.floats
        self.types = {p.name: plain(p.type) for p in function.parameters}
        self.depth += 1
        for parameter, value in zip(function.parameters, given, strict=True):
            self.state.names[parameter.name] = self._convert(plain(parameter.type), value, at)
        result = self._evaluate_body(body, function, at)
        result = self._convert(plain(function.returns), result, at)
        self.depth -= 1
        self.state, self.types, self.floats = state, types, floats
        return result

    def _evaluate_body(self, body: Sequence[Statement], function: DeviceFunction, at: int) -> Value:
        for number, statement in enumerate(body):
            match statement:
                case Return(_, value) if value is not None:
                    return self.value(value)
                case If(_, condition, then, otherwise) if returns(then):
                    chosen = self.make.truth(self.value(condition))
                    before, types = self.state.copy(), dict(self.types)
                    a = self._evaluate_body(then, function, at)
                    self.state, self.types = before, types
                    b = self._evaluate_body((*otherwise, *body[number + 1 :]), function, at)
                    return self.make.select(chosen, a, b)
                case _:
                    self.run([statement])
        raise Untranslatable(f"`{function.name}` has no return at its end", at)
