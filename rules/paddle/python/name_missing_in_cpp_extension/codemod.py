"""An import without names that may be missing, and below the imports a line for each of them."""

from collections.abc import Sequence

import libcst as cst
from libcst.helpers import get_full_name_for_node

from porter.rules.rewrite import BLANK, Rewrite, Statement, has_comment


class AskedFor(Rewrite):
    DESCRIPTION = "Ask a module for what it may lack."

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        known = self.facts_of(original_node)
        return updated_node if known is None else self.expression(known["instead"])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        body = self._rewrite_block(original_node.body, updated_node.body, (BLANK,))
        return updated_node.with_changes(body=body)

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        body = self._rewrite_block(original_node.body, updated_node.body, ())
        return updated_node.with_changes(body=body)

    def _rewrite_block(
        self,
        originals: Sequence[cst.BaseStatement],
        updated: Sequence[cst.BaseStatement],
        blank: Sequence[cst.EmptyLine],
    ) -> list[cst.BaseStatement]:
        """The statements of a block; the new lines stand where a run of imports ends."""
        body: list[cst.BaseStatement] = []
        waiting: list[Statement] = []
        for original, statement in zip(originals, updated, strict=True):
            imports = original.body[0] if isinstance(original, cst.SimpleStatementLine) else None
            if waiting and not isinstance(imports, cst.Import | cst.ImportFrom):
                body, waiting = [*body, *waiting], []
            known = self.facts_of(imports) if isinstance(imports, cst.ImportFrom) else None
            line = known and self._remove(statement, known["gone"].split())
            if known is None or line is None:
                body.append(statement)
                continue
            bringing = self.statements(known["bringing"])
            body += line
            if line or not bringing:
                body += bringing
            else:
                body.append(_move_comments(statement, bringing[0]))
            lines = self.statements(known["lines"])
            if lines:
                lines[0] = lines[0].with_changes(leading_lines=() if waiting else blank)
            waiting += lines
        return [*body, *waiting]

    def _remove(self, line: cst.BaseStatement, gone: list[str]) -> list[cst.BaseStatement] | None:
        """The line of an import without these names, none where none is left; None where that
        cannot be written, or a comment would be lost."""
        line = cst.ensure_type(line, cst.SimpleStatementLine)
        statement = cst.ensure_type(line.body[0], cst.ImportFrom)
        if len(line.body) > 1 or isinstance(statement.names, cst.ImportStar):
            return None
        kept = [a for a in statement.names if get_full_name_for_node(a.name) not in gone]
        lost = [a for a in statement.names if a not in kept]
        if has_comment(*lost[:-1]) or (has_comment(*lost) and lost[-1] is not statement.names[-1]):
            return None
        if not kept:
            return []
        if kept[-1] is not statement.names[-1]:
            if has_comment(kept[-1]):
                return None
            kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
        return [line.with_changes(body=(statement.with_changes(names=kept),))]


def _move_comments(line: cst.BaseStatement, new: Statement) -> Statement:
    """A statement with the comments of the line that it stands for."""
    line = cst.ensure_type(line, cst.SimpleStatementLine)
    return line.with_changes(body=cst.ensure_type(new, cst.SimpleStatementLine).body)
