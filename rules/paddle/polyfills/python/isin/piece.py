import paddle

from .computing import _as_dtype, _is_equal
from .overrides import _register
from .promotion import _result_dtype

_SORTED_IN = {"float16": "float32", "bfloat16": "float32", "uint8": "int64", "int8": "int64", "int16": "int64"}
_WITHOUT_ORDER = {paddle.bool: "Bool", paddle.complex64: "ComplexFloat", paddle.complex128: "ComplexDouble"}


def _one_of(names, given):
    found = [given.pop(name) for name in names if name in given]
    if len(found) != 1:
        raise TypeError(f"isin() received an invalid combination of arguments: one of {' and '.join(names)} is expected")
    return found[0]


def isin(*both, assume_unique=False, invert=False, **named):
    """Which elements are among others: found by their places among the sorted ones, and compared exactly."""
    given = dict(zip(("elements", "test_elements"), both)) | named
    elements, others = _one_of(("elements", "element"), given), _one_of(("test_elements", "test_element"), given)
    tensors = [each for each in (elements, others) if isinstance(each, paddle.Tensor)]
    alike = all(isinstance(each, (paddle.Tensor, int, float, complex)) for each in (elements, others))
    if len(both) > 2 or given or not tensors or not alike:
        raise TypeError("isin() received an invalid combination of arguments: expected tensors, or one and a number")
    for dtype in (_result_dtype(each) for each in (elements, others)):
        if dtype in _WITHOUT_ORDER:
            raise RuntimeError(f"Unsupported input type encountered for isin(): {_WITHOUT_ORDER[dtype]}")
    dtype = _result_dtype(elements, others)
    elements, others = (_as_dtype(each, dtype, tensors[0].place).detach() for each in (elements, others))
    if not elements.size or not others.size:
        return paddle.full(elements.shape, invert, "bool")
    larger = _SORTED_IN.get(str(dtype).rpartition(".")[2])
    if larger:
        elements, others = elements.astype(larger), others.astype(larger)
    others = paddle.sort(others.flatten())
    places = paddle.searchsorted(others, elements.flatten()).clip(max=others.size - 1)
    found = _is_equal(others[places].reshape(elements.shape), elements)
    return ~found if invert else found


_register({}, {"torch.isin": isin})
