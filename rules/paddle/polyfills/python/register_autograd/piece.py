import itertools

from .autograd_functions import Function
from .operators import (
    _is_default,
    _is_tensor,
    _mapped,
    _parsed,
    _recorded,
    _registered,
    _tensors_in,
    _wanted,
)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Give an operator a backward pass."""
    found = _registered(op)
    _check_functional(found)

    def record(wanted, values, output):
        return _Step.apply(_Call(found, backward, setup_context, values, output), *wanted)

    found._kernels["Autograd"] = _recorded(found, record)


def _has_tensors(marks):
    """Whether what _wanted says of an argument is of a tensor, or of a list of tensors."""
    return any(each is not None for each in marks) if isinstance(marks, list) else marks is not None


class _Step(Function):
    """A call of an operator as a step of the graph."""

    @staticmethod
    def forward(ctx, call, *wanted):
        return call.begin(ctx)

    @staticmethod
    def backward(ctx, *gradients):
        return (None, *ctx.call.back(ctx, iter(gradients)))


class _Call:
    """One call of an operator: how back. Tensors are kept by what setup_context saves alone."""

    def __init__(self, op, backward, setup_context, values, output):
        self.op, self.backward, self.setup_context = op, backward, setup_context
        self.values, self.output = values, output

    def begin(self, ctx):
        pairs = [*zip(_parsed(self.op._schema).parameters, self.values)]
        inputs = tuple(value for parameter, value in pairs if not parameter.named)
        output, self.values = self.output, None
        named = {parameter.name: value for parameter, value in pairs if parameter.named}
        while pairs and (pairs[-1][0].named or _is_default(*pairs[-1])):
            pairs.pop()
        self.least = len(pairs)  # torch asks for no gradients of what is left to its default
        self.wanted = _mapped(_wanted, inputs)
        self.output = _mapped(_is_tensor, output if isinstance(output, tuple) else (output,))
        ctx.call = self
        needs = [marks if _has_tensors(marks) else False for marks in self.wanted]
        ctx.needs_input_grad = tuple(needs[: self.least])
        if self.setup_context is not None:
            named = {"keyword_only_inputs": named} if named else {}
            self.setup_context(ctx=ctx, inputs=inputs, output=output, **named)
        return tuple(_tensors_in([output]))

    def back(self, ctx, gradients):
        """The gradients of the tensors that want one, of those of the outputs."""
        given = _mapped(lambda is_tensor: next(gradients) if is_tensor else None, self.output)
        found = self.backward(ctx, *given)
        found = found if isinstance(found, tuple) else (found,)
        more = found[len(self.wanted) :]
        if len(found) < self.least or any(each is not None for each in more):
            raise RuntimeError(
                f"the backward of {self.op} returned an incorrect number of gradients "
                f"(expected {len(self.wanted)}, got {len(found)})"
            )
        for wanted, gradient in itertools.zip_longest(self.wanted, found[: len(self.wanted)]):
            if not _has_tensors(wanted):
                if [*_tensors_in([gradient])]:
                    raise RuntimeError(
                        f"the backward of {self.op} returned a gradient different from None for "
                        "an argument that is no tensor"
                    )
            elif not isinstance(wanted, list):
                yield from [gradient] if wanted else []
            elif isinstance(gradient, (list, tuple)) and len(gradient) == len(wanted):
                yield from (each for mark, each in zip(wanted, gradient) if mark)
            else:
                raise RuntimeError(
                    f"the backward of {self.op} has to return a list of gradients for each list"
                )


def _check_functional(op):
    """RuntimeError if torch lets such an operator have no backward pass."""
    schema = _parsed(op._schema)
    if any(each.written_to for each in schema.parameters) or not schema.returns:
        said = f"Cannot register autograd formula for non-functional operator {op}"
        raise RuntimeError(f"{said} with schema {op._schema}. Please create a functional operator")
    if any(each.named and each.kind.startswith("Tensor") for each in schema.parameters):
        raise NotImplementedError(f"register_autograd with kwarg-only Tensor args: {op._schema}")
