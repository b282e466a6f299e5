"""The directories of torch_npu's headers in `include_dirs`, and `import torch_npu`."""

from collections.abc import Mapping

import libcst as cst
from libcst import matchers as m

from porter.rules.rewrite import (
    RewriteCall,
    add_argument,
    beginning,
    insert_at_import,
    prepend_elements,
)

ITEM = 'f"{{torch_npu.__path__[0]}}/{}"'
GIVEN = m.Arg(keyword=m.Name("include_dirs"))


class WithDirectories(RewriteCall):
    DESCRIPTION = "Name the include directories of torch_npu's third parties."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        items = [ITEM.format(path) for path in known["missing"].split()]
        args = [*call.args]
        for index, argument in enumerate(args):
            if m.matches(argument, GIVEN):
                values = [cst.parse_expression(item) for item in items]
                listed = prepend_elements(cst.ensure_type(argument.value, cst.List), values)
                args[index] = argument.with_changes(value=listed)
                return call.with_changes(args=args)
        text, space = f"[{', '.join(items)}]", beginning(call)
        if isinstance(space, cst.ParenthesizedWhitespace):  # each in a line of its own
            indent = space.last_line.value
            inner = "".join(f"\n{indent}    {item}," for item in items)
            text = f"[{inner}\n{indent}]"
        made = cst.parse_expression(f"f(include_dirs={text})", self.module.config_for_parsing)
        return add_argument(call, cst.ensure_type(made, cst.Call).args[0])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        if any("imported" in known for known in self.places.values()):
            return updated_node
        added = self.statements("import torch_npu\n")
        return insert_at_import(updated_node, "torch_npu", added, above=True)
