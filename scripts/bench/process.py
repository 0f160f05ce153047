"""What a program costs: processor time and memory of a process and all its children, from /proc."""

import os
import signal
import subprocess
import time
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def processor_seconds(pid: int) -> float:
    """Return user and system time of the tree."""
    total = 0
    for one in _tree(pid):
        fields = _stat(one)
        if fields:
            total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def resident_mib(pid: int) -> float:
    """Return the resident memory of the tree in MiB."""
    total = 0
    for one in _tree(pid):
        try:
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
    return total * _PAGE / 2**20


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a program that was started in a session of its own, with all that it started."""
    for kind, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, kind)
        except ProcessLookupError:
            break
        try:
            process.wait(seconds)
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait(5)


def settle(pid: int, *, most_seconds: float) -> None:
    """Wait until the program has been idle for half a second."""
    deadline = time.monotonic() + most_seconds
    before = processor_seconds(pid)
    while time.monotonic() < deadline:
        time.sleep(0.5)
        now = processor_seconds(pid)
        if now - before <= 2 / _TICKS:
            return
        before = now


def _tree(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found.extend(int(child) for child in children.read_text().split())
            except OSError:
                continue  # the thread has ended
    return found


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
