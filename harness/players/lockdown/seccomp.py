"""seccomp: the system calls that a process may still make, as a filter that the kernel runs on each.

An allowlist: what a bot has no use for answers EPERM, so that Python says why, and what is not named at
all ENOSYS, as an older kernel would, so that C libraries fall back on what they did before. The filter is
classic BPF (`man 2 seccomp`, linux/filter.h, linux/seccomp.h). It looks at numbers only, never at memory,
which another thread could change after the look.

It comes in two parts, since the kernel takes a tenth of a millisecond to compile a hundred steps. What all
players are answered alike is put once over the process that forks them, and stays over its children; each
of them adds the rest. The kernel asks both and does the stricter.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from harness.players.lockdown.profiles import PLAIN, REFUSED, STARTING, Profile
from harness.players.lockdown.syscalls import MACHINE, NUMBERS, Call, syscall

_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000
_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_FARTHEST: Final = 255
"""How far a conditional jump goes."""
_X32: Final = 0x40000000
"""Numbers from here on are the x32 interface of x86_64: the same calls by other names."""
_ASKING_OF: Final = {"sched_getaffinity": 0, "sched_getparam": 0, "sched_getscheduler": 0, "getpriority": 1}
"""Calls that ask about a process or thread, with the argument that says which."""
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
_PRCTL: Final = (15, 16, 23, 39, 0x53564D41)
"""Names of threads and of memory, and what the process may do: what runtimes ask. Not that it may outlive its
parent, nor that others may look into it."""
_SHARED: Final = 0x00000001
_GROWING: Final = 0x00000100
_ANONYMOUS: Final = 0x00000020
"""Flags of mmap."""
_OTHERS_CLOCK: Final = 0x80000000
"""Clocks from here on are of a process or thread: its number upside down, then three bits."""
_THREADS_CLOCK: Final = 4
_OWN_CLOCK: Final = 0xFFFFFFF8
"""From here on, of the process that asks, by the number 0."""
_THREAD: Final = 0x00010000  # CLONE_THREAD


class Filter(NamedTuple):
    """A filter, all but the process that it is for."""

    code: bytes
    own_pid: tuple[int, ...]
    """Offsets in `code` of the process's own number."""


class Installer:
    """A filter ready to be installed in children of this process."""

    def __init__(self, chosen: Filter) -> None:
        self._code = ctypes.create_string_buffer(chosen.code, len(chosen.code))
        self._own_pid = chosen.own_pid
        self._program = _Program(len(chosen.code) // 8, ctypes.cast(self._code, ctypes.c_void_p))
        self._install = Call("seccomp", 1, 0, ctypes.byref(self._program))

    def __call__(self) -> None:
        """Put it over this process, for good; wants no_new_privs. Raises OSError."""
        own = os.getpid()
        for place in self._own_pid:
            struct.pack_into("I", self._code, place, own)
        self._install()


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


def shared(*profiles: Profile) -> Filter:
    """The part that is over players of all these profiles, and over the process that forks them."""
    answers = _alike(profiles)
    answers |= dict.fromkeys(_named(profiles) - answers.keys(), _ALLOWED)
    segments = _segments(answers, _UNKNOWN)
    if MACHINE == "x86_64":
        segments.append((_X32, (_Step(_RETURN, _KILL),)))
    architecture = (
        _Step(_LOAD, 4),
        _Step(_EQUAL, _AUDIT_ARCH[MACHINE], 1, 0),
        _Step(_RETURN, _KILL),
    )
    return _filter([*architecture, _Step(_LOAD, 0), *_search(segments)])


def own(profile: Profile, *profiles: Profile) -> Filter:
    """The part that a player of a profile adds to what is `shared` with `profiles`, its own among them."""
    answers, alike = _answers(profile), _alike(profiles)
    rest = {number: answers.get(number, _UNKNOWN) for number in _named(profiles) - alike.keys()}
    return _filter([_Step(_LOAD, 0), *_search(_segments(rest, _ALLOWED))])


def _named(profiles: Iterable[Profile]) -> set[int]:
    """The numbers of all calls that are named anywhere."""
    found = {NUMBERS[name] for name in STARTING if name in NUMBERS}
    return found.union(*map(_answers, profiles))


def _alike(profiles: Iterable[Profile]) -> dict[int, _Answer]:
    """The answers that all profiles give alike, but for what is needed to start and for one's own number."""
    every = [_answers(profile) for profile in profiles]
    free = {NUMBERS.get(name) for name in STARTING}
    return {
        number: answer
        for number, answer in every[0].items()
        if number not in free
        and not any(step.own_pid for step in answer)
        and all(other.get(number) == answer for other in every)
    }


def _filter(code: Sequence[_Step]) -> Filter:
    packed = b"".join(struct.pack("HBBI", s.code, s.true, s.false, s.value) for s in code)
    return Filter(packed, tuple(8 * place + 4 for place, step in enumerate(code) if step.own_pid))


class _Step(NamedTuple):
    """One instruction; jumps are counted from the next one."""

    code: int
    value: int
    true: int = 0
    false: int = 0
    own_pid: bool = False
    """Whether the value is to be the number of the process that is shut in."""


_Answer = tuple[_Step, ...]
"""What to do about a call, from the look at its arguments to the return."""


def _refused(error: int) -> _Answer:
    return (_Step(_RETURN, _ERRNO | error),)


_ALLOWED: Final[_Answer] = (_Step(_RETURN, _ALLOW),)
_UNKNOWN: Final = _refused(errno.ENOSYS)  # clone3, openat2 and whatever the next kernel brings


def _answers(profile: Profile) -> dict[int, _Answer]:
    """What to do about every call that is named, by number."""
    allowed = PLAIN | profile.more | ({"execve"} if profile.executes else set())
    by_name: dict[str, _Answer] = dict.fromkeys(REFUSED, _refused(errno.EPERM))
    by_name |= {
        "open": _opening(1, profile),
        "openat": _opening(2, profile),
        "fcntl": _one_of(1, _FCNTL, errno.EPERM),
        "ioctl": _one_of(1, _IOCTL, errno.ENOTTY),
        **dict.fromkeys(("kill", "tgkill"), _only_itself()),
        **dict.fromkeys(("getpgid", "getsid"), _of_itself(0, errno.EPERM)),
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), _own_clock()),
        # glibc asks for that of a thread when it starts one, and does without.
        **{
            name: _of_itself(argument, errno.ENOSYS if profile.threads else errno.EPERM)
            for name, argument in _ASKING_OF.items()
        },
        "mmap": _mapping(profile),
        "prlimit64": _only_reading_limits(),
        "clone": _cloning(profile),
        "prctl": _one_of(0, _PRCTL if profile.threads else (), errno.EPERM),
        # Of a thread other than the caller's nobody can say here whose it is.
        "sched_setaffinity": _one_of(0, (0,) if profile.threads else (), errno.EPERM),
    }
    by_name |= dict.fromkeys(allowed, _ALLOWED)
    return {NUMBERS[name]: answer for name, answer in by_name.items() if name in NUMBERS}


def _segments(answers: Mapping[int, _Answer], otherwise: _Answer) -> list[tuple[int, _Answer]]:
    """The same as stretches of numbers with one answer, each by its first, ascending from 0."""
    found: list[tuple[int, _Answer]] = []
    for number in range(max(answers) + 2):
        answer = answers.get(number, otherwise)
        if not found or found[-1][1] != answer:
            found.append((number, answer))
    return found


def _search(segments: list[tuple[int, _Answer]]) -> list[_Step]:
    """Find the number's stretch by halving: when a filter is installed the kernel tries it on every number,
    and one comparison after another took it many times as long.
    """
    if len(segments) == 1:
        return list(segments[0][1])
    middle = len(segments) // 2
    below, above = _search(segments[:middle]), _search(segments[middle:])
    start = segments[middle][0]
    if len(below) <= _FARTHEST:
        return [_Step(_AT_LEAST, start, len(below), 0), *below, *above]
    return [_Step(_AT_LEAST, start, 0, 1), _Step(_JUMP, len(below)), *below, *above]


def _argument(number: int, *, high: bool = False) -> _Step:
    return _Step(_LOAD, 16 + 8 * number + (4 if high else 0))


def _opening(flags: int, profile: Profile) -> _Answer:
    if not profile.opens:
        return _refused(errno.EACCES)
    return (_argument(flags), _Step(_ANY_BIT, _WRITING, 0, 1), *_refused(errno.EROFS), *_ALLOWED)


def _one_of(argument: int, values: Iterable[int], error: int) -> _Answer:
    looks = [step for value in values for step in (_Step(_EQUAL, value, 0, 1), *_ALLOWED)]
    return (_argument(argument), *looks, *_refused(error))


def _only_itself() -> _Answer:
    return (_argument(0), _Step(_EQUAL, 0, 0, 1, own_pid=True), *_ALLOWED, *_refused(errno.EPERM))


def _of_itself(argument: int, error: int) -> _Answer:
    """The number of a process that is asked about: 0, or one's own."""
    return (
        _argument(argument),
        _Step(_EQUAL, 0, 1, 0),
        _Step(_EQUAL, 0, 0, 1, own_pid=True),
        *_ALLOWED,
        *_refused(error),
    )


def _own_clock() -> _Answer:
    """Any clock but the CPU time of another process, by which two seats could tell each other numbers.

    That of another's thread the kernel refuses itself, with the same error.
    """
    return (
        _argument(0),
        _Step(_AT_LEAST, _OTHERS_CLOCK, 0, 2),
        _Step(_ANY_BIT, _THREADS_CLOCK, 1, 0),
        _Step(_AT_LEAST, _OWN_CLOCK, 0, 1),
        *_ALLOWED,
        *_refused(errno.EINVAL),
    )


def _mapping(profile: Profile) -> _Answer:
    """No shared memory without a file, which takes the number of an inode, as pipes do."""
    if not profile.shares:
        return (_argument(3), _Step(_ANY_BIT, _SHARED | _GROWING, 0, 1), *_refused(errno.EPERM), *_ALLOWED)
    return (
        _argument(3),
        _Step(_ANY_BIT, _SHARED, 0, 2),
        _Step(_ANY_BIT, _ANONYMOUS, 0, 1),
        *_refused(errno.EPERM),
        *_ALLOWED,
    )


def _only_reading_limits() -> _Answer:
    """prlimit64(0, resource, NULL, old): asking for one's own."""
    looks: list[_Step] = []
    for argument, high in ((0, False), (2, False), (2, True)):
        looks += [_argument(argument, high=high), _Step(_EQUAL, 0, 1, 0), *_refused(errno.EPERM)]
    return (*looks, *_ALLOWED)


def _cloning(profile: Profile) -> _Answer:
    if not profile.threads:
        return _refused(errno.EPERM)
    return (_argument(0), _Step(_ANY_BIT, _THREAD, 0, 1), *_ALLOWED, *_refused(errno.EPERM))
