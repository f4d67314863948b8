"""Namespaces and a private root: processes, networks and files of the outside are not even there.

An ordinary user may have them where the kernel lets him make a user namespace (not in Docker's default
profile, nor on Ubuntu 24.04); root needs none for that. `man 7 namespaces`, `man 2 pivot_root`; what
`bwrap` does, for one fixed purpose.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from harness.players.lockdown.syscalls import failed, libc, syscall

_NEWNS: Final = 0x00020000
_OTHERS: Final = 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000  # UTS, IPC, PID, network
_NEWUSER: Final = 0x10000000
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_KEPT: Final = (
    _NODEV | 8 | 1024 | 2048
)  # no programs, no times of access (of folders): as statvfs(3) has them
_DETACH: Final = 2
EMPTY: Final = "/empty"
"""In a private root, a folder with nothing in it."""


def enter(*, files: bool) -> str:
    """Leave the namespaces of the host, also that of mounts with `files`. Returns `root` or `user`.

    The caller must have one thread, and fork once more: only its children are in the new process
    namespace, and the first of them is its process 1, with which all others die. Raises OSError, and may
    then be half inside: try it in a process that can be thrown away.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = _OTHERS | (_NEWNS if files else 0)
    # Without a user namespace root can still hand every seat a user of its own.
    if uid == 0 and libc().unshare(ctypes.c_int(flags)) == 0:
        return "root"
    if libc().unshare(ctypes.c_int(flags | _NEWUSER)) != 0:
        raise failed("unshare")
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
    return "user"


def private_root(base: str, paths: Iterable[str], hidden: Iterable[str] = ()) -> None:
    """Make a root that has `paths`, read-only and where they were, and the folder EMPTY: no /proc, no /tmp.

    Of the folders `hidden` it has only what is also in `paths`.

    `base` is an empty folder; it is needed until this returns. Wants a mount namespace just entered.
    Raises OSError.
    """
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount("tmpfs", base, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=0755")
    covered = set(hidden)
    for path in sorted(covered.union(paths), key=len):
        if path not in covered:
            _show(path, base + path)
        elif Path(base + path).is_dir():
            _mount("tmpfs", base + path, "tmpfs", _NOSUID | _NODEV, "size=64k,mode=0755")
    for path in filter(os.path.isdir, (base + path for path in covered)):
        # Else who lists the folder leaves the time there, to a nanosecond, for all to see.
        _mount(None, path, None, _BIND | _REMOUNT | _RDONLY | _NOSUID | _NODEV)
    Path(base + EMPTY).mkdir(mode=0o555)
    Path(base + "/.old").mkdir()
    syscall("pivot_root", base.encode(), f"{base}/.old".encode())
    os.chdir("/")
    if libc().umount2(b"/.old", ctypes.c_int(_DETACH)) != 0:
        raise failed("umount2")
    Path("/.old").rmdir()
    _mount(None, "/", None, _BIND | _REMOUNT | _RDONLY | _NOSUID | _NODEV)


def cover(paths: Iterable[str]) -> None:
    """Take `paths` out of this process's private root; others keep theirs. Raises OSError."""
    if libc().unshare(ctypes.c_int(_NEWNS)) != 0:
        raise failed("unshare")
    for path in paths:
        if Path(path).is_dir():
            _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV | _RDONLY, "size=4k,mode=0755")
        elif Path(path).exists():
            _mount(os.devnull, path, None, _BIND)


def _show(path: str, target: str) -> None:
    """Have `path` at `target` too, unless it is not there or already seen."""
    if not os.path.lexists(path) or os.path.lexists(target):
        return
    old = os.umask(0o022)
    try:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        if Path(path).is_symlink():
            Path(target).symlink_to(Path(path).readlink())
            return
        if Path(path).is_dir():
            Path(target).mkdir()
        else:
            Path(target).touch()
    finally:
        os.umask(old)
    _mount(path, target, None, _BIND | _REC)
    # In a user namespace flags that the host's mount has cannot be left out, and this may still fail. seccomp
    # and the rights of files stand between a bot and writing there.
    kept = os.statvfs(path).f_flag & _KEPT
    with contextlib.suppress(OSError):
        _mount(None, target, None, _BIND | _REMOUNT | _RDONLY | _NOSUID | kept)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    def raw(text: str | None) -> bytes | None:
        return None if text is None else text.encode()

    if libc().mount(raw(source), raw(target), raw(kind), ctypes.c_ulong(flags), raw(data)) != 0:
        raise failed(f"mount {target}")
