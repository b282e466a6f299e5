"""`torch.pow(2, x)` to `2 ** x`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, operand, parenthesize


class PowerOperator(RewriteCall):
    DESCRIPTION = "Write torch.pow of a number with the operator."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        base, exponent = (operand(argument.value) for argument in call.args)
        power = cst.BinaryOperation(base, cst.Power(), exponent)
        return power if "alone" in known else parenthesize(power)
