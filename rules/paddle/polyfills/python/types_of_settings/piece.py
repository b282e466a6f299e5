import typing

import paddle

_Setting = typing.TypeVar("_Setting")


def _or_tuple(kind, count):
    """The type, or a tuple of so many of it; of any number, where it is an ellipsis."""
    return kind | tuple[(kind, ...) if count is ... else (kind,) * count]


_scalar_or_tuple_any_t, *_by_count = (_or_tuple(_Setting, count) for count in (..., 1, 2, 3, 4, 5, 6))
_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t = _by_count[:3]
_scalar_or_tuple_4_t, _scalar_or_tuple_5_t, _scalar_or_tuple_6_t = _by_count[3:]
_size_any_t, _size_1_t, _size_2_t, _size_3_t, _size_4_t, _size_5_t, _size_6_t = (
    _or_tuple(int, count) for count in (..., 1, 2, 3, 4, 5, 6)
)
_size_any_opt_t, _size_2_opt_t, _size_3_opt_t = (_or_tuple(int | None, count) for count in (..., 2, 3))
_ratio_any_t, _ratio_2_t, _ratio_3_t = (_or_tuple(float, count) for count in (..., 2, 3))
_tensor_list_t = _or_tuple(paddle.Tensor, ...)
_maybe_indices_t = paddle.Tensor | tuple[paddle.Tensor, paddle.Tensor]
