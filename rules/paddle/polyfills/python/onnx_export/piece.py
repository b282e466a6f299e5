import enum

OperatorExportTypes = enum.Enum("OperatorExportTypes", "ONNX ONNX_ATEN ONNX_ATEN_FALLBACK ONNX_FALLTHROUGH", start=0)
TrainingMode = enum.Enum("TrainingMode", "EVAL PRESERVE TRAINING", start=0)


def is_in_onnx_export():
    return False


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Nothing: no export asks for it."""
    if symbolic_name.count("::") != 1:
        raise RuntimeError(f"Failed to register operator {symbolic_name}. The symbolic name must match the format domain::name")


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    register_custom_op_symbolic(symbolic_name, None, opset_version)


def parse_args(*arg_descriptors):
    """A decorator that returns the symbolic function itself."""
    return lambda function: function


quantized_args = parse_args
