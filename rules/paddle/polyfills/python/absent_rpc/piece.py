import paddle.distributed.elastic as _elastic

vars(_elastic).setdefault("__path__", [])  # of a module alone nothing can be imported


def rpc_is_available():
    return False


autograd_is_available = rpc_is_available


def errors_record(fn, error_handler=None):
    """What fails is raised as it is; no file for a launcher is written."""
    return fn


class autograd_context:
    def __init__(self):
        raise NotImplementedError("Paddle has no gradients between processes")
