import paddle

cuda = paddle.version.cuda if paddle.is_compiled_with_cuda() else None
