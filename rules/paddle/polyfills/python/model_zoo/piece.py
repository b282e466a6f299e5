import importlib
import importlib.util
import os
import urllib.parse

from .hub_files import load_state_dict_from_url

load_url = load_state_dict_from_url
model_zoo_load_state_dict_from_url = load_state_dict_from_url
urlparse = urllib.parse.urlparse


def _get_torch_home():
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.environ.get("TORCH_HOME", os.path.join(cache, "torch")))


def _check_module_exists(name):
    return importlib.util.find_spec(name) is not None


class tqdm:
    """The bar of the package of this name; without it a loop goes on with none."""

    def __new__(cls, iterable=(), *args, **kwargs):
        try:
            return importlib.import_module("tqdm").tqdm(iterable, *args, **kwargs)
        except ModuleNotFoundError:
            return super().__new__(cls)

    def __init__(self, iterable=(), *args, **kwargs):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        return None

    set_description = set_postfix = update

    def close(self):
        return None
