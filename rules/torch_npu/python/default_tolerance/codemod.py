"""`torch.testing.assert_close(a, b)` with the tolerances of torch_npu's own tests."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, insert_at_import


class NpuTolerance(RewriteCall):
    DESCRIPTION = "Compare with the tolerances of an NPU."
    IMPORTS = "torch"

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        return call.with_changes(func=self.expression("testcase.TestCase().assertRtolEqual"))

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        if any("imported" in known for known in self.places.values()):
            return updated_node
        added = self.statements("from torch_npu.testing import testcase\n")
        new = insert_at_import(updated_node, "torch", added)
        return original_node if new is updated_node else new
