"""What an isolated bot may read: the standard library, what it links to, allowed modules, its own files.

Never all of site-packages: other people's bots may be installed there.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import engines
from harness.submissions import SetupError

_SYSTEM: Final = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/urandom",
)
"""Shared libraries that the standard library's modules load when first used, and what it looks up."""
_NOT_LIBRARY: Final = frozenset({"site-packages", "dist-packages", "test", "idlelib", "ensurepip"})


@functools.cache
def for_everyone() -> tuple[str, ...]:
    """Files and folders that every seat may read."""
    return (*_standard_library(), *_SYSTEM, str(Path(engines.__file__).parent))


def _standard_library() -> list[str]:
    """The library's folders; one by one where other packages are installed among them."""
    found: list[str] = []
    places = [os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    for place in dict.fromkeys(places):
        folder = Path(place)
        if not any((folder / name).exists() for name in ("site-packages", "dist-packages")):
            found.append(place)
        elif folder.is_dir():
            found += [str(child) for child in sorted(folder.iterdir()) if _of_library(child)]
    base = Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib")
    # An interpreter outside of /usr brings its own libpython.
    return [*found, *map(str, sorted(base.glob("libpython*.so*")))]


def _of_library(path: Path) -> bool:
    return path.name not in _NOT_LIBRARY and (path.suffix in {".py", ".so"} or path.is_dir())


def allowed(modules: Iterable[str]) -> list[str]:
    """What `allow = [...]` opens: each module's own files; raises SetupError for one that is not installed."""
    found: list[str] = []
    for name in modules:
        top = name.partition(".")[0]
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            spec = None
        if spec is None:
            raise SetupError(f"allow: no module {name!r} is installed here")
        if spec.submodule_search_locations is None:
            found += [spec.origin] if spec.origin and Path(spec.origin).exists() else []
            continue
        for place in spec.submodule_search_locations:
            found.append(os.path.realpath(place))
            beside = Path(place).with_name(f"{top}.libs")  # where wheels put the libraries they bring
            if beside.is_dir():
                found.append(os.path.realpath(beside))
    return found
