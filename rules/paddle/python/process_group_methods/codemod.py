"""`group.rank()` to `dist.get_rank(group)`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, bare


class FunctionOfGroup(RewriteCall):
    DESCRIPTION = "Ask torch.distributed for what a group of processes says."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        group = bare(cst.ensure_type(call.func, cst.Attribute).value)
        return self.expression("{function}({group})", function=known["function"], group=group)
