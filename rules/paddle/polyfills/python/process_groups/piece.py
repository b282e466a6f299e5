import itertools
import os
import socket
import urllib.parse

import paddle
from paddle.distributed import collective
from paddle.distributed.communication.group import Group, _add_new_group


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
    given = dict(urllib.parse.parse_qsl(place.query))
    rank = _said(rank, given.get("rank"), "RANK")
    size = _said(world_size, given.get("world_size"), "WORLD_SIZE")
    if store is None and place.scheme in ("env", "tcp"):
        host = place.hostname or _said(-1, None, "MASTER_ADDR")
        port = int(place.port or _said(-1, None, "MASTER_PORT"))
    elif int(size) == 1:  # there is nobody to meet
        host, port = "127.0.0.1", _free_port()
    else:
        raise NotImplementedError("processes under Paddle meet at env:// or tcp://host:port")
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
    if int(size) > 1:
        paddle.distributed.init_parallel_env()
        return
    collective._set_default_backend(os.environ["PADDLE_DISTRI_BACKEND"])
    collective._set_default_store(paddle.base.core.create_or_get_global_tcp_store())
    if not gloo:
        paddle.base.core.CommContextManager.set_device_id(int(chosen))
    _group_of_one(0, 0)
    if not paddle.distributed.parallel_helper._is_parallel_ctx_initialized():
        paddle.distributed.parallel_helper._set_parallel_ctx(True)


class _GroupOfOne(Group):
    """Paddle makes none, and takes its process for no member."""

    def is_member(self):
        return True


# Of what Paddle keeps, also after its groups are destroyed; common to all units of a process.
_keys_of_one = vars(collective).setdefault("_porter_keys", itertools.count())


def _group_of_one(rank, number):
    """A group of this process alone, which Paddle finds as it finds others."""
    key = (rank + 1 << 20) + next(_keys_of_one)  # other than any rank's in the common store
    backend = collective._default_backend
    name = f"{collective._default_group_name}{number or ''}"
    made = collective._new_process_group_impl(
        backend, collective._default_store, 0, 1, name, pg_options=None, group_id=key
    )
    group = _GroupOfOne(0, number, [rank], pg=made, name=name)
    collective._group_map_by_name[name] = collective._group_map[number] = group
    collective._group_map_backend[group] = backend
    _add_new_group(group)
    return group


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


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
    ranks = list(everyone if ranks is None else ranks)
    if ranks == [paddle.distributed.get_rank()]:
        return _group_of_one(ranks[0], collective._new_ring_id())
    return paddle.distributed.new_group(ranks)


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
