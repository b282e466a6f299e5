import paddle
from paddle.device.cuda import graphs


def _check_graphs(name):
    if not graphs.is_cuda_graph_supported():
        raise RuntimeError(f"Tried to instantiate dummy base class {name}")


def graph_pool_handle():
    """A number for memory that several graphs share."""
    _check_graphs("_graph_pool_handle")
    return graphs.CoreCUDAGraph.gen_new_memory_pool_id()


class CUDAGraph:
    """Work on a GPU that is recorded once and done again as a whole."""

    def __init__(self, keep_graph=False):
        _check_graphs("CUDAGraph")
        if keep_graph:
            raise NotImplementedError("Paddle gives no access to the graph that is recorded")
        self._graph = self._pool = None

    def capture_begin(self, pool=None, capture_error_mode="global"):
        self._pool = graph_pool_handle() if pool is None else pool
        self._graph = graphs.CUDAGraph(mode=capture_error_mode, pool_id=self._pool)
        self._graph.capture_begin()

    def capture_end(self):
        self._graph.capture_end()

    def replay(self):
        self._graph.replay()

    def reset(self):
        self._graph.reset()

    def pool(self):
        return self._pool


class graph:
    """Records what is done within it."""

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global"):
        _check_graphs("graph")
        if stream is not None:
            raise NotImplementedError("Paddle records graphs on its own stream")
        self.cuda_graph, self._begin = cuda_graph, (pool, capture_error_mode)

    def __enter__(self):
        paddle.device.synchronize()
        paddle.device.cuda.empty_cache()
        self.cuda_graph.capture_begin(*self._begin)

    def __exit__(self, *raised):
        self.cuda_graph.capture_end()
