"""`seed = "random"`: drawn once, kept by the run, and told to nobody before the deals are over."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness import config, continuing, luck
from harness import report as reports
from harness.analysis.frames import Run
from harness.cli.app import app
from harness.config import ConfigError
from harness.tournament import CannotContinue
from tests.harness.small_runs import RANDOM, SLOW, digest_of, interrupt, started, wait_for_parts, write_config

SECRET = "drawn at random, told when the run is over"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config of two bots whose seed is to be drawn, in the current folder."""
    monkeypatch.chdir(tmp_path)
    return seeded(write_config(tmp_path, [RANDOM, RANDOM], deals=2), '"random"')


def seeded(path: Path, seed: str) -> Path:
    """The config with another seed."""
    text = re.sub(r"^seed = .*$", f"seed = {seed}", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
    return path


def croupier(*words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words)], prog_name="croupier")


def run(path: Path, out: str = "run", *more: str) -> Result:
    done = croupier("run", path, "--out", out, "--workers", "1", *more)
    assert done.exit_code == 0, done.output
    return done


def kept(folder: str = "run") -> int:
    seed = tomllib.loads((Path(folder) / "run.toml").read_text(encoding="utf-8"))["seed"]
    assert isinstance(seed, int)
    return seed


def test_every_run_gets_a_seed_of_its_own_that_cannot_be_guessed(path: Path) -> None:
    run(path, "one")
    run(path, "two")

    assert kept("one") != kept("two")
    assert not any(luck.guessable(kept(folder)) for folder in ("one", "two"))
    drawn = {luck.drawn_seed() for _ in range(2_000)}
    assert len(drawn) == 2_000
    assert all(luck.GUESSABLE <= seed < 2**63 for seed in drawn)


def test_the_same_command_and_bots_that_join_go_on_with_the_seed_that_was_drawn(path: Path) -> None:
    run(path)
    seed = kept()
    digest = digest_of(Path("run"))

    assert "is complete" in run(path).stderr
    assert (kept(), digest_of(Path("run"))) == (seed, digest)
    Path("bot2.py").write_text(RANDOM, encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8") + '[[bots]]\nname = "bot2"\npath = "bot2.py"\n')
    joined = run(path)
    assert "new: bot2" in joined.stderr
    assert kept() == seed
    # What a fresh run with this seed as a plain number gives.
    run(seeded(path, str(seed)), "fresh")
    assert digest_of(Path("run")) == digest_of(Path("fresh"))


@pytest.mark.slow
def test_the_command_that_an_interrupted_run_prints_goes_on_with_its_seed(path: Path) -> None:
    slow = seeded(write_config(Path("slow"), [SLOW, SLOW], deals=20), '"random"').resolve()
    out = Path("slow/run").resolve()
    with started(slow, out, "--workers", "1") as process:
        assert wait_for_parts(out, 1, process)
        interrupt(process)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    seed = kept(str(out))
    assert str(seed) not in said

    words = shlex.split(said.strip().splitlines()[-1])
    assert words[:4] == ["python", "-m", "harness", "run"]
    assert croupier(*words[3:]).exit_code == 0
    assert kept(str(out)) == seed
    run(seeded(slow, str(seed)), "fresh")
    assert digest_of(out) == digest_of(Path("fresh"))


def test_a_run_that_was_drawn_goes_on_under_its_number_and_not_under_another(path: Path) -> None:
    run(path)

    assert "is complete" in run(seeded(path, str(kept()))).stderr
    refused = croupier("run", seeded(path, "5"), "--out", "run")
    assert refused.exit_code == 2
    assert re.search(r"seed +\d+ -> 5", refused.stderr)
    assert continuing.check(config.read(seeded(path, '"random"'), out=Path("run")), Path("run")).changes == ()


def test_a_run_with_a_number_goes_on_with_that_where_the_config_now_says_random(path: Path) -> None:
    run(seeded(path, "77"))

    found = config.read(seeded(path, '"random"'), out=Path("run"))
    assert (found.seed, found.seed_drawn) == (77, False)
    assert "is complete" in run(path).stderr


def test_a_dry_run_draws_nothing_that_it_would_keep_or_show(path: Path) -> None:
    done = run(path, "run", "--dry-run")

    assert "a seed drawn when it first starts" in done.stdout
    assert not Path("run").exists()
    assert not re.search(r"\d{15}", done.stdout)


def test_the_seed_is_a_secret_until_the_run_is_over(path: Path) -> None:
    done = run(path)
    seed = str(kept())
    assert "a seed drawn at random" in done.stderr
    assert seed not in done.stderr
    assert f"seed {seed}" in done.stdout

    provenance = Path("run") / "provenance.json"
    written = json.loads(provenance.read_text(encoding="utf-8"))
    del written["finished"]
    provenance.write_text(json.dumps(written), encoding="utf-8")  # as it is while the run goes on
    opened = Run(Path("run"))
    report = reports.build(opened)
    page = reports.write_page(opened, report).read_text(encoding="utf-8")
    texts = [page, *(reports.render(report, style) for style in ("markdown", "json", "csv"))]
    texts += [(Path("run") / "again.toml").read_text(encoding="utf-8")]
    assert not [text for text in texts if seed in text]
    assert SECRET in page
    assert SECRET in texts[1]
    assert 'seed = "random"' in texts[-1]


def test_the_page_of_a_run_that_is_over_has_a_config_that_plays_it_again(path: Path) -> None:
    run(path)
    opened = Run(Path("run"))
    reports.write_page(opened, reports.build(opened))

    run(Path("run") / "again.toml", "again")

    assert kept("again") == kept()
    assert digest_of(Path("again")) == digest_of(Path("run"))


def test_a_seed_is_a_number_or_random(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"seed: expected a whole number or 'random', got 'rnd'"):
        config.read(seeded(path, '"rnd"'))
    with pytest.raises(ConfigError, match="seed_drawn: unknown key"):
        config.read(seeded(path, "5\nseed_drawn = true"))


def test_what_is_written_is_read_back(path: Path) -> None:
    found = config.read(path)
    assert found.seed_drawn
    again = config.loads(config.dump(found))
    assert (again.seed, again.seed_drawn) == (found.seed, True)
    assert not config.loads(config.dump(replace(found, seed_drawn=False))).seed_drawn


@pytest.mark.slow
def test_compare_draws_a_seed_once_and_the_same_command_goes_on_with_it(path: Path) -> None:
    words = [
        "compare",
        "bot0.py",
        "uniform",
        "--game",
        "kozyri-duel",
        "--rules",
        "deck=easy",
        "--workers",
        "1",
    ]
    words += ["--deals", "3", "--seed", "random"]
    first, again = croupier(*words), croupier(*words)
    other = croupier(*words, "--out", "elsewhere")

    assert first.exit_code == 1, first.output
    ends = r"^(reports/\S+|elsewhere): .*, seed (\d+)$"
    (one,), (same,), (third,) = (
        re.findall(ends, done.stderr, re.MULTILINE) for done in (first, again, other)
    )
    assert one == same
    assert third[1] != one[1]
    assert "--seed" not in first.stderr
    wrong = croupier(*words[:-1], "dice")
    assert "seed: expected a whole number or 'random', got 'dice'" in wrong.stderr


def test_a_config_without_a_run_folder_cannot_continue_under_another_seed(path: Path) -> None:
    first, second = config.read(path, out=Path("run")), config.read(path, out=Path("run"))
    assert first.seed != second.seed
    Path("run").mkdir()
    (Path("run") / "run.toml").write_text(config.dump(first), encoding="utf-8")
    with pytest.raises(CannotContinue, match="seed"):
        continuing.check(second, Path("run"))
