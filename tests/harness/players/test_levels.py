"""A level is what a machine was found to have; less than what was asked for is refused in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.cli.running import Isolation
from harness.config_values import ISOLATION
from harness.players import levels, probe
from harness.players.levels import Host, IsolationUnavailable, choose
from harness.players.lockdown.syscalls import NUMBERS
from tests.harness.players.seats import FIRST, best, written

ROOT = Path(__file__).parent.parent.parent.parent
DOCKER = Host(namespaces="unshare: Operation not permitted")
OLD = Host(namespaces="unshare: Operation not permitted", landlock="this kernel has no Landlock")
MAC = levels.elsewhere("darwin")


def test_the_command_line_and_the_configs_know_the_same_levels() -> None:
    assert [level.value for level in Isolation] == list(ISOLATION) == ["auto", "none", *levels.LEVELS]


@pytest.mark.parametrize(
    ("host", "best"),
    [
        (Host(), "sealed"),
        (Host(landlock="no"), "locked-ns"),
        (DOCKER, "locked"),
        (OLD, "locked-noopen"),
        (OLD._replace(seccomp="no"), "bounded"),
        (MAC, "bounded"),
    ],
)
def test_auto_takes_the_best_there_is_and_nothing_that_holds_nothing_back(host: Host, best: str) -> None:
    assert host.best() == best
    if levels.rank(best) >= levels.rank("locked-noopen"):
        assert choose("auto", host) == best
    else:
        with pytest.raises(
            IsolationUnavailable, match=r"Run only bots that you trust, with --isolation none"
        ):
            choose("auto", host)
    assert choose("none", host) == "none"


def test_a_level_that_is_named_and_not_there_is_refused_with_the_reason_and_the_next_best() -> None:
    with pytest.raises(IsolationUnavailable) as refused:
        choose("sealed", DOCKER)
    assert str(refused.value) == (
        "isolation: sealed cannot be had here: unshare: Operation not permitted. "
        "The best there is: --isolation locked"
    )
    with pytest.raises(
        IsolationUnavailable,
        match=r"^isolation: sealed cannot be had here: nothing that Croupier knows on macOS",
    ):
        choose("sealed", MAC)
    assert choose("bounded", MAC) == "bounded"
    assert choose("locked", Host()) == "locked"


def test_what_a_seat_could_do_and_must_not_is_seen() -> None:
    everything = dict.fromkeys((probe.READ, probe.WRITE, probe.NETWORK, probe.NAMES), True)
    assert probe.holes("sealed", everything) == list(everything)
    assert probe.holes("locked", everything) == [probe.READ, probe.WRITE, probe.NETWORK]
    assert probe.holes("bounded", everything) == []
    assert all(probe.attempts().values())  # this process is not shut in


REFUSING = """
import ctypes, struct, sys
from harness.players.lockdown.seccomp import Filter, Installer
from harness.players.lockdown.syscalls import NUMBERS, PR_SET_NO_NEW_PRIVS, prctl
prctl(PR_SET_NO_NEW_PRIVS, 1)()
code = struct.pack("HBBI", 0x20, 0, 0, 0)
for name, error in {refused!r}:
    code += struct.pack("HBBI", 0x15, 0, 1, NUMBERS[name]) + struct.pack("HBBI", 0x06, 0, 0, 0x50000 | error)
Installer(Filter(code + struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000), ()))()
"""
PLAYING = """
import json, sys
from pathlib import Path
from harness import submissions
from tests.harness.players.seats import *
it = submissions.at(Path(sys.argv[1]))
with spawner("auto", it) as found:
    record = play(found, it, it)
    print(json.dumps([found.level, list(found.host), found.probed, record.status, found.remark]))
"""


def played(
    folder: Path, before: str = "", user: int | None = None, python: str = sys.executable
) -> tuple[str, list[str], dict[str, bool], str, str]:
    """A match in its own process: level, what the host lacks, what the probe could do, status, remark."""
    with tempfile.TemporaryDirectory() as public:
        if user:
            # pytest's folders are closed to others, and so is all above them.
            folder = Path(public)
            folder.chmod(0o755)
        written(folder, "first", FIRST)
        done = subprocess.run(
            [python, "-c", before + PLAYING, str(folder / "first.py")],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
    assert done.returncode == 0, done.stderr
    level, lacks, probed, status, remark = json.loads(done.stdout)
    return level, lacks, probed, status, remark


@pytest.mark.skipif(not NUMBERS, reason="this machine's system calls are not known")
@pytest.mark.parametrize(
    ("refused", "level", "open_to_bots"),
    [
        ([("unshare", 1)], "locked", [probe.NAMES]),
        ([("mount", 1)], "locked", [probe.NAMES]),
        ([("landlock_create_ruleset", 38)], "locked-ns", []),
        ([("unshare", 1), ("landlock_create_ruleset", 95)], "locked-noopen", [probe.NAMES]),
    ],
)
def test_where_a_container_refuses_something_the_next_level_is_found_and_holds(
    refused: list[tuple[str, int]], level: str, open_to_bots: list[str], tmp_path: Path
) -> None:
    if best() != "sealed":
        pytest.skip("this machine itself lacks some layer")
    found, lacks, probed, status, _ = played(tmp_path, REFUSING.format(refused=refused))
    assert (found, status) == (level, "completed")
    assert any(lacks)
    assert [what for what, could in probed.items() if could] == open_to_bots


def test_an_ordinary_user_gets_a_level_too(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        assert played(tmp_path)[3] == "completed"
        return
    python = interpreter_for(STRANGER)
    if python is None:
        pytest.skip("no interpreter here that another user can run with these sources and packages")
    level, _, probed, status, remark = played(tmp_path, user=STRANGER, python=python)
    assert (level, status, remark) == (best(), "completed", "")
    assert not any(probed.values())


STRANGER = 54321
"""A user that owns nothing and needs no account."""


def interpreter_for(user: int) -> str | None:
    """A Python of this version that the user can run Croupier with."""
    system = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, system):
        try:
            done = subprocess.run(
                [python, "-c", "import msgspec, harness, tests"],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
                user=user,
                group=user,
                extra_groups=[],
                check=False,
                capture_output=True,
            )
        except OSError:
            continue
        if done.returncode == 0:
            return python
    return None


def test_root_gives_every_seat_a_user_of_its_own_where_it_can_read_the_interpreter(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can")
    from tests.harness.players.seats import bot, play, spawner

    source = written(tmp_path, "who", bot("import os\nseen.metric('uid', os.getuid())\nreturn seen.moves[0]"))
    with spawner("auto", source) as found:
        record = play(found, source, source)
    users = [dict(seat.metrics)["uid"] for seat in record.seats]
    if found.remark:
        assert users == [0.0, 0.0]
        assert "with all capabilities dropped" in found.remark
    else:
        assert len(set(users)) == 2
        assert min(users) > 60000
