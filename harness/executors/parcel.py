"""Bots' files for machines that do not have them: packed where the run is, unpacked where it is played.

A machine that shares the run's folder reads them there; another one gets copies in a folder of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from harness.executors.base import Setup
from harness.submissions import Source

_FILES = ("file", "folder")
"""Kinds of sources that are not part of an installation."""


class Parcel(NamedTuple):
    """A setup, and what its bots' files hold."""

    setup: Setup
    contents: Mapping[tuple[str, str], Mapping[str, bytes]]
    """By (bot, version): every file by its path from the bot's folder."""


def pack(setup: Setup) -> Parcel:
    """Read the files of all bots that are files or folders."""
    return Parcel(
        setup,
        {
            key: {str(file.relative_to(_base(source))): file.read_bytes() for file in source.files}
            for key, source in setup.sources.items()
            if source.kind in _FILES
        },
    )


def unpack(parcel: Parcel) -> Setup:
    """The setup as it can be used here: bots that are not where they were are written anew."""
    sources = dict(parcel.setup.sources)
    place: Path | None = None
    for key, contents in parcel.contents.items():
        source = sources[key]
        if _here(source, contents):
            continue
        place = place or Path(tempfile.mkdtemp(prefix="croupier-bots-"))
        sources[key] = _write(source, contents, place / "-".join(key))
    return parcel.setup._replace(sources=sources)


def _base(source: Source) -> Path:
    return source.path if source.kind == "folder" else source.path.parent


def _here(source: Source, contents: Mapping[str, bytes]) -> bool:
    """Whether all files are here as they were packed."""
    try:
        return all((_base(source) / name).read_bytes() == text for name, text in contents.items())
    except OSError:
        return False


def _write(source: Source, contents: Mapping[str, bytes], folder: Path) -> Source:
    """The bot below `folder`."""
    for name, text in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        path.chmod(0o444)
    main = folder if source.kind == "folder" else folder / source.path.name
    files = tuple(folder / file.relative_to(_base(source)) for file in source.files)
    return source._replace(path=main, files=files)
