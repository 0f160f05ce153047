"""A finished file moved to its place, and never over one that came there in the meantime."""

import errno
import os
from pathlib import Path

# What file systems without hard links (memory sticks, some network drives) answer.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})


def move_to_new(half: Path, file: Path) -> None:
    """Give `half` the name `file`; raises FileExistsError, with nothing changed, if that is there.

    A look before `os.replace` would not do: of two programs that both looked, the second would
    take the place of the first, and both would say that they were done.
    """
    try:
        os.link(half, file)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(file):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from error
        os.rename(half, file)
    else:
        half.unlink()
