import paddle


class _Matmul:
    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    fp32_precision = "none"

    def __setattr__(self, name, value):
        if not hasattr(self, name):
            raise AttributeError(f"Unknown attribute {name}")
        super().__setattr__(name, value)
        if name == "allow_tf32" and paddle.is_compiled_with_cuda():
            paddle.base.core.set_cublas_switch(bool(value))


matmul = _Matmul()
