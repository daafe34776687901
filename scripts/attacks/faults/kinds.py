"""The kinds of faults: what happens to calls on files, and what a power failure leaves."""

import errno

# What happens to a call: the text for the shim, and the kinds of calls.
CHANGES = {"open", "write", "truncate", "fsync", "dirsync", "rename", "mkdir"}
CLEANING = {"unlink", "rmdir"}
CALL_FAULTS = {
    "input-output": (f"error {errno.EIO}", CHANGES | CLEANING | {"close"}),
    "no-space": (f"error {errno.ENOSPC}", CHANGES),
    "no-quota": (f"error {errno.EDQUOT}", CHANGES),
    "full-disk": (f"full {errno.ENOSPC}", CHANGES),
    "full-quota": (f"full {errno.EDQUOT}", CHANGES),
    "dead-disk": (f"dead {errno.EIO}", CHANGES | CLEANING),
    "short-write": ("short", {"write"}),
    "short-write-full": (f"short-full {errno.ENOSPC}", {"write"}),
    "kill-before": ("kill-before", CHANGES | CLEANING | {"close"}),
    "kill-within": ("kill-within", {"write"}),
    "kill-after": ("kill-after", CHANGES | CLEANING | {"close"}),
}
POWER, FILE_SYSTEM, FILE_SIZE, READ_ONLY = "power", "file-system", "file-size", "read-only"
FAULTS = [*CALL_FAULTS, POWER, FILE_SYSTEM, FILE_SIZE, READ_ONLY]

# What a power failure does to unflushed changes: to names, and to the content of files.
POWER_MODES = {
    "flushed": ("lost", "lost"), "all": ("kept", "kept"), "names": ("kept", "lost"),
    "zeros": ("kept", "zeros"), "halves": ("kept", "halves"), "content": ("lost", "kept"),
    "mixed-1": ("mixed", "mixed"), "mixed-2": ("mixed", "mixed"), "mixed-3": ("mixed", "mixed"),
}
