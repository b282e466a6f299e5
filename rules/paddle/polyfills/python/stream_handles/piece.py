import paddle

from .methods_of_tensors import _members


def _wait_for(self, stream=None):
    (stream or paddle.device.current_stream()).wait_event(self)


_members(
    paddle.device.Stream,
    cuda_stream=property(lambda self: self._as_parameter_.value or 0),  # 0: the null stream
)
_members(paddle.device.Event, wait=_wait_for)
