"""The import in a `try`, with packaging's class where torch's is missing."""

import libcst as cst

from porter.rules.rewrite import Rewrite, attempted


class TriedVersion(Rewrite):
    DESCRIPTION = "Import packaging's Version where TorchVersion is missing."

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.Try:
        known = self.found(original_node.body[0])
        if known is None or len(original_node.body) > 1:
            return updated_node
        (line,) = self.statements(f"from packaging.version import Version as {known['bound']}")
        return attempted(updated_node, "ImportError", line.body[0])
