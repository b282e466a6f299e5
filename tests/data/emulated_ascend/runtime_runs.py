"""The emulated ACL runtime by its C functions: lines of what each gave. Arguments: its library."""

import ctypes
import sys

acl = ctypes.CDLL(sys.argv[1])
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
SIZE = 100


def memory(size=SIZE):
    p = ctypes.c_void_p()
    assert acl.aclrtMalloc(ctypes.byref(p), ctypes.c_size_t(size), 0) == 0
    return p


def handle(make, *rest):
    p = ctypes.c_void_p()
    assert make(ctypes.byref(p), *rest) == 0
    return p


def copy(to, origin, size=SIZE, room=None):
    room = size if room is None else room
    return acl.aclrtMemcpy(to, ctypes.c_size_t(room), origin, ctypes.c_size_t(size), 0)


def copy_async(to, origin, stream):
    size = ctypes.c_size_t(SIZE)
    assert acl.aclrtMemcpyAsync(to, size, origin, size, 0, stream) == 0


def say(name, error=0):
    message = acl.aclGetRecentErrMsg()
    print(f"{name}: {error} {message.decode() if message else ''}".strip())


text = ctypes.create_string_buffer(b"x" * SIZE, SIZE)
back = ctypes.create_string_buffer(SIZE)

p = memory()
assert copy(back, p) == 0 and back.raw == b"\xff" * SIZE, "never written: NaN"
say("to the device", copy(p, text))
say("more than there is room for", copy(p, text, SIZE, SIZE - 1))
say("past the end", copy(ctypes.c_void_p(p.value + 1), text))
say("free", acl.aclrtFree(p))
assert ctypes.string_at(p, SIZE) == b"\xff" * SIZE, "freed: NaN"
say("freed", copy(back, p))
say("free again", acl.aclrtFree(p))
say("free of the host's", acl.aclrtFree(text))
say("another device", acl.aclrtSetDevice(1))
say("an operator", acl.aclopCompileAndExecute(b"Add"))
say("waited for", acl.aclrtSynchronizeDevice())
acl.aclrtResetDevice(0)
say("pages", acl.aclrtMallocPhysical())

p = memory()
ctypes.memset(p.value + SIZE, 1, 1)
acl.aclrtFree(p)
say("written past the end", acl.aclrtSynchronizeDevice())
say("a fault stays", acl.aclrtSynchronizeDevice())
acl.aclrtResetDevice(0)
say("until a reset", acl.aclrtSynchronizeDevice())

one, other = handle(acl.aclrtCreateStream), handle(acl.aclrtCreateStream)
event = handle(acl.aclrtCreateEventWithFlag, 0)


def read():
    """What a copy to `back` in one stream gave so far, which is all when streams are not late."""
    return "written" if back.raw == text.raw else "not yet"


def again():
    acl.aclrtSynchronizeDevice()
    ctypes.memset(back, 0, SIZE)
    copy_async(back, text, one)


again()
say(f"without waiting {read()}")
again()
acl.aclrtSynchronizeStream(other)
say(f"another stream {read()}")
again()
acl.aclrtSynchronizeStream(one)
say(f"its stream {read()}")
again()
acl.aclrtRecordEvent(event, one)
acl.aclrtStreamWaitEvent(other, event)
acl.aclrtSynchronizeStream(other)
say(f"by an event {read()}")
acl.aclrtRecordEvent(event, one)
acl.aclrtSynchronizeDevice()
ctypes.memset(back, 0, SIZE)
acl.aclrtRecordEvent(event, one)
copy_async(back, text, one)
acl.aclrtSynchronizeEvent(event)
say(f"by an event before {read()}")
again()
acl.aclrtSynchronizeDevice()
say(f"the device {read()}")
again()
acl.aclrtDestroyStream(one)
say(f"destroyed {read()}")
say("a stream that is gone", acl.aclrtSynchronizeStream(one))
