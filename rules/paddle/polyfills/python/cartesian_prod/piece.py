import math

import paddle


def cartesian_prod(*tensors):
    """All combinations of elements, a row each; Paddle's own ends the process in the backward pass
    where not all tensors have a gradient."""
    if len(tensors) == 1:
        return tensors[0]
    lengths, columns = [each.shape[0] for each in tensors], []
    for at, each in enumerate(tensors):
        ahead, behind = math.prod(lengths[:at]), math.prod(lengths[at + 1 :])
        column = each.reshape([1, -1, 1]).expand([ahead, lengths[at], behind])
        columns.append(column.reshape([-1]))
    return paddle.stack(columns, 1)
