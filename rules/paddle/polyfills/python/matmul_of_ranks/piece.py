import functools

from .methods_of_tensors import _wrap_functions, _wrap_methods


def _of_one_rank(theirs, name):
    """A product of matrices whose operands have as many dimensions: of others Paddle has no gradient."""

    @functools.wraps(theirs)
    def matmul(input, other, **options):
        ranks = len(input.shape), len(other.shape)
        if ranks[0] != ranks[1] and min(ranks) > 2:
            input, other = (_of_rank(each, max(ranks)) for each in (input, other))
        return theirs(input, other, **options)

    return matmul


def _of_rank(tensor, rank):
    return tensor if tensor.ndim == rank else tensor.unsqueeze([*range(rank - tensor.ndim)])


_wrap_functions(_of_one_rank, ("matmul", "linalg.matmul"))
_wrap_methods(_of_one_rank, ("matmul", "__matmul__"))
