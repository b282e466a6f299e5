import contextlib
import datetime
import fcntl
import json
import socket
import struct
import threading
import time

from .stores import DistNetworkError, DistStoreError, HashStore, Store, _as_bytes

_WAITING = 0.01  # seconds between two looks at a file
_ANSWERED = "set get add append compare_set check delete_key num_keys".split()


class FileStore(Store):
    """In a file, which processes of one machine share: each change reads and writes it as a whole."""

    def __init__(self, file_name, world_size=-1):
        self.path, self._world_size = file_name, world_size

    def clone(self):
        return FileStore(self.path, self._world_size)

    @contextlib.contextmanager
    def _opened(self):
        with open(self.path, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            values = {key: value.encode("latin1") for key, value in json.loads(text).items()} if text else {}
            before = dict(values)
            yield values
            if values != before:
                file.seek(0)
                file.truncate()
                file.write(json.dumps({key: value.decode("latin1") for key, value in values.items()}).encode())

    def set(self, key, value):
        with self._opened() as values:
            values[key] = _as_bytes(value)

    def get(self, key):
        self.wait([key])
        with self._opened() as values:
            return values[key]

    def add(self, key, amount):
        with self._opened() as values:
            values[key] = str(int(values.get(key, b"0")) + amount).encode()
            return int(values[key])

    def append(self, key, value):
        with self._opened() as values:
            values[key] = values.get(key, b"") + _as_bytes(value)

    def compare_set(self, key, expected_value, desired_value):
        expected = _as_bytes(expected_value)
        with self._opened() as values:
            if key not in values and expected:
                return expected
            if values.get(key, b"") == expected:
                values[key] = _as_bytes(desired_value)
            return values.get(key, b"")

    def check(self, keys):
        with self._opened() as values:
            return all(key in values for key in keys)

    def wait(self, keys, timeout=None):
        end = time.monotonic() + (timeout or self._timeout).total_seconds()
        while not self.check(keys):
            if time.monotonic() > end:
                raise RuntimeError("Wait timeout")
            time.sleep(_WAITING)

    def delete_key(self, key):
        with self._opened() as values:
            return values.pop(key, None) is not None

    def num_keys(self):
        with self._opened() as values:
            return len(values)


def _send(connection, message):
    text = json.dumps(message).encode()
    connection.sendall(struct.pack("!I", len(text)) + text)


def _receive(connection):
    size = struct.unpack("!I", _exact_bytes(connection, 4))[0]
    return json.loads(_exact_bytes(connection, size))


def _exact_bytes(connection, count):
    parts = b""
    while len(parts) < count:
        more = connection.recv(count - len(parts))
        if not more:
            raise DistNetworkError("the store closed the connection")
        parts += more
    return parts


def _as_text(value):
    return {"bytes": value.decode("latin1")} if isinstance(value, bytes) else value


def _from_text(value):
    return value["bytes"].encode("latin1") if isinstance(value, dict) else value


class _Server(threading.Thread):
    """Answers the processes, each in a thread of its own, from a store in this one."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.store, self.listener = HashStore(), socket.create_server(("", port))
        self.port = self.listener.getsockname()[1]

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with contextlib.suppress(OSError, DistNetworkError), connection:
            while True:
                name, args = _receive(connection)
                if name not in _ANSWERED:
                    _send(connection, [False, f"a store has no {name}"])
                    continue
                _send(connection, [True, _as_text(getattr(self.store, name)(*map(_from_text, args)))])


class TCPStore(Store):
    """In the process that is the master, which the others ask."""

    def __init__(
        self, host_name, port=0, world_size=None, is_master=False, timeout=datetime.timedelta(seconds=300),
        wait_for_workers=True, multi_tenant=False, master_listen_fd=None, use_libuv=True,
    ):  # fmt: skip
        if master_listen_fd is not None:
            raise NotImplementedError("Under Paddle, a TCPStore listens on a socket of its own")
        self.host, self._timeout, self._lock = host_name, timeout, threading.Lock()
        self._server = _Server(port) if is_master else None
        self.port = self._server.port if is_master else port
        if self._server is not None:
            self._server.start()
        self._connection = self._connected()
        if wait_for_workers and world_size is not None:
            self.add("_workers", 1)
            end = time.monotonic() + timeout.total_seconds()
            while self.add("_workers", 0) < world_size:
                if time.monotonic() > end:
                    raise DistStoreError(f"Timed out waiting for {world_size} clients to join")
                time.sleep(_WAITING)

    def _connected(self):
        end = time.monotonic() + self._timeout.total_seconds()
        while True:
            try:
                return socket.create_connection((self.host, self.port), self._timeout.total_seconds())
            except OSError as error:
                if time.monotonic() > end:
                    said = f"The client socket has timed out after {self._timeout} while trying to connect to"
                    raise DistNetworkError(f"{said} ({self.host}, {self.port})") from error
                time.sleep(_WAITING)

    def _asked(self, name, *args):
        with self._lock:
            _send(self._connection, [name, [_as_text(each) for each in args]])
            done, found = _receive(self._connection)
        if not done:
            raise DistStoreError(found)
        return _from_text(found)

    def clone(self):
        return TCPStore(self.host, self.port, None, False, self._timeout, False)

    def get(self, key):
        self.wait([key])
        return self._asked("get", key)

    def wait(self, keys, timeout=None):
        end = time.monotonic() + (timeout or self._timeout).total_seconds()
        while not self.check(keys):
            if time.monotonic() > end:
                raise DistStoreError(f"wait timeout after {timeout or self._timeout}, keys: {', '.join(keys)}")
            time.sleep(_WAITING)

    def set(self, key, value):
        self._asked("set", key, _as_bytes(value))

    def add(self, key, amount):
        return self._asked("add", key, amount)

    def append(self, key, value):
        self._asked("append", key, _as_bytes(value))

    def compare_set(self, key, expected_value, desired_value):
        return self._asked("compare_set", key, _as_bytes(expected_value), _as_bytes(desired_value))

    def check(self, keys):
        return self._asked("check", list(keys))

    def delete_key(self, key):
        return self._asked("delete_key", key)

    def num_keys(self):
        return self._asked("num_keys")
