"""What plugins of MindSpore name it by, and its C++ interface for operators."""

from __future__ import annotations

from porter.ascend.names import Names

FOLDER = "mindspore_plugin"  # of a plugin beside the operators that it is made of
NAMES = Names(
    modules=("mindspore",),
    plugin_headers=("ms_extension/", "mindspore/include/custom_op_api.h"),
    registrations=("_EXTENSION_MODULE",),
    runners=("PyboostRunner", "AclnnOpRunner", "AtbOpRunner", "AsdSipFFTOpRunner"),
    commands=("RunAtbOp", "RunAsdSipFFTOp"),
    callers=("LAUNCH_ACLNN_FUNC",),
    graph_macros=("REG_GRAPH_MODE_OP", "MS_CUSTOM_OPS_REGISTER"),
)
BUILDERS = frozenset(
    ("mindspore.ops.CustomOpBuilder", "mindspore.ops.operations.custom_ops.CustomOpBuilder")
)
