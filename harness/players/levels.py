"""Levels of isolation: which layers make each, which one a bot gets, and how to say so.

docs/isolation.md tells what each level holds back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

NONE: Final = "none"
AUTO: Final = "auto"
BOUNDED: Final = "bounded"
SAFE: Final = "locked-noopen"
"""The weakest level that keeps a stranger's bot from files and the network: `auto` goes no lower."""


class Layers(NamedTuple):
    """What stands around a seat, beside a process and limits of its own."""

    namespaces: bool = False
    """Namespaces and a private root of files."""
    landlock: bool = False
    seccomp: bool = False
    opens: bool = True
    """Whether seccomp lets it open files at all."""


LEVELS: Final[Mapping[str, Layers]] = {
    BOUNDED: Layers(),
    SAFE: Layers(seccomp=True, opens=False),
    "locked": Layers(landlock=True, seccomp=True),
    "locked-ns": Layers(namespaces=True, seccomp=True),
    "sealed": Layers(namespaces=True, landlock=True, seccomp=True),
}
"""All levels but `none`, from the weakest up."""


class IsolationUnavailable(Exception):
    """This machine cannot isolate bots as asked; the message is one line that says why and what to do."""


class Host(NamedTuple):
    """What a machine offers; each an empty text, or why it is not there."""

    namespaces: str = ""
    landlock: str = ""
    seccomp: str = ""

    def lacks(self, level: str) -> str:
        """Why a level cannot be had; empty where it can."""
        layers = LEVELS[level]
        wanted = (
            (layers.seccomp, self.seccomp),
            (layers.namespaces, self.namespaces),
            (layers.landlock, self.landlock),
        )
        return "; ".join(dict.fromkeys(reason for needed, reason in wanted if needed and reason))

    def best(self) -> str:
        """The strongest level there is; `none` where there is none."""
        return next((level for level in reversed(list(LEVELS)) if not self.lacks(level)), NONE)


def system(platform: str) -> str:
    """What people call a `sys.platform`."""
    return {"darwin": "macOS", "win32": "Windows"}.get(platform, platform)


def elsewhere(platform: str) -> Host:
    """What a system other than Linux offers: limits, and no walls."""
    reason = f"nothing that Croupier knows on {system(platform)} keeps a bot from your files and the network"
    return Host(reason, reason, reason)


def rank(level: str) -> int:
    """0 for `none`, and more for every stronger level."""
    return [NONE, *LEVELS].index(level)


def weakest(levels: Iterable[str]) -> str:
    """The weakest of some levels; `none` where there are none."""
    return min(levels, key=rank, default=NONE)


def choose(wanted: str, host: Host) -> str:
    """The level that a run gets: the one it names, or for `auto` the best; raises IsolationUnavailable."""
    if wanted == NONE:
        return NONE
    if wanted != AUTO:
        if reason := host.lacks(wanted):
            raise IsolationUnavailable(f"isolation: {wanted} cannot be had here: {reason}. {advice(host)}")
        return wanted
    best = host.best()
    if rank(best) < rank(SAFE):
        raise IsolationUnavailable(f"isolation: {host.lacks(SAFE)}. {advice(host)}")
    return best


def advice(host: Host) -> str:
    """What to do where a level cannot be had."""
    best = host.best()
    if rank(best) >= rank(SAFE):
        return f"The best there is: --isolation {best}"
    trusted = "Run only bots that you trust, with --isolation none"
    if best == BOUNDED:
        trusted = f"{trusted} or --isolation {BOUNDED}"
    return f"{trusted}, or run Croupier in Linux (a container or WSL2 will do)"


def remedy(host: Host) -> str:
    """What would make bots' isolation stronger on this machine."""
    steps = []
    if host.namespaces:
        steps.append(
            "allow user namespaces (Docker: a seccomp profile that permits unshare and mount; Ubuntu 24.04: "
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0), or run as root"
        )
    if host.landlock:
        steps.append("a kernel from 5.13 on with Landlock among its `lsm=`")
    if host.seccomp:
        steps.append("a kernel with seccomp filters, on x86_64 or aarch64")
    return "for more: " + "; ".join(steps)


def told(level: str, host: Host) -> str:
    """One line that says what a level holds back here, and why it is not a stronger one."""
    best = "" if level == "sealed" else host.namespaces or host.landlock
    why = f" ({best})" if best else ""
    return {
        NONE: "none: bots play in the workers' own processes",
        BOUNDED: "bounded: time and memory are limited, but bots can read your files and use the network",
        SAFE: f"locked-noopen{why}: bots open no files, so imports outside the preloaded modules fail",
        "locked": f"locked{why}: names and sizes of files outside remain visible to bots",
        "locked-ns": f"locked-ns{why}: bots see a private root of files",
        "sealed": "sealed: own process, private root, no network, no files but its own",
    }[level]
