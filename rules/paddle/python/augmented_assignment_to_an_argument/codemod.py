"""`out *= scale` to `out.mul_(scale)`."""

import libcst as cst

from porter.rules.rewrite import Rewrite, bare


class MethodInPlace(Rewrite):
    DESCRIPTION = "Call the method that changes a tensor in place."
    ALONE = True

    def leave_AugAssign(
        self, original_node: cst.AugAssign, updated_node: cst.AugAssign
    ) -> cst.BaseSmallStatement:
        known = self.facts_of(original_node)
        if known is None:
            return updated_node
        value, space = updated_node.value, cst.SimpleWhitespace("")
        call = cst.Call(cst.Attribute(updated_node.target, cst.Name(known["method"])))
        if value.lpar:  # these parentheses are those of the call
            call = call.with_changes(whitespace_before_args=value.lpar[0].whitespace_after)
            value, space = bare(value), value.rpar[-1].whitespace_before
        call = call.with_changes(args=(cst.Arg(value, whitespace_after_arg=space),))
        return cst.Expr(call, semicolon=updated_node.semicolon)
