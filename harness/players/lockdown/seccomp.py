"""seccomp: the system calls that a process may still make, as a filter that the kernel runs on each.

An allowlist: what a bot has no use for answers EPERM, so that Python says why, and what is not named at
all ENOSYS, as an older kernel would, so that C libraries fall back on what they did before. The filter is
classic BPF (`man 2 seccomp`, linux/filter.h, linux/seccomp.h). It looks at numbers only, never at memory,
which another thread could change after the look.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from harness.players.lockdown.syscalls import MACHINE, NUMBERS, syscall

_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_FARTHEST: Final = 200
"""Comparisons that share a return: a jump goes at most 255 instructions ahead."""
_X32: Final = 0x40000000
"""Numbers from here on are the x32 interface of x86_64: the same calls by other names."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN: Final = _names(
    """
    read write readv writev pread64 pwrite64 close close_range fstat newfstatat stat lstat statx lseek
    mmap mprotect munmap mremap madvise brk mlock munlock membarrier get_mempolicy
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending sigaltstack pause restart_syscall
    getitimer setitimer alarm clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
    futex set_robust_list rseq set_tid_address arch_prctl sched_yield sched_getaffinity sched_getparam
    sched_getscheduler getcpu getpriority getrusage getrlimit sysinfo uname exit exit_group
    getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid
    umask getrandom access faccessat faccessat2 readlink readlinkat getdents64 getcwd chdir fchdir getxattr
    statfs fstatfs ftruncate fsync fdatasync fadvise64 dup dup2 dup3 pipe pipe2 eventfd2
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    """
)
"""Allowed whatever their arguments: they touch nothing but the process itself and what is open."""
REFUSED: Final = _names(
    """
    socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg
    fork vfork execve execveat ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd
    pidfd_send_signal setsid setpgid sched_setaffinity sched_setscheduler sched_setattr setpriority
    memfd_create shmget shmat msgget semget mq_open unshare setns mount umount2 chroot pivot_root
    io_uring_setup io_uring_enter bpf perf_event_open userfaultfd keyctl add_key request_key flock
    mkdir mkdirat unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat truncate chmod
    fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat creat mknod mknodat setxattr
    fsetxattr inotify_init1 fanotify_init personality prctl setuid setgid setreuid setregid setresuid
    setresgid setgroups capset tkill rt_sigqueueinfo rt_tgsigqueueinfo timer_create setrlimit process_madvise
    kcmp seccomp
    """
)
"""Refused with EPERM, so that a bot's traceback names what it tried."""
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FCNTL: Final = (0, 1, 2, 3, 4, 1030)  # F_DUPFD, the flags' F_GETFD to F_SETFL, F_DUPFD_CLOEXEC
_IOCTL: Final = (
    0x5401,
    0x5413,
    0x541B,
    0x5421,
    0x5450,
    0x5451,
)  # is it a terminal, how wide, bytes waiting, flags
_SHARED: Final = 0x00000001 | 0x00000100  # MAP_SHARED, MAP_GROWSDOWN
_THREAD: Final = 0x00010000  # CLONE_THREAD


class Profile(NamedTuple):
    """What a kind of player may do beyond computing."""

    opens: bool = True
    """Open files for reading (which ones, Landlock and the private root say); else no file at all."""
    threads: bool = False
    """Start threads; never processes."""
    executes: bool = False
    """Start another program in its own place."""
    shares: bool = True
    """Map memory that is shared or grows by itself, which RLIMIT_DATA does not count."""
    more: frozenset[str] = frozenset()
    """System calls allowed whatever their arguments, beside PLAIN."""


SEAT: Final = Profile()
"""A Python bot in the interpreter that forked for it."""
SEAT_WITHOUT_FILES: Final = Profile(opens=False)
"""The same where nothing else keeps it from other people's files."""
PROGRAM: Final = Profile(
    threads=True,
    executes=True,
    shares=False,
    more=_names("prctl sched_setaffinity getsockopt socketpair timerfd_create timerfd_settime sched_getattr"),
)
"""A launcher about to become a bot in another language. It can start again, as itself only: Landlock
names the files that may be executed."""


class Filter(NamedTuple):
    """A filter, all but the process that it is for."""

    code: bytes
    own_pid: tuple[int, ...]
    """Offsets in `code` of the process's own number."""

    def install(self) -> None:
        """Put it over this process, for good; wants no_new_privs. Raises OSError."""
        code = ctypes.create_string_buffer(self.code, len(self.code))
        for place in self.own_pid:
            struct.pack_into("I", code, place, os.getpid())
        program = _Program(len(self.code) // 8, ctypes.cast(code, ctypes.c_void_p))
        syscall("seccomp", 1, 0, ctypes.byref(program))


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def available() -> bool:
    """Whether this kernel takes filters and this machine's calls are known."""
    if MACHINE not in _AUDIT_ARCH:
        return False
    try:
        syscall("seccomp", 2, 0, ctypes.byref(ctypes.c_uint32(_KILL)))  # SECCOMP_GET_ACTION_AVAIL
    except OSError:
        return False
    return True


def build(profile: Profile = SEAT) -> Filter:
    """The filter of a profile; about a third of a millisecond, so it is made once, before any bot runs."""
    return _Builder().program(profile)


class _Builder:
    """Writes BPF: 8 bytes an instruction, jumps counted from the next one."""

    def __init__(self) -> None:
        self.code: list[bytes] = []
        self.own_pid: list[int] = []

    def program(self, profile: Profile) -> Filter:
        self.add(_LOAD, 4)  # the architecture
        self.add(_EQUAL, _AUDIT_ARCH[MACHINE], 1, 0)
        self.add(_RETURN, _KILL)
        self.add(_LOAD, 0)  # the call's number
        if MACHINE == "x86_64":
            self.add(_AT_LEAST, _X32, 0, 1)
            self.add(_RETURN, _KILL)
        allowed = PLAIN | profile.more
        if profile.executes:
            allowed |= {"execve"}
        if not profile.shares:
            allowed -= {"mmap"}
            self.on("mmap", self.mapping)
        self.all_of(allowed, _ALLOW)
        for name, argument in (("openat", 2), ("open", 1)):
            self.on(name, lambda argument=argument: self.opening(argument, profile.opens))  # type: ignore[misc]  # bound here
        self.on("fcntl", lambda: self.one_of(1, _FCNTL, errno.EPERM))
        self.on("ioctl", lambda: self.one_of(1, _IOCTL, errno.ENOTTY))
        self.on("kill", self.only_itself)
        self.on("tgkill", self.only_itself)
        self.on("prlimit64", self.only_reading_limits)
        self.on("clone", lambda: self.cloning(threads=profile.threads))
        self.all_of(REFUSED - allowed, _ERRNO | errno.EPERM)
        self.refuse(errno.ENOSYS)  # clone3, openat2 and whatever the next kernel brings
        return Filter(b"".join(self.code), tuple(self.own_pid))

    def add(self, code: int, value: int, true: int = 0, false: int = 0) -> None:
        self.code.append(struct.pack("HBBI", code, true, false, value))

    def refuse(self, error: int) -> None:
        self.add(_RETURN, _ERRNO | error)

    def argument(self, number: int, *, high: bool = False) -> None:
        self.add(_LOAD, 16 + 8 * number + (4 if high else 0))

    def all_of(self, names: Iterable[str], answer: int) -> None:
        """The same answer to every one of `names`: a comparison each, and one return after them."""
        numbers = sorted(NUMBERS[name] for name in names if name in NUMBERS)
        for start in range(0, len(numbers), _FARTHEST):
            group = numbers[start : start + _FARTHEST]
            for place, number in enumerate(group):
                last = place == len(group) - 1
                self.add(_EQUAL, number, len(group) - 1 - place, 1 if last else 0)
            self.add(_RETURN, answer)

    def on(self, name: str, body: Callable[[], None]) -> None:
        """What to do about the call `name`, where this machine has it; `body` ends with a return."""
        if name not in NUMBERS:
            return
        place = len(self.code)
        self.code.append(b"")
        body()
        self.code[place] = struct.pack("HBBI", _EQUAL, 0, len(self.code) - place - 1, NUMBERS[name])

    def opening(self, flags: int, opens: bool) -> None:
        if not opens:
            self.refuse(errno.EACCES)
            return
        self.argument(flags)
        self.add(_ANY_BIT, _WRITING, 0, 1)
        self.refuse(errno.EROFS)
        self.add(_RETURN, _ALLOW)

    def mapping(self) -> None:
        self.argument(3)
        self.add(_ANY_BIT, _SHARED, 0, 1)
        self.refuse(errno.EPERM)
        self.add(_RETURN, _ALLOW)

    def one_of(self, argument: int, values: Iterable[int], error: int) -> None:
        self.argument(argument)
        for value in values:
            self.add(_EQUAL, value, 0, 1)
            self.add(_RETURN, _ALLOW)
        self.refuse(error)

    def only_itself(self) -> None:
        self.argument(0)
        self.own_pid.append(8 * len(self.code) + 4)
        self.add(_EQUAL, 0, 0, 1)
        self.add(_RETURN, _ALLOW)
        self.refuse(errno.EPERM)

    def only_reading_limits(self) -> None:
        """prlimit64(0, resource, NULL, old): asking for one's own."""
        for argument, high in ((0, False), (2, False), (2, True)):
            self.argument(argument, high=high)
            self.add(_EQUAL, 0, 1, 0)
            self.refuse(errno.EPERM)
        self.add(_RETURN, _ALLOW)

    def cloning(self, *, threads: bool) -> None:
        if threads:
            self.argument(0)
            self.add(_ANY_BIT, _THREAD, 0, 1)
            self.add(_RETURN, _ALLOW)
        self.refuse(errno.EPERM)
