"""`with tvm_ffi.use_torch_stream(context):` to `with context, tvm_ffi.use_raw_stream(...):`."""

import libcst as cst

from porter.rules.rewrite import Rewrite

RAW = """\
{ffi}.use_raw_stream(
    {ffi}.device("cuda", {torch}.cuda.current_device()),
    {torch}.cuda.current_stream()._as_parameter_.value or 0,
)"""


class RawStream(Rewrite):
    DESCRIPTION = "Enter the context and name the raw stream, one after the other."

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> cst.With:
        items: list[cst.WithItem] = []
        for old, new in zip(original_node.items, updated_node.items, strict=True):
            known = self.facts_of(old.item)
            items += [new] if known is None else self._items(new, known["torch"])
        return updated_node.with_changes(items=items)

    def _items(self, item: cst.WithItem, torch: str) -> list[cst.WithItem]:
        """The context, where there is one, and that of the raw stream."""
        call = cst.ensure_type(item.item, cst.Call)
        ffi = cst.ensure_type(call.func, cst.Attribute).value
        raw = self.expression(RAW, ffi=ffi, torch=torch)
        return [*(cst.WithItem(given.value) for given in call.args), item.with_changes(item=raw)]
