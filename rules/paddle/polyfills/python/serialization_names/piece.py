import collections.abc
import os
import typing

import paddle

DEFAULT_PROTOCOL = 2  # of pickle
MAP_LOCATION = typing.Union[collections.abc.Callable, paddle.device.Device, str, dict, None]
FileLike = typing.Union[str, os.PathLike, typing.IO]
