"""Which system calls each kind of player may make: by name, for `seccomp` to make filters of."""

from __future__ import annotations

from typing import Final, NamedTuple


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN: Final = _names(
    """
    read write readv writev pread64 pwrite64 close close_range fstat newfstatat stat lstat statx lseek
    mprotect munmap mremap madvise brk mlock munlock membarrier get_mempolicy
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending sigaltstack pause restart_syscall
    getitimer setitimer alarm nanosleep gettimeofday time times
    futex set_robust_list rseq set_tid_address arch_prctl sched_yield
    getcpu getrusage getrlimit sysinfo uname exit exit_group
    getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
    umask getrandom access faccessat faccessat2 readlink readlinkat getdents64 getcwd chdir fchdir getxattr
    ftruncate fsync fdatasync dup dup2 dup3 eventfd2
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
    kcmp seccomp pipe pipe2 statfs fstatfs fadvise64
    """
)
"""Refused with EPERM, so that a bot's traceback names what it tried.

Some do no harm but leave a trace by which a seat of a later match can be told what this one saw of the same
cards: pipes use up numbers of inodes, which all files without a name have in turn; what a bot prints takes
room on the disk; what is dropped from the cache of files takes long to read again.
"""

STARTING: Final = _names(
    """
    clone wait4 pidfd_open sendto sendmsg recvfrom recvmsg setpgid prlimit64 setrlimit prctl capset
    setgroups setresuid setresgid unshare mount
    landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp
    """
)
"""What a process needs that forks players, and what they need until they are shut in."""


class Profile(NamedTuple):
    """What a kind of player may do beyond computing."""

    opens: bool = True
    """Open files for reading (which ones, Landlock and the private root say); else no file at all."""
    threads: bool = False
    """Start threads; never processes."""
    executes: bool = False
    """Start another program in its own place."""
    shares: bool = True
    """Map files as shared, and memory that grows by itself, which RLIMIT_DATA does not count."""
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
    more=_names(
        "getsockopt socketpair pipe pipe2 timerfd_create timerfd_settime sched_getattr sched_getparam "
        "sched_getscheduler getpriority"
    ),
)
"""A launcher about to become a bot in another language. It can start again, as itself only: Landlock
names the files that may be executed."""
