import enum

OperatorExportTypes = enum.Enum("OperatorExportTypes", "ONNX ONNX_ATEN ONNX_ATEN_FALLBACK ONNX_FALLTHROUGH", start=0)
TrainingMode = enum.Enum("TrainingMode", "EVAL PRESERVE TRAINING", start=0)


def is_in_onnx_export():
    return False


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    raise NotImplementedError("Paddle's export to ONNX takes no symbolic functions of operators")


unregister_custom_op_symbolic = register_custom_op_symbolic
