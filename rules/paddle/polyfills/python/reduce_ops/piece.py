import paddle

_reduce_op = paddle.distributed.ReduceOp
_bitwise_reductions = {name: name for name in ("BAND", "BOR", "BXOR")}
for _reduce_name, _reduce_value in {"PRODUCT": _reduce_op.PROD, **_bitwise_reductions, "RedOpType": _reduce_op}.items():
    if not hasattr(_reduce_op, _reduce_name):
        setattr(_reduce_op, _reduce_name, _reduce_value)
