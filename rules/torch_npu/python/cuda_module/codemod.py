"""`torch.cuda.x` to `torch.npu.x`, and `import torch_npu`, which makes torch.npu."""

import libcst as cst

from porter.rules.rewrite import Rewrite, insert_at_import


class NpuModule(Rewrite):
    DESCRIPTION = "Use torch.npu for torch.cuda."
    ALONE = True
    IMPORTS = "torch"

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        known = self.facts_of(original_node)
        return updated_node if known is None else self.expression(known["new"])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        if any("imported" in known for known in self.places.values()):
            return updated_node
        added = self.statements("import torch_npu  # noqa: F401\n")
        return insert_at_import(updated_node, "torch", added)
