"""`x.broadcast_to(a, b, c)` to `x.broadcast_to((a, b, c))`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall


class SizesInTuple(RewriteCall):
    DESCRIPTION = "Give broadcast_to its sizes as a tuple."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        kinds = {"": cst.Element, "*": cst.StarredElement}
        *others, last = (kinds[given.star](given.value, comma=given.comma) for given in call.args)
        single = cst.MaybeSentinel.DEFAULT if others else cst.Comma()
        sizes = cst.Tuple((*others, last.with_changes(comma=single)))
        return call.with_changes(args=(call.args[-1].with_changes(value=sizes, star=""),))
