"""The filter answers every system call as its profile says, and a process shuts itself in with it."""

from __future__ import annotations

import errno
import os
import struct
import sys

import pytest

from harness.players import lockdown
from harness.players.lockdown import landlock, limits, profiles, seccomp
from harness.players.lockdown.syscalls import MACHINE, NUMBERS

pytestmark = pytest.mark.skipif(not NUMBERS, reason="this machine's system calls are not known")
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}.get(MACHINE, 0)
ALLOW, ENOSYS, EPERM = "allow", errno.ENOSYS, errno.EPERM
MINE = 4711
PROFILES = [(profiles.SEAT, profiles.PROGRAM), (profiles.SEAT_WITHOUT_FILES, profiles.PROGRAM)]
"""What is shut in beside each other."""


def answer(profile: profiles.Profile, number: int, *arguments: int, arch: int = ARCH) -> str | int:
    """What a player of the profile is told: the stricter of what both parts of its filter say."""
    kinds = next(kind for kind in PROFILES if profile in kind)
    said = [
        of_one(filtered, number, *arguments, arch=arch)
        for filtered in (seccomp.shared(*kinds), seccomp.own(profile, *kinds))
    ]
    return "kill" if "kill" in said else next((one for one in said if one != ALLOW), ALLOW)


def of_one(filtered: seccomp.Filter, number: int, *arguments: int, arch: int = ARCH) -> str | int:
    """What one filter says to a call: a small machine for the BPF that it is made of."""
    code = bytearray(filtered.code)
    for place in filtered.own_pid:
        struct.pack_into("I", code, place, MINE)
    data = struct.pack("IIQ6Q", number, arch, 0, *[*arguments, 0, 0, 0, 0, 0, 0][:6])
    at = held = 0
    for _ in range(len(code)):
        step, true, false, value = struct.unpack_from("HBBI", code, 8 * at)
        at += 1
        if step == 0x20:
            held = int(struct.unpack_from("I", data, value)[0])
        elif step == 0x05:
            at += value
        elif step == 0x06:
            words = {0x7FFF0000: "allow", 0x80000000: "kill"}
            return words[value] if value in words else int(value & 0xFFFF)
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[step]
            at += true if holds else false
    raise AssertionError("the filter does not end")


@pytest.mark.parametrize("profile", [profiles.SEAT, profiles.SEAT_WITHOUT_FILES, profiles.PROGRAM])
def test_every_call_has_the_answer_of_its_profile(profile: profiles.Profile) -> None:
    special = {"open", "openat", "fcntl", "ioctl", "kill", "tgkill", "prlimit64", "clone"}
    special |= {"prctl", "mmap", "sched_setaffinity", "sched_getaffinity", "sched_getparam"}
    special |= {"sched_getscheduler", "getpriority", "getpgid", "getsid"}
    special |= {"clock_gettime", "clock_getres", "clock_nanosleep"}
    allowed = profiles.PLAIN | profile.more | ({"execve"} if profile.executes else set())
    names = {number: name for name, number in NUMBERS.items()}
    for number in range(1000):
        name = names.get(number, "")
        if name in special:
            continue
        expected = ALLOW if name in allowed else EPERM if name in profiles.REFUSED else ENOSYS
        assert answer(profile, number) == expected, name


def test_arguments_decide_where_a_call_can_do_good_and_harm() -> None:
    seat, program = profiles.SEAT, profiles.PROGRAM

    def said(name: str, *arguments: int, by: profiles.Profile = seat) -> str | int:
        return answer(by, NUMBERS[name], *arguments)

    assert said("openat", 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_TMPFILE | os.O_RDWR):
        assert said("openat", 0, 0, flags) == errno.EROFS
    assert said("openat", by=profiles.SEAT_WITHOUT_FILES) == errno.EACCES
    assert [
        said("kill", MINE, 9),
        said("kill", MINE + 1, 9),
        said("kill", 2**32 - 1, 9),
        said("kill", 0, 9),
    ] == [
        ALLOW,
        EPERM,
        EPERM,
        EPERM,
    ]
    assert [said("tgkill", MINE, 1), said("tgkill", 1, 1)] == [ALLOW, EPERM]
    assert [said("prlimit64", 0, 7), said("prlimit64", 1, 7)] == [ALLOW, EPERM]
    assert said("prlimit64", 0, 7, 1 << 40) == EPERM
    assert [said("clone", 0x10000), said("clone", 0x10000, by=program), said("clone", by=program)] == [
        EPERM,
        ALLOW,
        EPERM,
    ]
    assert [said("fcntl", 1, 1), said("fcntl", 1, 8), said("ioctl", 1, 0x5401), said("ioctl", 1, 0x5412)] == [
        ALLOW,
        EPERM,
        ALLOW,
        errno.ENOTTY,
    ]


def test_a_program_can_neither_outlive_the_match_nor_move_another_process() -> None:
    program = profiles.PROGRAM
    die_with_parent, dumpable, reaper, name = 1, 4, 36, 15

    def said(call: str, *arguments: int) -> str | int:
        return answer(program, NUMBERS[call], *arguments)

    assert [said("prctl", option) for option in (die_with_parent, dumpable, reaper)] == [EPERM] * 3
    assert said("prctl", name) == ALLOW
    assert [said("sched_setaffinity", 0), said("sched_setaffinity", MINE + 1)] == [ALLOW, EPERM]
    for call in ("prctl", "sched_setaffinity"):
        assert answer(profiles.SEAT, NUMBERS[call]) == EPERM


@pytest.mark.parametrize("profile", [profiles.SEAT, profiles.SEAT_WITHOUT_FILES, profiles.PROGRAM])
def test_only_ones_own_process_can_be_asked_about(profile: profiles.Profile) -> None:
    def said(call: str, *arguments: int) -> str | int:
        return answer(profile, NUMBERS[call], *arguments)

    for call in ("getpgid", "getsid", "sched_getaffinity"):
        refused = errno.ENOSYS if profile.threads and call == "sched_getaffinity" else EPERM
        assert [said(call, 0), said(call, MINE), said(call, MINE + 1)] == [ALLOW, ALLOW, refused]
    for call in ("sched_getparam", "sched_getscheduler"):  # of their threads
        assert said(call, MINE + 1) == (ALLOW if profile.threads else EPERM)
    assert said("getpriority", 0, MINE + 1) == (ALLOW if profile.threads else EPERM)
    assert said("getpriority", 0, 0) == ALLOW


@pytest.mark.parametrize("call", ["clock_gettime", "clock_getres", "clock_nanosleep"])
def test_the_cpu_clock_of_another_process_cannot_be_read(call: str) -> None:
    def said(clock: int) -> str | int:
        return answer(profiles.SEAT, NUMBERS[call], clock % 2**32)

    assert {said(clock) for clock in range(12)} == {ALLOW}  # CLOCK_REALTIME and so on
    for kind in range(3):  # in user mode and in the kernel's, in user mode, as scheduled
        assert said((~0 << 3) | kind) == ALLOW
        assert said((~MINE << 3) | kind | 4) == ALLOW  # of a thread: the kernel looks whose it is
        assert said((~1 << 3) | kind) == said((~(MINE + 1) << 3) | kind) == errno.EINVAL


def test_memory_is_not_shared_without_a_file() -> None:
    shared, private, anonymous, growing = 1, 2, 32, 256

    def said(flags: int, by: profiles.Profile) -> str | int:
        return answer(by, NUMBERS["mmap"], 0, 4096, 3, flags)

    for profile in (profiles.SEAT, profiles.SEAT_WITHOUT_FILES, profiles.PROGRAM):
        assert said(private | anonymous, profile) == said(private, profile) == ALLOW
        assert said(shared | anonymous, profile) == said(shared | private | anonymous, profile) == EPERM
    assert [said(shared, by) for by in (profiles.SEAT, profiles.PROGRAM)] == [ALLOW, EPERM]
    assert said(private | growing, profiles.PROGRAM) == EPERM


def test_other_interfaces_to_the_same_calls_end_the_process() -> None:
    seat = profiles.SEAT
    assert answer(seat, NUMBERS["getpid"], arch=0x40000003) == "kill"
    if MACHINE == "x86_64":
        assert answer(seat, 0x40000000 | NUMBERS["openat"]) == "kill"


def test_a_process_that_has_shut_itself_in_can_do_no_harm_and_go_on() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        grants = landlock.grants([os.path.dirname(os.__file__)])  # noqa: PTH120 - as short as it gets
        rules = landlock.ruleset(grants)
        restrict = None if rules is None else landlock.restrict(rules)
        kinds = profiles.SEAT, profiles.PROGRAM
        lockdown.prepare(seccomp.shared(*kinds))
        lockdown.Door(seccomp.own(profiles.SEAT, *kinds)).shut(
            limits.address_space() + (64 << 20), None, restrict
        )
        got = []
        for attempt in (
            lambda: os.open("/etc/passwd", os.O_RDONLY),
            lambda: os.open("/tmp/x", os.O_WRONLY | os.O_CREAT),
            os.fork,
            lambda: os.kill(os.getppid(), 0),
            lambda: bytearray(1 << 28),
            lambda: os.execv(sys.executable, ["python"]),
        ):
            try:
                attempt()
                got.append("done")
            except BaseException as error:  # noqa: BLE001 - its name is what is looked at
                got.append(type(error).__name__)
        os.write(write, " ".join(got).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answers:
        said = answers.read().split()
    assert os.waitpid(child, 0)[1] == 0
    files = "PermissionError" if landlock.abi() else "done"
    assert said == [files, "OSError", "PermissionError", "PermissionError", "MemoryError", "PermissionError"]
