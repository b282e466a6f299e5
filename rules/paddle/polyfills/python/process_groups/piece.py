import os
import urllib.parse

import paddle


class _Groups:
    """What is common to all processes."""

    @property
    def WORLD(self):
        return _world() if paddle.distributed.is_initialized() else None


distributed_group = _Groups()


def _world():
    return paddle.distributed.get_group(0)


def init_process_group(
    backend=None,
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    """Meet the other processes where the arguments or the environment say."""
    if paddle.distributed.is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    place = urllib.parse.urlsplit(init_method or "env://")
    if store is not None or place.scheme not in ("env", "tcp"):
        raise NotImplementedError("processes under Paddle meet at env:// or tcp://host:port")
    given = dict(urllib.parse.parse_qsl(place.query))
    rank = _said(rank, given.get("rank"), "RANK")
    size = _said(world_size, given.get("world_size"), "WORLD_SIZE")
    host = place.hostname or _said(-1, None, "MASTER_ADDR")
    port = int(place.port or _said(-1, None, "MASTER_PORT"))
    each = [f"{host}:{port + 1 + number}" for number in range(int(size))]
    gloo = not paddle.is_compiled_with_cuda() or backend == "gloo"
    os.environ.update(
        PADDLE_MASTER=f"{host}:{port}",
        PADDLE_TRAINER_ID=str(rank),
        PADDLE_TRAINERS_NUM=str(size),
        PADDLE_TRAINER_ENDPOINTS=",".join(each),
        PADDLE_CURRENT_ENDPOINT=each[int(rank)],
        PADDLE_DISTRI_BACKEND="gloo" if gloo else "nccl",
    )
    if not gloo:
        chosen = os.environ.get("LOCAL_RANK") or paddle.device.get_device().rpartition(":")[2]
        os.environ.setdefault("FLAGS_selected_gpus", chosen)
    paddle.distributed.init_parallel_env()


def _said(argument, of_method, variable):
    found = argument if argument != -1 else of_method or os.environ.get(variable)
    if found is None:
        raise ValueError(f"environment variable {variable} expected, but not set")
    return found


def new_group(
    ranks=None,
    timeout=None,
    backend=None,
    pg_options=None,
    use_local_synchronization=False,
    group_desc=None,
    device_id=None,
):
    """A group of some of the processes, or of all."""
    everyone = range(paddle.distributed.get_world_size())
    return paddle.distributed.new_group(list(everyone if ranks is None else ranks))


def get_backend(group=None):
    return paddle.distributed.get_backend(group).lower()


def get_process_group_ranks(group):
    return list((group or _world()).ranks)


def get_global_rank(group, group_rank):
    return group.ranks[group_rank]


def get_group_rank(group, global_rank):
    if global_rank not in group.ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return group.ranks.index(global_rank)


def is_gloo_available():
    return True


def is_nccl_available():
    return paddle.is_compiled_with_cuda()
