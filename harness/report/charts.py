"""Charts for a page, drawn by matplotlib as inline SVG.

An SVG of matplotlib's is a few tens of kilobytes, needs no script and prints; an interactive library is 3 to
5 MB by itself, more than the whole page may have. Colours become CSS variables, so that one drawing is right
in light and dark, and texts stay texts. Same numbers, same bytes: nothing in a drawing is random or dated.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from harness import pages

Floats = npt.NDArray[np.float64]

COLOURS: Final = 8
"""Lines that can be told apart; a chart of more bots shows so many."""
_INK, _SOFT, _LINE = "#010101", "#010102", "#010103"
_VARIABLES: Final = {_INK: "--ink", _SOFT: "--soft", _LINE: "--line"} | {
    f"#0102{number:02x}": f"--c{number}" for number in range(COLOURS)
}
_SHADES: Final = {f"#0103{number:02x}": f"--s{number}" for number in range(12)}
_DASHES: Final[tuple[Any, ...]] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
_WIDTH: Final = 5.7
"""Inches of a drawing, of 72 units each: a phone shows them smaller, a desk larger."""
_MANY: Final = 12
"""More different scores than these are shown by their quantiles."""
_STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "croupier",
    "text.parse_math": False,
    "font.size": 10,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _SOFT,
    "text.color": _INK,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "grid.color": _LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
}


class Progress(NamedTuple):
    """How one bot's figure developed."""

    label: str
    deals: Sequence[int]
    value: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


class Spread(NamedTuple):
    """How often a bot had which score."""

    label: str
    scores: Sequence[float]
    counts: Sequence[int]


class Times(NamedTuple):
    """A bot's CPU milliseconds."""

    label: str
    p50: float
    p95: float
    longest: float


def progress(name: str, lines: Sequence[Progress], what: str) -> Markup:
    """Lines over deals with their intervals as bands; each named at its end."""
    with _drawing(3.6, left=7, right=max(len(line.label) for line in lines)) as (figure, axes):
        for number, line in enumerate(lines):
            colour = f"#0102{number:02x}"
            axes.fill_between(line.deals, line.low, line.high, color=colour, alpha=0.13, linewidth=0)
            axes.plot(line.deals, line.value, color=colour, linewidth=1.8, linestyle=_DASHES[number % 4])
        _labels(axes, lines)
        axes.set_xlabel("deals")
        axes.set_ylabel(what)
        axes.grid(axis="y", linewidth=0.7)
        axes.margins(x=0.0)
        return _svg(figure, name)
    raise AssertionError


def _labels(axes: Any, lines: Sequence[Progress]) -> None:
    """Every line's name beside its end, moved apart where they would cover each other."""
    low, high = axes.get_ylim()
    gap = (high - low) / 17
    ends = sorted((line.value[-1], number) for number, line in enumerate(lines))
    before = -math.inf
    places = []
    for value, number in ends:
        before = max(value, before + gap)
        places.append((before, number))
    over = max(0.0, before - high)
    for place, number in places:
        axes.annotate(
            lines[number].label,
            xy=(1.0, place - over),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=f"#0102{number:02x}",
            annotation_clip=False,
        )


def spreads(name: str, found: Sequence[Spread]) -> Markup:
    """Shares of every score, as stacked bars; by quantiles where there are many different scores."""
    different = sorted({score for one in found for score in one.scores})
    with _drawing(1.3 + 0.3 * len(found), left=max(len(one.label) for one in found), above=0.6) as (
        figure,
        axes,
    ):
        rows = np.arange(len(found))[::-1]
        if len(different) <= _MANY:
            _stacked(axes, found, different, rows)
        else:
            _quantiles(axes, found, rows)
        axes.set_yticks(rows, [one.label for one in found])
        axes.tick_params(axis="y", length=0, labelcolor=_INK)
        return _svg(figure, name)
    raise AssertionError


def _stacked(axes: Any, found: Sequence[Spread], different: Sequence[float], rows: Any) -> None:
    left = np.zeros(len(found))
    shades = np.linspace(0, 11, len(different)).round().astype(int)
    for score, shade in zip(different, shades.tolist(), strict=True):
        part = np.array([_share(one, score) for one in found])
        axes.barh(rows, part, left=left, height=0.72, color=f"#0103{shade:02x}", label=f"{score:g}")
        left += part
    axes.set_xlim(0, 100)
    axes.set_xlabel("per cent of seats")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=min(len(different), 8), frameon=False, title="score",
        handlelength=1.0, columnspacing=1.0, alignment="left",
    )  # fmt: skip


def _share(one: Spread, score: float) -> float:
    counts = dict(zip(one.scores, one.counts, strict=True))
    return 100.0 * counts.get(score, 0) / max(1, sum(one.counts))


def _quantiles(axes: Any, found: Sequence[Spread], rows: Any) -> None:
    for row, one in zip(rows.tolist(), found, strict=True):
        p5, p25, p50, p75, p95 = (quantile(one.scores, one.counts, q) for q in (0.05, 0.25, 0.5, 0.75, 0.95))
        axes.plot([p5, p95], [row, row], color="#010200", linewidth=1.5)
        axes.plot([p25, p75], [row, row], color="#010200", linewidth=8, alpha=0.45, solid_capstyle="butt")
        axes.plot([p50], [row], "o", color="#010200", markersize=6)
    axes.set_xlabel("score: median, middle half, 5 to 95 per cent of seats")
    axes.grid(axis="x", linewidth=0.7)


def quantile(values: Sequence[float], counts: Sequence[int], q: float) -> float:
    """The smallest value that has at least the part `q` of all at or below it; nan of none."""
    total = sum(counts)
    below = 0
    for value, count in zip(values, counts, strict=True):
        below += count
        if below >= q * total:
            return value
    return math.nan


def times(name: str, found: Sequence[Times]) -> Markup:
    """Medians, 95 per cent points and maxima on a logarithmic scale."""
    shown = [one for one in found if one.p50 > 0]
    with _drawing(0.75 + 0.3 * len(shown), left=max(len(one.label) for one in shown)) as (figure, axes):
        rows = np.arange(len(shown))[::-1]
        for row, one in zip(rows.tolist(), shown, strict=True):
            axes.plot([one.p50, max(one.p50, one.longest)], [row, row], color=_LINE, linewidth=1.5)
            axes.plot([one.p50, one.p95], [row, row], color="#010200", linewidth=5, solid_capstyle="butt")
            axes.plot([one.p50], [row], "o", color="#010200", markersize=7)
            axes.plot([one.longest], [row], "|", color=_SOFT, markersize=11, markeredgewidth=2)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.set_yticks(rows, [one.label for one in shown])
        axes.tick_params(axis="y", length=0, labelcolor=_INK)
        axes.set_xlabel("CPU ms a decision: dot p50, bar to p95, mark longest")
        axes.grid(axis="x", linewidth=0.7)
        axes.margins(y=0.15)
        return _svg(figure, name)
    raise AssertionError


@contextmanager
def _drawing(height: float, *, left: int, right: int = 1, above: float = 0.08) -> Iterator[tuple[Any, Any]]:
    """A figure of the pages' style, with room for so many characters at its sides and inches above.

    No window, no global state; a layout engine would draw everything twice.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height))
        axes = figure.add_subplot()
        sides = [min(0.42, (0.18 + 0.09 * count) / _WIDTH) for count in (left, right)]
        figure.subplots_adjust(
            left=sides[0], right=1 - sides[1], bottom=0.55 / height, top=1 - above / height
        )
        yield figure, axes


def _svg(figure: Any, name: str) -> Markup:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    used = set(re.findall(r"#([\w-]+)", text))
    text = re.sub(r' id="([\w-]+)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", text)
    text = re.sub(r'(href="|url\()#', rf"\1#{name}-", text)
    for colour, variable in (_VARIABLES | _SHADES).items():
        text = text.replace(colour, f"var({variable})")
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font: \1 system-ui, sans-serif", text)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(
        r'<svg ([^>]*?)width="[^"]*"', r"<svg \1", re.sub(r'height="[\d.]+pt" ', "", text, count=1), count=1
    )
    return pages.markup(re.sub(r"\n\s*", "\n", text).replace("<svg ", '<svg aria-hidden="true" ', 1))
