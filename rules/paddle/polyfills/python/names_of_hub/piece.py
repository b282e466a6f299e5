import urllib.error

HTTPError, URLError = urllib.error.HTTPError, urllib.error.URLError
ENV_GITHUB_TOKEN, ENV_TORCH_HOME, ENV_XDG_CACHE_HOME = "GITHUB_TOKEN", "TORCH_HOME", "XDG_CACHE_HOME"
DEFAULT_CACHE_DIR, MODULE_HUBCONF, READ_DATA_CHUNK = "~/.cache", "hubconf.py", 128 * 1024
