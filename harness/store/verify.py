"""Whether a run's files are whole, its ids unique and its deal sets complete; and its digest."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from harness import config as configs
from harness import formats, positions
from harness.config_values import ConfigError
from harness.store.conduct import StoredRecords
from harness.store.digest import digest_parts
from harness.store.reading import StoredRun, steady


@dataclass
class Verification:
    """What `verify` found."""

    folder: Path
    files: int = 0
    """Part files that are whole (two a part)."""
    matches: int = 0
    """Different matches in them."""
    duplicates: list[str] = field(default_factory=list)
    """Match ids that are there more than once."""
    conflicts: list[str] = field(default_factory=list)
    """Those of them whose copies differ."""
    torn: list[str] = field(default_factory=list)
    """Parts that cannot be read, and why; likewise the positions that the matches start from."""
    orphans: list[str] = field(default_factory=list)
    """Leftovers of a write that was cut off, or is going on."""
    alien: list[str] = field(default_factory=list)
    """Files that no run has put there; they do no harm."""
    open_sets: list[str] = field(default_factory=list)
    """Deal sets of which only some matches are stored."""
    planned: int | None = None
    """Matches of the whole run; None where its config cannot be read by this version."""
    changed: str = ""
    """How what is stored differs from what was stored when the run ended; empty where it does not."""
    voids: int = 0
    """Tries that the platform spoilt."""
    digest: str = ""

    @property
    def ok(self) -> bool:
        """Whether all that is there is as it should be; leftovers alone do no harm."""
        return not (self.duplicates or self.torn or self.open_sets or self.changed)

    @property
    def lines(self) -> list[str]:
        """The findings in words."""
        found = [f"{self.files} part files whole, {self.matches} matches, {self.voids} void tries"]
        found += [f"torn: {line}" for line in self.torn]
        found += [f"twice: match {name}" for name in self.duplicates]
        found += [f"twice and not the same: match {name}" for name in self.conflicts]
        found += [f"open: deal set {name} is not complete" for name in self.open_sets]
        found += [f"left over: {path}" for path in self.orphans]
        found += [f"none of the run's files: {path}" for path in self.alien]
        if self.changed:
            found.append(self.changed)
        elif self.planned is not None and self.matches < self.planned:
            left = f"{self.planned - self.matches:,} of {self.planned:,} matches"
            found.append(f"unfinished: {left} are not yet played; `croupier run CONFIG` continues")
        found.append(f"digest {self.digest}")
        return found


def verify(folder: Path) -> Verification:
    """Read every file of a run in full; also while the run goes on. Raises FileNotFoundError for no run."""
    if not (folder / "matches").is_dir():
        raise FileNotFoundError(f"{folder} is not the folder of a run: it has no matches/")
    return steady(lambda: _verify(folder))


def run_digest(folder: Path) -> str:
    """The digest of all that is stored."""
    return verify(folder).digest


def _verify(folder: Path) -> Verification:
    run = StoredRun(folder)
    found = Verification(folder)
    listing = run.listing()
    found.torn = [torn.why for torn in listing.torn]
    found.orphans = [str(path.relative_to(folder)) for path in listing.orphans]
    found.alien = [str(path.relative_to(folder)) for path in listing.alien]
    whole = len(found.torn)
    digest = digest_parts(
        listing.parts, lambda part, why: found.torn.append(f"{part.name} is damaged ({why})")
    )
    found.files = 2 * (len(listing.parts) - (len(found.torn) - whole))
    found.digest = digest.finish()
    found.matches, found.duplicates, found.conflicts = digest.matches, digest.duplicates, digest.conflicts
    found.open_sets = sorted(run.split_sets())
    found.voids = len(run.voids())
    found.planned = _planned(run)
    found.changed = _changed(folder, found)
    try:
        positions.of_run(folder)
    except ConfigError as error:
        found.torn.append(str(error))
    return found


def _planned(run: StoredRun) -> int | None:
    """How many matches the run has when it is finished."""
    try:
        text = (run.folder / "run.toml").read_text(encoding="utf-8")
        config = configs.loads(text, folder=run.folder)
        return formats.total(config, StoredRecords(run))
    except (OSError, ValueError, pa.ArrowException):
        return None


def _changed(folder: Path, found: Verification) -> str:
    """What has become of the results since the run ended, as provenance.json tells of its end."""
    try:
        end = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))["finished"]
        matches, digest = int(end["matches"]), end["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    if found.matches < matches:
        return (
            f"lost: {matches - found.matches:,} of the {matches:,} matches of this finished run are gone; "
            f"`croupier run CONFIG` plays them again"
        )
    if found.digest != digest:
        return f"changed: when the run ended, it had {matches:,} matches and the digest {digest}"
    return ""
