"""`torch.empty_like(x.t())` with the shape and the strides of `x.t()`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, bare


class WithStrides(RewriteCall):
    DESCRIPTION = "Give torch.empty_like of a transposed tensor its strides."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        source = bare(call.args[0].value)
        strided = "{call}.as_strided({source}.shape, {source}.stride())"
        return self.expression(strided, call=call, source=source)
