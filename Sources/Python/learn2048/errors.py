"""The exceptions of learn2048. Each is also the built-in exception that fits best."""


class Error(Exception):
    """The base class of all errors of the library. Its text names the place and the remedy."""


class UsageError(Error, ValueError):
    """An argument is wrong, or the call asks for something that cannot be done."""


class ClosedError(Error, ValueError):
    """The object is closed."""


class BusyError(Error, RuntimeError):
    """Another thread uses the object."""


class DataError(Error, ValueError):
    """A file is damaged, or has another format."""


class MissingError(Error, FileNotFoundError):
    """A file, model or run does not exist, or cannot be read."""


class FileError(Error, OSError):
    """Writing or reading a file failed."""


class OutOfMemoryError(Error, MemoryError):
    """A network or a table does not fit into memory."""


class TrainingError(Error, RuntimeError):
    """The training program failed.

    Attributes:
        exit_code: its exit code, as in the reference of exit codes.
    """

    def __init__(self, message, exit_code):
        super().__init__(message)
        self.exit_code = exit_code


_KINDS = {1: UsageError, 2: ClosedError, 3: BusyError, 4: DataError, 5: MissingError, 6: FileError,
          7: OutOfMemoryError}


def raise_status(status, message):
    raise _KINDS.get(status, Error)(message)
