import paddle

from .methods_of_tensors import _methods


def unbind(input, dim=0):
    return tuple(paddle.unbind(input, dim))


def tensor_split(input, indices_or_sections=None, dim=0, *, indices=None, sections=None):
    """Parts that end at these indices, or so many of nearly the same size."""
    indices_or_sections = next((each for each in (indices_or_sections, indices, sections) if each is not None), None)
    if isinstance(indices_or_sections, paddle.Tensor):
        indices_or_sections = indices_or_sections.tolist()
    length = input.shape[dim]
    if isinstance(indices_or_sections, int):
        size, longer = divmod(length, indices_or_sections)
        sizes = [size + (part < longer) for part in range(indices_or_sections)]
        ends = [sum(sizes[:part]) for part in range(1, indices_or_sections)]
    else:
        ends = list(indices_or_sections)
    ahead = (slice(None),) * (dim % input.ndim)
    return tuple(
        input[(*ahead, slice(start, end))]
        for start, end in zip([0, *ends], [*ends, length], strict=True)
    )


def meshgrid(*tensors, indexing="ij"):
    """Each tensor, repeated along the dimensions of the others."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    swapped = indexing == "xy" and len(tensors) > 1
    if swapped:
        tensors = (tensors[1], tensors[0], *tensors[2:])
    shape = [each.size for each in tensors]
    grids = []
    for dim, each in enumerate(tensors):
        sizes = [1] * len(tensors)
        sizes[dim] = -1
        grids.append(each.reshape(sizes).expand(shape))
    if swapped:
        grids[:2] = grids[1::-1]
    return tuple(grids)


_methods(unbind=unbind, tensor_split=tensor_split)
