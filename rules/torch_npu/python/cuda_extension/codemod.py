"""Takes the classes of the file beside the script where torch_npu is, below the imports."""

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, QualifiedNameProvider

from porter.rules.rewrite import BLANK, Rewrite

GUARD = """\
if importlib.util.find_spec("torch_npu"):  # Ascend NPUs
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    {}
"""
OR = '(importlib.util.find_spec("torch_npu") is not None or {asked})'
AVAILABLE = "torch.cuda.is_available"


class NpuExtension(Rewrite):
    DESCRIPTION = "Build for an NPU where torch_npu is."
    EVERYWHERE = True
    METADATA_DEPENDENCIES = (ByteSpanPositionProvider, QualifiedNameProvider)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        ((import_start, _),) = self.places
        start = self.get_metadata(ByteSpanPositionProvider, original_node).start
        names = self.get_metadata(QualifiedNameProvider, original_node.func, set())
        if start < import_start or all(name.name != AVAILABLE for name in names):
            return updated_node
        return self.expression(OR, asked=updated_node)

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        (known,) = self.places.values()
        body = [*updated_node.body]
        found = (
            index
            for index, line in enumerate(original_node.body)
            if isinstance(line, cst.SimpleStatementLine) and any(map(self._is_last, line.body))
        )
        at = next(found) + 1
        imports = self.statements(known["imports"])
        (guard,) = self.statements(GUARD.format(known["taking"]))
        added = [*imports, guard.with_changes(leading_lines=(BLANK,))]
        added[0] = added[0].with_changes(leading_lines=(BLANK,))
        body[at:at] = added
        return updated_node.with_changes(body=body)

    def _is_last(self, statement: cst.BaseSmallStatement) -> bool:
        return self.facts_of(statement) is not None
