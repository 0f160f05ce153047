"""Where a study file lies: network paths are refused, read-only folders are told apart.

SQLite's locks do not hold on network file systems: two programs would damage the file.
"""

import os
from pathlib import Path

from nova_review.domain.errors import StorageError

MOUNT_TABLE = Path("/proc/self/mounts")

NETWORK_FILE_SYSTEMS = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "afs",
        "afpfs",
        "ncpfs",
        "9p",
        "ceph",
        "glusterfs",
        "lustre",
        "beegfs",
        "davfs",
        "davfs2",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.davfs",
        "fuse.gvfsd-fuse",
        "fuse.glusterfs",
        "fuse.ceph",
        "fuse.s3fs",
        "fuse.smbnetfs",
    }
)


def file_system_of(path: Path, mounts: str) -> str:
    """Return the type of the file system that holds the absolute `path`; "" if unknown.

    `mounts` is the text of a mount table (device, mount point, type, ...; spaces as \\040).
    """
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = Path(_unescaped(fields[1]))
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind


def refuse_network_path(path: Path, *, mounts: str | None = None) -> None:
    """Raise StorageError if `path` lies on a network drive; `mounts` replaces the system's own table."""
    # Not Path.resolve(): that raises at a link to itself.
    kind = file_system_of(Path(os.path.realpath(path)), _system_mounts() if mounts is None else mounts)
    if kind in NETWORK_FILE_SYSTEMS or str(path).startswith(("\\\\", "//")):
        raise StorageError(
            f"{path} lies on a network drive ({kind or 'network path'}). "
            "Two programs would damage a study there, because locks do not hold across the network. "
            "Copy the file to a disk of this computer and open it there."
        )


def can_write(path: Path) -> bool:
    """Whether the file (where it exists) and its folder can be written."""
    folder = path.parent
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        return False
    try:
        return not os.statvfs(folder).f_flag & os.ST_RDONLY
    except (AttributeError, OSError):
        return True


def _system_mounts() -> str:
    try:
        return MOUNT_TABLE.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _unescaped(text: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, sign)
    return text
