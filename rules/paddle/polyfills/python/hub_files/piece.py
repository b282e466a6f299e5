import hashlib
import os
import re
import urllib.parse
import urllib.request

from .torchs_meaning import _torch

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")  # at the end of a file's name: how its SHA-256 begins
_hub_folder: list[str] = []


def get_dir():
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.environ.get("TORCH_HOME", os.path.join(cache, "torch"))
    return _hub_folder[-1] if _hub_folder else os.path.join(os.path.expanduser(home), "hub")


def set_dir(d):
    _hub_folder[:] = [os.path.expanduser(d)]


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """Put what a URL gives into a file, if its hash begins as it has to."""
    partial = f"{os.path.expanduser(dst)}.partial"
    with urllib.request.urlopen(url) as source:
        content = source.read()
    found = hashlib.sha256(content).hexdigest()
    if hash_prefix and not found.startswith(hash_prefix):
        raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}")')
    with open(partial, "wb") as file:
        file.write(content)
    os.replace(partial, os.path.expanduser(dst))


def load_state_dict_from_url(
    url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False
):
    folder = os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir
    os.makedirs(folder, exist_ok=True)
    name = file_name or os.path.basename(urllib.parse.urlparse(url).path)
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        found = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, path, found[1] if found else None, progress)
    return _torch("load")(path, map_location=map_location, weights_only=weights_only)
