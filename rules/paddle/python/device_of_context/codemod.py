"""`torch.cuda.device_of(x)` to `torch.cuda.device(x.device.index)`."""

from collections.abc import Mapping

import libcst as cst

from porter.rules.rewrite import RewriteCall, bare


class DeviceByIndex(RewriteCall):
    DESCRIPTION = "Name the device of a tensor by its index."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        tensor, torch = bare(call.args[0].value), known["torch"]
        return self.expression("{torch}.cuda.device({x}.device.index)", torch=torch, x=tensor)
