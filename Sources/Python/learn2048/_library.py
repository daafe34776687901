"""The C interface of learn2048, which its header learn2048c.h documents."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_float, c_int32, c_int64, c_uint64, c_void_p

import numpy as np

from .errors import raise_status

#: The directory with the library, the program and the model.
NATIVE = os.environ.get("LEARN2048_NATIVE") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "native")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
#: The largest exponent of a board that the library accepts.
LARGEST_EXPONENT = 17


class EnvironmentOptions(ctypes.Structure):
    _fields_ = [("count", c_int64), ("size", c_int32), ("start_tiles", c_int32), ("four_probability", c_double),
                ("illegal_moves", c_int32), ("illegal_reward", c_float), ("automatic_reset", c_int32),
                ("goal_exponent", c_int32), ("threads", c_int32)]


class View(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in
                ("boards", "legal", "rewards", "terminated", "scores", "final_boards")]


class GameResult(ctypes.Structure):
    _fields_ = [("score", c_int64), ("moves", c_int64), ("largest_exponent", c_int32), ("size", c_int32),
                ("four_probability", c_double)]


def _load():
    path = os.path.join(NATIVE, "liblearn2048c.so")
    # OpenBLAS would start a thread per core, and each reserves memory. The library has separate threads.
    is_free = "OPENBLAS_NUM_THREADS" not in os.environ
    if is_free:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"cannot load {path}: {error}. Build a wheel for this machine with scripts/build-wheel.") from None
    finally:
        if is_free:
            del os.environ["OPENBLAS_NUM_THREADS"]
    handle, handles = c_int64, POINTER(c_int64)
    signatures = {
        "start": [c_char_p], "close": [handle], "share": [handle, handles],
        "board": [c_char_p, c_void_p],
        "moves": [c_int32, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_int32],
        "environments_open": [POINTER(EnvironmentOptions), handles],
        "environments_reset": [handle, c_int64, c_void_p, c_void_p, c_void_p, POINTER(View)],
        "environments_step": [handle, c_int64, c_void_p, POINTER(View)],
        "environments_sample": [handle, c_int64, c_void_p],
        "network_load": [c_char_p, handles], "network_create": [c_char_p, handles],
        "network_describe": [handle], "network_save": [handle, c_char_p],
        "network_values": [handle, c_void_p, c_int64, c_void_p, c_int32],
        "network_update": [handle, c_void_p, c_void_p, c_int64, c_double, c_char_p, c_int32],
        "network_weights": [handle, POINTER(c_void_p), handles],
        "player_open": [c_char_p, handle, handles],
        "player_moves": [handle, c_void_p, c_int64, c_void_p, c_void_p, c_int32],
        "player_play": [handle, c_uint64, c_int64, POINTER(GameResult)],
        "player_review": [handle, c_void_p, c_int64, c_int32],
        "game_replay": [c_void_p, c_int64, c_int32, c_double, c_void_p, c_void_p, c_void_p, c_int64,
                        POINTER(GameResult)],
    }
    functions = {}
    for name, arguments in signatures.items():
        function = getattr(library, "learn2048_" + name)
        function.argtypes, function.restype = arguments, c_int32
        functions[name] = function
    library.learn2048_text.argtypes, library.learn2048_text.restype = [POINTER(c_int64)], c_void_p
    return functions, library.learn2048_text


_functions, _text = _load()


def result():
    """The bytes of the last failure or result of this thread."""
    length = c_int64()
    return ctypes.string_at(_text(length), length.value)


def call(name, *arguments):
    """Calls a function of the library without the interpreter lock.

    Raises:
        learn2048.Error: the function failed.
    """
    status = _functions[name](*arguments)
    if status:
        raise_status(status, result().decode("utf-8", "replace"))


def text(value, name):
    """A text as bytes for the library."""
    data = os.fspath(value)
    data = data if isinstance(data, bytes) else data.encode()
    if b"\0" in data:
        raise ValueError(f"{name} has a zero byte")
    return data


class Handle:
    """An object of the library, which is closed with the last reference to it."""

    def __init__(self, name, *arguments):
        number = c_int64()
        call(name, *arguments, number)
        self.number = number.value

    def close(self):
        number, self.number = getattr(self, "number", 0), 0
        if number:
            call("close", number)

    def __del__(self):
        # At the end of the interpreter, functions may be gone already.
        if getattr(self, "number", 0) and _functions:
            self.close()


def threads(number):
    """A number of threads: one per core by default."""
    number = CORES if number is None else number
    if not isinstance(number, (int, np.integer)) or not 1 <= number <= 1024:
        raise ValueError(f"threads is {number!r}, not a number from 1 to 1024")
    return int(number)


def address(array):
    """The address of an array that the library reads or writes, or None."""
    return None if array is None else array.ctypes.data


VERSION = None


def start():
    global VERSION
    call("start", text(NATIVE, "path"))
    VERSION = result().decode()


start()
