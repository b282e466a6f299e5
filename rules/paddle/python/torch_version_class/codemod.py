"""The import in a `try`, with packaging's class where torch's is missing."""

import libcst as cst

from porter.rules.rewrite import Rewrite, wrap_in_try


class TriedVersion(Rewrite):
    DESCRIPTION = "Import packaging's Version where TorchVersion is missing."

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.Try:
        known = self.facts_of(original_node.body[0])
        if known is None or len(original_node.body) > 1:
            return updated_node
        (line,) = self.statements(f"from packaging.version import Version as {known['bound']}")
        return wrap_in_try(updated_node, "ImportError", line.body[0])
