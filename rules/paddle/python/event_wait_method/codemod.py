"""`event.wait(stream)` to `stream.wait_event(event)`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, bare


class WaitOfStream(RewriteCall):
    DESCRIPTION = "Let the stream wait for the event."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        event = bare(cst.ensure_type(call.func, cst.Attribute).value)
        stream = call.args[0].value if call.args else None
        if stream is None or (isinstance(stream, cst.Name) and stream.value == "None"):
            current = "{torch}.cuda.current_stream().wait_event({event})"
            return self.expression(current, torch=known["torch"], event=event)
        return self.expression("{stream}.wait_event({event})", stream=bare(stream), event=event)
