"""Pages in a real browser: they sort, they step, they fit, and they ask nobody for anything."""

from __future__ import annotations

import itertools
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import harness
from harness import report as reports
from harness.analysis.frames import open_run
from harness.analysis.replaying import game_of
from harness.replay import page as replays
from harness.replay.film import film
from tests.harness.browser import Scheme, chromium, watched
from tests.harness.made_runs import match, write_run
from tests.harness.test_replay import FAULTY, TABLES, of_table


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a real run of duels with four bots, one of which fails now and then."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "flaky.py").write_text(FAULTY, encoding="utf-8")
    (folder / "weekend.toml").write_text(
        'name = "weekend"\nseed = 3\ngame = "kozyri-duel"\nrules = { deck = "easy", cap = 60 }\n'
        'format = { name = "round_robin", deals = 12 }\n'
        '[[bots]]\nname = "longsuit"\nbot = "duel-longsuit"\n[[bots]]\nname = "uniform"\nbot = "uniform"\n'
        '[[bots]]\nname = "steady"\nbot = "steady"\n[[bots]]\nname = "flaky"\npath = "flaky.py"\n',
        encoding="utf-8",
    )
    out = harness.run(folder / "weekend.toml", out=folder / "weekend", executor="local", workers=1).folder
    run = open_run(out)
    return reports.write_page(run, reports.build(run))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A replay page of every game."""
    folder = tmp_path_factory.mktemp("replays")
    for game in TABLES:
        replays.write(of_table(game), folder / f"{game}.html", replays.Origin("weekend"))
    return {game: folder / f"{game}.html" for game in TABLES}


def test_a_report_asks_nobody_for_anything(browser: Browser, report: Path) -> None:
    with watched(browser) as seen:
        page = seen.open(report)
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        for summary in page.locator("summary").all():
            summary.click()

        assert seen.requests == [report.as_uri()]
        assert seen.problems == []


def test_a_report_could_not_ask_if_it_wanted(browser: Browser, report: Path) -> None:
    """The page's own policy stops what a script or an image would fetch, before anything leaves."""
    with socket.create_server(("127.0.0.1", 0)) as server, watched(browser) as seen:
        server.setblocking(False)
        page = seen.open(report)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        fetched = page.evaluate(f"fetch('{address}').then(() => 'fetched', error => error.message)")
        page.evaluate(f"document.body.append(Object.assign(new Image(), {{src: '{address}i.png'}}))")
        page.wait_for_timeout(300)

        assert fetched == "Failed to fetch"
        assert any("Content Security Policy" in problem for problem in seen.problems)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_ranking_sorts_by_what_is_clicked_and_back(browser: Browser, report: Path) -> None:
    with watched(browser) as seen:
        page = seen.open(report)
        table = page.locator("table.ranking").first

        def bots() -> list[str]:
            return [name.split()[0] for name in table.locator("tbody th").all_inner_texts()]

        ranked = bots()

        table.get_by_role("button", name="Bot").click()
        assert bots() == sorted(ranked, key=str.casefold)
        assert table.locator("th[aria-sort]").inner_text().startswith("Bot")

        table.get_by_role("button", name="Forfeits").click()
        column = [int(text) for text in table.locator("tbody tr td:nth-child(11)").all_inner_texts()]
        assert column == sorted(column, reverse=True)
        assert bots()[0] == "flaky"

        table.get_by_role("button", name="Rank").focus()
        page.keyboard.press("Enter")
        assert bots() == ranked


def test_names_are_texts_and_not_markup(browser: Browser, tmp_path: Path) -> None:
    evil = "<i>x</i>"
    records = [match(deal, s, ([evil, "$b$"], ["$b$", evil])[s], (1, 0)) for deal in range(9) for s in (0, 1)]
    run = open_run(write_run(tmp_path, records))
    with watched(browser) as seen:
        page = seen.open(reports.write_page(run, reports.build(run)))

        assert page.get_by_text(evil).count() > 3
        assert page.locator("i", has_text="x").count() == 0
        assert seen.problems == []


@pytest.mark.parametrize(("width", "scheme"), list(itertools.product((400, 1400), ("light", "dark"))))
def test_a_report_fits_its_window(browser: Browser, report: Path, width: int, scheme: Scheme) -> None:
    with watched(browser, width=width, scheme=scheme) as seen:
        page = seen.open(report)

        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert contrasts(page) == []


def test_links_of_a_report_lead_to_replays_that_are_there(browser: Browser, report: Path) -> None:
    with watched(browser) as seen:
        page = seen.open(report)
        links = page.locator('a[href^="replays/"]')
        assert links.count() >= 3
        targets = {str(link.get_attribute("href")).partition("#")[0] for link in links.all()}
        assert [target for target in targets if not (report.parent / target).is_file()] == []

        links.last.click()

        assert page.locator("#table").is_visible()


@pytest.mark.parametrize("game", TABLES)
def test_a_replay_steps_with_keys_and_asks_nobody(
    browser: Browser, pages: dict[str, Path], game: str
) -> None:
    moves = len(of_table(game).moves)
    with watched(browser) as seen:
        page = seen.open(pages[game])

        def where() -> str:
            return page.locator("#where").inner_text()

        assert where() == f"0 / {moves}"

        for key, place in (
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("End", moves),
            ("Home", 0),
        ):
            page.keyboard.press(key)
            assert where() == f"{place} / {moves}"

        page.keyboard.press("Space")
        page.locator("#where", has_text=re.compile("^2 /")).wait_for()
        page.keyboard.press("Space")
        stopped = where()
        page.wait_for_timeout(1000)
        assert where() == stopped

        page.get_by_role("button", name="Last position").click()
        assert where() == f"{moves} / {moves}"
        assert page.locator("#log li[aria-current]").get_attribute("data-n") == str(moves)
        assert seen.requests == [pages[game].as_uri()]
        assert seen.problems == []


@pytest.mark.parametrize("game", TABLES)
def test_a_page_has_every_position_and_every_view(
    browser: Browser, pages: dict[str, Path], game: str
) -> None:
    """What the page makes of its patches is what the engine says."""
    record = of_table(game)
    shown = film(record, game_of(record))
    with watched(browser) as seen:
        found = seen.open(pages[game]).evaluate("frames")

    assert [frame["state"] for frame in found] == [frame.state for frame in shown.frames]
    assert [frame["views"] for frame in found] == [frame.views for frame in shown.frames]


@pytest.mark.parametrize("game", ["kozyri-classic", "hund", "seven-symbols"])
def test_a_seat_is_shown_no_card_that_it_does_not_know(
    browser: Browser, pages: dict[str, Path], game: str
) -> None:
    with watched(browser) as seen:
        page = seen.open(pages[game], "#3")
        page.select_option("#seat", "1")
        view = page.evaluate("frames[at].views[1]")
        faces = page.evaluate("[...nodes.keys()].filter(key => !key.startsWith('back-'))")
        known = {card for cards in view["known"] for card in cards} | {*view.get("pile", [])}
        known |= {card for _, card in view.get("trick", [])} | {*(view.get("given") or [[], []])[1]}

        assert {face for face in faces if not face.startswith("display")} <= known
        assert page.locator(".piece").count() >= sum(view["sizes"])


def test_own_tiles_stay_hidden(browser: Browser, pages: dict[str, Path]) -> None:
    with watched(browser) as seen:
        page = seen.open(pages["code777"], "#6,seat=2")

        assert page.locator('.piece[title="not known"]').count() == 3


def test_a_fault_is_marked_where_it_happened(browser: Browser, pages: dict[str, Path]) -> None:
    with watched(browser) as seen:
        page = seen.open(pages["seven-symbols"])
        assert page.locator("#ticks i").count() == 1

        page.keyboard.press("f")

        assert "illegal" in page.locator("#fault").inner_text()
        assert page.locator("#log li.bad").count() == 1
        assert "illegal" in page.locator("#table").inner_text()


@pytest.mark.parametrize("game", TABLES)
def test_a_table_fits_a_phone(browser: Browser, pages: dict[str, Path], game: str) -> None:
    with watched(browser, width=400, height=860, scheme="dark") as seen:
        page = seen.open(pages[game], "#5")

        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        assert contrasts(page) == []
        boxes = page.locator(".piece").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().right)"
        )
        assert max(boxes) <= 400


def contrasts(page: object) -> list[str]:
    """Texts whose contrast with what they stand on is below 4.5 (WCAG AA), for plain backgrounds."""
    return page.evaluate(CONTRASTS)  # type: ignore[attr-defined, no-any-return]  # a Page


CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const linear = c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const bad = [];
  for (const one of document.querySelectorAll('main *, header *')) {
    const own = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !one.checkVisibility() || one.closest('svg, #felt, :disabled, option')) continue;
    let ground = null;
    for (let at = one; at && !ground; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) ground = colour;
    }
    const style = getComputedStyle(one), over = rgba(style.color), under = ground || [255, 255, 255];
    const opacity = Number(style.opacity);
    const text = over.map((c, n) => c * opacity + under[n] * (1 - opacity));
    const [a, b] = [light(text), light(under)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    const name = `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 30)}`;
    if (ratio < 4.5) bad.push(`${name}: ${ratio.toFixed(2)}`);
  }
  return bad;
}"""
