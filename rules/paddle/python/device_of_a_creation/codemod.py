"""`torch.tril_indices(..., device=d)` to `torch.tril_indices(...).to(d)`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, bare, remove_argument


class MovedToDevice(RewriteCall):
    DESCRIPTION = "Move what a function without device= makes to the device."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        names = [each.keyword.value if each.keyword else "" for each in call.args]
        index = names.index("device")
        made = remove_argument(call, index)
        if made is call:
            return call
        return self.expression("{made}.to({d})", made=made, d=bare(call.args[index].value))
