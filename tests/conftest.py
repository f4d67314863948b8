"""What holds for every test: properties are judged by what holds, never by how long it took."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# CI tries the same examples each time, so that a failure there is one of the change it tests.
settings.register_profile("ci", parent=settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# What nohup or a shell's & starts ignores Ctrl-C, and so would every command that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# pytest-xdist tells its workers a width; what a command writes to no terminal has none.
os.environ.pop("COLUMNS", None)
