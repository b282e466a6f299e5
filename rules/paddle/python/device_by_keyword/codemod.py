"""`torch.device(device=x)` to `torch.device(x)`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, has_comment


class DeviceByPosition(RewriteCall):
    DESCRIPTION = "Give torch.device its argument by position."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        (named,) = call.args
        if has_comment(named.equal, named.keyword):
            return call
        default = cst.MaybeSentinel.DEFAULT
        return call.with_changes(args=(named.with_changes(keyword=None, equal=default),))
