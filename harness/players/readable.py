"""What an isolated bot may read: the standard library, what it links to, allowed modules, its own files.

Never all of site-packages: other people's bots may be installed there.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import engines
from harness.bot_class import SetupError

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
_PACKAGES: Final = ("site-packages", "dist-packages")
_NOT_LIBRARY: Final = ("test", "idlelib", "ensurepip", "__pycache__")


@functools.cache
def for_everyone() -> tuple[str, ...]:
    """Files and folders that every seat may read; `packages` are among them and must be left out."""
    return (*_library(), *_SYSTEM, str(Path(engines.__file__).resolve().parent))


@functools.cache
def packages() -> tuple[str, ...]:
    """Folders inside the standard library and the system's, where packages are installed."""
    shared = [Path(place) for place in (*_library(), "/usr/lib", "/usr/lib/python3")]
    return tuple(
        dict.fromkeys(str(place / name) for place in shared for name in _PACKAGES if (place / name).is_dir())
    )


def one_by_one(paths: Iterable[str]) -> list[str]:
    """The same as `paths`, without `packages`, for whoever can only name what is allowed."""
    found: list[str] = []
    closed = {Path(place).parent for place in packages()}
    for path in map(Path, paths):
        if path in closed:
            found += [str(child) for child in sorted(path.iterdir()) if _of_library(child)]
        else:
            found.append(str(path))
    return found


def importable() -> list[str]:
    """Of this process's import path what is the standard library's: none where packages are installed."""
    names = ("stdlib", "platstdlib")
    # On Windows its extension modules are beside it, in DLLs.
    folders = [
        os.path.realpath(path) for path in (*map(sysconfig.get_path, names), f"{sys.base_prefix}/DLLs")
    ]
    return [path for path in sys.path if _within(os.path.realpath(path), folders)]


def _within(real: str, folders: Iterable[str]) -> bool:
    if any(name in real for name in _PACKAGES):
        return False
    return real.endswith(".zip") or any(real == f or real.startswith(f + os.sep) for f in folders)


def _library() -> list[str]:
    """The standard library's folders."""
    found = list(dict.fromkeys(os.path.realpath(sysconfig.get_path(n)) for n in ("stdlib", "platstdlib")))
    base = Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib")
    # An interpreter outside of /usr brings its own libpython.
    brought = sorted(base.glob("libpython*.so*")) if os.access(base, os.R_OK | os.X_OK) else []
    return [*found, *map(str, brought)]


def _of_library(path: Path) -> bool:
    wanted = path.suffix in {".py", ".so"} or path.is_dir()
    return wanted and path.name not in (*_PACKAGES, *_NOT_LIBRARY)


def allowed(modules: Iterable[str]) -> list[str]:
    """What `allow = [...]` opens: each module's own files; raises SetupError for one that is not here."""
    found: list[str] = []
    for name in modules:
        top, *_ = parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            raise SetupError(f"allow: expected the name of a module, such as numpy, got {name!r}")
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
