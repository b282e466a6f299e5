import paddle

_reduce_op = paddle.distributed.ReduceOp
for _reduce_name, _reduce_value in (("PRODUCT", _reduce_op.PROD), ("BAND", "BAND"), ("BOR", "BOR"), ("BXOR", "BXOR")):
    if not hasattr(_reduce_op, _reduce_name):
        setattr(_reduce_op, _reduce_name, _reduce_value)
