"""`torch.tensor([...])` to `torch.tensor([...], device="cpu")`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, add_argument


class OnCpu(RewriteCall):
    DESCRIPTION = "Name the device of a tensor that is made on the host."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        made = cst.ensure_type(self.expression('f(device="cpu")'), cst.Call)
        return add_argument(call, made.args[0])
