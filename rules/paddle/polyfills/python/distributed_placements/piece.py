import paddle.distributed

Placement = paddle.distributed.Placement
Replicate = paddle.distributed.Replicate
Shard = paddle.distributed.Shard
Partial = paddle.distributed.Partial


class DeviceMesh(paddle.distributed.ProcessMesh):
    """Processes in an array, of the type of device that they run on."""

    def __init__(self, device_type, mesh, *, mesh_dim_names=None):
        names = None if mesh_dim_names is None else list(mesh_dim_names)
        super().__init__(mesh, names)
        self.device_type = device_type
