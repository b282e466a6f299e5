import functools
import string

import numpy
import paddle

from .computing import _applied
from .half_on_cpu import _is_half_on_cpu, _is_recorded
from .overrides import _register
from .torchs_meaning import _torch


def _as_letters(dimensions):
    return "".join("..." if each is ... else (string.ascii_uppercase + string.ascii_lowercase)[each] for each in dimensions)


def einsum(equation, *operands):
    if isinstance(equation, paddle.Tensor):  # each followed by its dimensions, and then those of the output
        given = [equation, *operands]
        right = "->" + _as_letters(given.pop()) if len(given) % 2 else ""
        return einsum(",".join(map(_as_letters, given[1::2])) + right, *given[::2])
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        (operands,) = operands
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if equation != equation.lower():  # Paddle takes a capital letter for its small one
        names = dict.fromkeys(each for each in left if each.isalpha())
        small = str.maketrans(dict(zip(names, string.ascii_lowercase, strict=False)))
        return einsum(f"{left}->{right if arrow else _output_of(terms)}".translate(small), *operands)
    if any(_is_twice(letter, term) for term in terms for letter in term):
        pairs = [_with_diagonals(*each) for each in zip(terms, operands, strict=True)]
        right = right if arrow else _output_of(terms)
        return einsum(f"{','.join(term for term, _ in pairs)}->{right}", *(each for _, each in pairs))
    if arrow and "..." in left and "..." not in right:  # summed over
        made = einsum(f"{left}->...{right}", *operands)
        without = made.ndim - len(right)
        return made.sum([*range(without)]) if without else made  # [] would be all of them
    if any(each.dtype != operands[0].dtype for each in operands):
        return einsum(equation, *_with_promoted_dtype(operands, terms, right if arrow else _output_of(terms)))
    if not (operands[0].is_floating_point() or operands[0].is_complex()):  # exact, without a graph
        arrays = [each.numpy() for each in operands]
        return paddle.to_tensor(numpy.einsum(equation, *arrays), place=operands[0].place)
    if _is_recorded(*operands) and any(each.is_complex() for each in operands):
        return paddle.complex(*_parts(equation, [], [*operands]))
    if _is_half_on_cpu(operands[0]):
        return _applied(lambda *values: paddle.einsum(equation, *values), operands[0].dtype, *operands)
    return paddle.einsum(equation, *operands)


def _with_promoted_dtype(operands, terms, right):
    """Operands whose products torch takes one by one: a sum of products is a product of matrices, of one dtype."""
    shared = [each for each in "".join(terms) if each != "." and sum(each in term for term in terms) > 1]
    if any(letter not in right for letter in shared):
        first, other = [*dict.fromkeys(each.dtype for each in operands)][:2]
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first} != {other}")
    dtype = functools.reduce(_torch("promote_types"), (each.dtype for each in operands))
    return [each.astype(dtype) for each in operands]


def _is_twice(letter, term):
    return letter != "." and term.count(letter) > 1


def _with_diagonals(term, operand):
    """A term with each index once: of one that it has twice the operand's diagonal is taken."""
    for letter in dict.fromkeys(term):
        while _is_twice(letter, term):
            before, dots, _ = term.partition("...")
            places = [at for at, each in enumerate(term) if each == letter][:2]
            axes = [at - len(term) if dots and at > len(before) else at for at in places]
            if operand.shape[axes[0]] != operand.shape[axes[1]]:
                raise RuntimeError(f"einsum(): subscript {letter} is repeated for operand with different sizes")
            operand = operand.diagonal(axis1=axes[0], axis2=axes[1])
            term = "".join(each for at, each in enumerate(term) if at not in places) + letter
    return term, operand


def _output_of(terms):
    every = "".join(terms)
    once = "".join(sorted(each for each in {*every} - {"."} if every.count(each) == 1))
    return ("..." if "..." in every else "") + once


def _parts(equation, before, ahead):
    """The real and the imaginary part, of real operands: Paddle's gradient of complex ones lacks conjugates."""
    if not ahead:
        made = paddle.einsum(equation, *before)
        return made, paddle.zeros_like(made)
    first, *ahead = ahead
    if not first.is_complex():
        return _parts(equation, [*before, first], ahead)
    (a, b), (c, d) = (_parts(equation, [*before, each], ahead) for each in (first.real(), first.imag()))
    return a - d, b + c


_register({}, {"torch.einsum": einsum, "torch.functional.einsum": einsum})
