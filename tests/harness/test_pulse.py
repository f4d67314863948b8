"""Signs of life: who is silent is found out, and a pause of those who listen is not held against anybody."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from harness.executors import pulse
from harness.executors.mute import Waiting
from harness.executors.pulse import Beat, Heart, Listener, Watch


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield process
    process.kill()
    process.wait()


def beat(count: int, pid: int = 1, batch: int = 0) -> Beat:
    return Beat("node", "host", pid, "100", count, batch)


def test_who_is_silent_for_too_long_is_named_once_with_what_it_played() -> None:
    watch = Watch(patience=0.05, most=10)
    assert watch.silent([beat(1, pid=1, batch=7), beat(1, pid=2)]) == []
    time.sleep(0.1)
    assert watch.silent([beat(1, pid=1, batch=7), beat(2, pid=2)]) == [beat(1, pid=1, batch=7)]
    time.sleep(0.1)
    assert watch.silent([beat(1, pid=1, batch=7), beat(3, pid=2)]) == []


def test_only_time_in_which_somebody_listened_counts() -> None:
    watch = Watch(patience=0.15, most=0.1)
    watch.silent([beat(1)])
    time.sleep(0.5)
    assert watch.silent([beat(1)]) == []
    time.sleep(0.1)
    assert watch.silent([beat(1)]) == [beat(1)]


def test_a_batch_that_nobody_plays_while_there_is_a_worker_to_spare_is_noticed_in_time() -> None:
    waiting = Waiting(patience=0.1, most=10)
    one = [beat(1, batch=2)]
    for flight, beats, workers in (({1, 2}, one, 1), ({2}, one, 2), (set(), [], 2), ({3, 2}, one, 2)):
        assert not waiting.too_long(flight, beats, workers)
        time.sleep(0.15)
    assert waiting.too_long({3, 2, 4}, one, 2)
    assert not waiting.too_long({4, 2}, one, 2), "another one's turn"


def test_only_a_stopped_process_beside_this_one_with_a_title_of_ours_that_never_spoke_is_found() -> None:
    """Four of one parent: stopped with our title, running with it, stopped with another, and who looks."""
    program = f"""
import os, signal, subprocess, sys
from harness.executors.pulse import born
sleep = "import time; print(flush=True); time.sleep(60)"
def start(title):
    process = subprocess.Popen([title, "-c", sleep], executable={sys.executable!r}, stdout=subprocess.PIPE)
    process.stdout.readline()
    return process
ours, running, others = start("ray::IDLE"), start("ray::IDLE"), start("ray::other")
for one in (ours, others):
    one.send_signal(signal.SIGSTOP)
    os.waitpid(one.pid, os.WUNTRACED)
look = "from harness.executors.mute import stopped; import sys;"
look += "print([b.pid for b in stopped('node', ['ray::IDLE'], eval(sys.argv[1]))])"
for heard in ([], [(ours.pid, born(ours.pid))]):
    subprocess.run([sys.executable, "-c", look, repr(heard)], check=True)
print(ours.pid, flush=True)
for one in (ours, running, others):
    one.kill()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    first, second, pid = done.stdout.split("\n")[:3]
    assert (first, second) == (f"[{pid}]", "[]")


def test_a_process_is_ended_and_one_that_was_given_its_number_is_not(
    sleeper: subprocess.Popen[bytes],
) -> None:
    mine = Beat("node", "host", sleeper.pid, pulse.born(sleeper.pid), 1, 0)
    assert not pulse.end(mine._replace(born="1"))
    assert sleeper.poll() is None
    assert pulse.end(mine)
    assert sleeper.wait(10) == -9
    assert not pulse.end(mine)


def test_a_heart_says_at_once_what_is_played_and_goes_on_when_nobody_hears_it() -> None:
    heard: queue.SimpleQueue[Beat] = queue.SimpleQueue()

    def tell(one: Beat) -> None:
        heard.put(one)
        raise ConnectionError

    heart = Heart("node", tell, seconds=60)
    found = [heard.get(timeout=10)]
    for batch in (5, 0, 6):
        heart.playing(batch)
        found.append(heard.get(timeout=10))
    heart.stop()
    assert [(one.number, one.batch) for one in found] == [(1, 0), (2, 5), (3, 0), (4, 6)]
    assert {one.process for one in found} == {("node", os.getpid(), pulse.born(os.getpid()))}


def test_a_question_that_is_not_answered_holds_nobody_up() -> None:
    asked = threading.Event()
    answers = iter([1, 2])

    def ask() -> int:
        found = next(answers, None)
        if found is None:
            asked.set()
            threading.Event().wait(60)
            raise AssertionError
        return found

    listener = Listener(ask, seconds=0.01)
    assert asked.wait(10)
    assert (listener.answer, listener.answers) == (2, 2)
    listener.close()
