"""A real Ray cluster of several nodes on this machine: nodes join and die, and the result is the same."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import config, tournament
from harness.executors import choice
from harness.executors.base import BatchResult, ExecutorError
from harness.executors.parcel import pack, unpack
from harness.store import open as open_run
from harness.submissions import bot_type
from tests.harness.small_runs import (
    DAWDLER,
    RANDOM,
    ROOT,
    SLOW,
    Watch,
    digest_of,
    setup_of,
    small_config,
    started,
    wait_for_parts,
    write_config,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster whose head has no cores to play on. Its nodes do not have this source tree on their path."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    from ray.cluster_utils import Cluster

    with contextlib.chdir("/"):
        found: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield found
    found.shutdown()


class Mover(Watch):
    """Kills the only node in the middle of its play, and has another one join."""

    def __init__(self, cluster: Any, node: Any) -> None:
        super().__init__()
        self.cluster, self.node = cluster, node
        self.done = False

    def advance(self, result: BatchResult) -> None:
        super().advance(result)
        if self.played >= 10 and not self.done:
            self.done = True
            self.cluster.remove_node(self.node, allow_graceful=False)
            self.cluster.add_node(num_cpus=1)


@pytest.mark.slow
def test_nodes_join_and_are_killed_in_the_middle_and_the_digest_is_that_of_one_process(
    cluster: Any, tmp_path: Path
) -> None:
    settings = small_config(tmp_path, [RANDOM, SLOW], deals=40)
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=1)
    node = cluster.add_node(num_cpus=1)
    mover = Mover(cluster, node)
    struck = tournament.run(settings, out=tmp_path / "run", address=cluster.address, progress=mover)

    assert mover.done
    assert struck.executor == "ray"
    assert (struck.voids_open, struck.digest) == (0, calm.digest)
    assert digest_of(tmp_path / "run") == calm.digest
    run = open_run(tmp_path / "run")
    assert len({record.worker for record in run.records()}) > 1
    again = {record.spec.id: record.attempt for record in run.records() if record.attempt > 1}
    assert set(again) == {tried.match_id for tried in run.voids()} != set()


@pytest.mark.slow
@pytest.mark.parametrize("dying", [("gcs_server",), ("raylet",), ("gcs_server", "raylet")], ids="+".join)
def test_a_run_whose_head_dies_ends_with_one_line_and_is_continued_without_it(
    cluster: Any, tmp_path: Path, dying: tuple[str, ...]
) -> None:
    flag = tmp_path / "slowly"
    flag.touch()
    path = write_config(tmp_path, [RANDOM, DAWDLER], deals=400, options=f'{{ flag = "{flag}" }}')
    out = tmp_path / "run"
    node = cluster.add_node(num_cpus=1)
    head = {kind: [one.process for one in some] for kind, some in cluster.head_node.all_processes.items()}
    with started(path, out, "--address", cluster.address) as process:
        assert wait_for_parts(out, 2, process)
        for kind in dying:
            for one in head[kind]:
                one.kill()
        _, errors = process.communicate(timeout=300)

    assert process.returncode == 3, errors
    said = [line for line in errors.splitlines() if line.startswith("croupier: ")]
    assert len(said) == 1, errors
    assert "Traceback" not in errors
    assert f"the Ray cluster at {cluster.address} is gone (" in said[0]
    assert "matches in flight are lost, all others are kept" in said[0]
    assert f"run {path} --executor local --out {out}" in said[0]
    assert open_run(out).voids() == []
    kept = sum(1 for _ in open_run(out).records())
    cluster.remove_node(node, allow_graceful=False)
    flag.unlink()
    ended = tournament.run(config.read(path), out=out, executor="local", workers=2)
    calm = tournament.run(config.read(path), out=tmp_path / "calm", executor="local", workers=2)
    assert 0 < kept < ended.matches_total == kept + ended.matches_played
    assert ended.digest == calm.digest == digest_of(out)


def test_a_bot_that_is_not_on_the_node_is_sent_there(tmp_path: Path) -> None:
    helper = "CHOICE = 0\n"
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "helper.py").write_text(helper, encoding="utf-8")
    (folder / "bot.py").write_text(
        "from bots import Bot\nfrom helper import CHOICE\n"
        "class Player(Bot):\n    def act(self, seen):\n        return seen.moves[CHOICE]\n",
        encoding="utf-8",
    )
    path = write_config(tmp_path, [RANDOM, RANDOM])
    path.write_text(path.read_text(encoding="utf-8").replace('"bot1.py"', '"two"'), encoding="utf-8")
    setup = setup_of(config.read(path), tmp_path / "run")
    parcel = pack(setup)
    assert unpack(parcel) == setup
    for place in ("bot0.py", "two/bot.py", "two/helper.py"):
        (tmp_path / place).unlink()
    elsewhere = unpack(parcel)

    for key, source in elsewhere.sources.items():
        assert source.version == setup.sources[key].version
        assert bot_type(source).__name__ == "Player"


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_what_a_cluster_that_is_gone_left_behind_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    (tmp_path / "ray").mkdir()
    address = f"127.0.0.1:{closed_port()}"
    (tmp_path / "ray" / "ray_current_cluster").write_text(address, encoding="utf-8")
    watch = Watch()
    settings = small_config(tmp_path, deals=2)
    ended = tournament.run(settings, out=tmp_path / "run", executor="auto", workers=1, progress=watch)

    assert ended.executor == "local"
    assert watch.notes == [
        f"no Ray cluster answers at {address} any more (`ray stop` tidies up): playing on this machine"
    ]


def test_an_address_at_which_nothing_answers_is_an_error_of_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"127.0.0.1:{closed_port()}"
    setup = setup_of(small_config(tmp_path), tmp_path / "run")
    with pytest.raises(ExecutorError, match=f"nothing answers at {address}: start a cluster there"):
        choice.open_executor("auto", setup, address=address)
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(ExecutorError, match=f"nothing answers at {address}, which RAY_ADDRESS names"):
        choice.open_executor("auto", setup)


@pytest.mark.slow
def test_the_commands_of_the_cluster_guide_work(tmp_path: Path) -> None:
    """`ray start --head`, a second node, `croupier run --address`, with a token made for this cluster.

    The nodes are ended by themselves: `ray stop` would end every Ray of this machine.
    """
    address = f"127.0.0.1:{closed_port()}"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    both = "--num-cpus=1", "--node-ip-address=127.0.0.1", "--disable-usage-stats", "--block"
    ray = str(Path(sys.executable).parent / "ray")
    path = write_config(tmp_path, [RANDOM, SLOW], deals=30)
    command = [sys.executable, "-m", "harness", "run", str(path), "--out", str(tmp_path / "run")]
    nodes: list[subprocess.Popen[bytes]] = []
    # Sockets lie below it, and their paths have to be short.
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as short:
        head = "--head", f"--port={address.partition(':')[2]}", "--include-dashboard=false"
        try:
            for start in ((*head, f"--temp-dir={short}"), (f"--address={address}",)):
                log = (tmp_path / f"node{len(nodes)}.log").open("wb")
                with log:
                    nodes.append(
                        subprocess.Popen(
                            [ray, "start", *start, *both], cwd="/", env=environment, stdout=log, stderr=log
                        )
                    )
                wait_for(tmp_path / f"node{len(nodes) - 1}.log", b"Ray runtime started", nodes[-1])
            subprocess.run(
                [*command, "--address", address],
                cwd="/",
                env=environment | {"PYTHONPATH": str(ROOT)},
                check=True,
                capture_output=True,
                timeout=300,
            )
        finally:
            for node in reversed(nodes):
                node.terminate()
                node.wait(60)
    assert len({record.worker for record in open_run(tmp_path / "run").records()}) == 2


def wait_for(log: Path, words: bytes, process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has written these words."""
    until = time.monotonic() + 120
    while words not in log.read_bytes():
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        assert time.monotonic() < until, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.1)
