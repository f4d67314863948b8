"""The Croupier that runs here, for processes that others start: here, and on a cluster's machines."""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import engines

_ROOT = Path(engines.__file__).parent.parent
ONE_ORDER: Final = {"PYTHONHASHSEED": "0"}
"""In the environment of every process that is started to play: a set of texts has the same order in all."""


@contextlib.contextmanager
def inherited() -> Iterator[None]:
    """Let what is started here import what this process can, and the same Croupier.

    Ray puts the current folder first on its workers' path: in a source tree beside an installed, compiled
    Croupier that would be the slower sources. So it starts from the folder that this code is in.
    """
    paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
    changed = {"PYTHONPATH": paths, **ONE_ORDER}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        with contextlib.chdir(_ROOT.resolve()):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def to_send() -> list[str]:
    """The packages' folders that other machines need to run this code: none where it is installed."""
    if _ROOT in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}:
        return []
    return [str(_ROOT / name) for name in ("engines", "bots", "harness")]
