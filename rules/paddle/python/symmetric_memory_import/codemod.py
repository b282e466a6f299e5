"""An import in a `try` of its own, or as the last one of its `try`."""

import libcst as cst

from porter.rules.rewrite import Rewrite, wrap_in_try


class TriedImport(Rewrite):
    DESCRIPTION = "Let a module be imported without what may be missing."

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.Try:
        known = self.facts_of(original_node.body[0])
        if known is None or len(original_node.body) > 1:
            return updated_node
        names = [cst.AssignTarget(cst.Name(name)) for name in known["bound"].split()]
        return wrap_in_try(updated_node, "ImportError", cst.Assign(names, cst.Name("None")))

    def leave_Try(self, original_node: cst.Try, updated_node: cst.Try) -> cst.Try:
        if self.facts_of(original_node) is None:
            return updated_node
        first, *others = updated_node.body.body
        body = updated_node.body.with_changes(body=(*others, first))
        return updated_node.with_changes(body=body)
