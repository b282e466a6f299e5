import collections

import paddle


def _flatten_dense_tensors(tensors):
    """The elements of tensors one after the other."""
    return paddle.concat([tensor.flatten() for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Parts of a flat tensor in the shapes of others."""
    sizes = [tensor.size if isinstance(tensor.size, int) else tensor.numel() for tensor in tensors]
    parts = paddle.split(flat, [int(size) for size in sizes])
    return tuple(part.reshape(tensor.shape) for part, tensor in zip(parts, tensors, strict=True))


def _take_tensors(tensors, size_limit):
    """Groups of tensors of one type, each of about a size in bytes; the last ones in the order of types."""
    groups = collections.OrderedDict()
    for tensor in tensors:
        kind = str(tensor.place), tensor.dtype
        size = tensor.element_size() * int(paddle.numel(tensor))
        group, taken = groups.get(kind, ([], 0))
        if group and taken + size > size_limit:
            yield group
            group, taken = [], 0
        groups[kind] = [*group, tensor], taken + size
    for group, _ in groups.values():
        if group:
            yield group


def _element_size(dtype):
    """The bytes of one element."""
    return paddle.empty([0], dtype).element_size()


def _utils_is_compiling():
    return False
