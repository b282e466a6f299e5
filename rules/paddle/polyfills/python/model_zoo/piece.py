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
