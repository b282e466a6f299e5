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

    @property
    def mesh_dim_names(self):
        named = self.dim_names
        return None if named == [f"d{at}" for at in range(self.ndim)] else tuple(named)

    def get_local_rank(self, mesh_dim=None):
        """The place of this process along a dimension."""
        if self.ndim > 1 and mesh_dim is None:
            raise RuntimeError(f"Found the DeviceMesh have {self.ndim} dimensions: `mesh_dim` must be given")
        at = self.dim_names.index(mesh_dim) if isinstance(mesh_dim, str) else mesh_dim or 0
        place = (self.mesh == paddle.distributed.get_rank()).nonzero()
        return int(place[at][0])
