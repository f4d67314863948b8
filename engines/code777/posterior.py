"""How likely each content of the own rack is, exactly, given everything that a view proves.

**Why it is exact.** Tiles of one type are alike, so a game's chance events are the deal and the refills,
each a draw of three from the pile: with P_t tiles of type t in it, c_t of them are drawn with probability
prod_t C(P_t, c_t) / C(|P|, 3). Pile sizes are public, so the denominators are the same for all histories
that give one view. Moves count as made without regard to hidden tiles (an opponent's silence is evidence
only to those who trust it). So a history is as likely as the product of its binomials says, if it agrees
with every answer, with the outcome of every announcement and with all tiles that the seat has seen or was
shown.

What the seat has not seen are the former contents of its own rack after wrong announcements, and the
present one. Take one epoch, from a refresh of the pile to the next. Nothing returns to the pile within
it, so the binomials of one tile type multiply to a multinomial: with P_t tiles to start with and U_t of
them never seen by this seat, prod_t (P_t - x_t)! / (U_t - y_t)! times 1 / c_t! for each own rack drawn
unseen, where x is the own rack that stood when the epoch began (it is not in the pile), and y is all own
unseen tiles of the epoch, out of play or on the rack. Without former racks and refreshes this is the
familiar prod_t C(U_t, c_t). A refresh lets all tiles return but those on racks. A rack that stood through
it has a factor in both epochs, which says that it cannot hold what its owner saw elsewhere meanwhile; a
rack emptied by the very refill that caused the refresh binds the new one in no way (A55).

With refresh=0 the pile runs out in the middle of a refill (A56): the first tile or tiles of the new rack
belong to the old epoch and the others to the next. Which tile came first is not in the log, so the
possibilities are summed.

If the log begins late (a game from a position), tiles were out of play that nobody can name; until the
next refresh these and the draw pile are alike, and the same formula holds with both taken together.

**How.** Answers given by other readers, while one content stood, bear on that content alone; they leave
of its 251 possible ones few (evidence.py). Weights go forward epoch by epoch (histories.py): a weight for
each multiset of own unseen tiles out of play, then for each content of the rack that stands. That is
exact for any number of former racks; the time grows with how many of them share an epoch.
"""

from __future__ import annotations

from engines.code777.evidence import Evidence
from engines.code777.histories import Histories
from engines.code777.tiles import NUMBER_INDEX, NUMBER_NAMES, RACK_INDEX, RACK_NAMES
from engines.code777.view import Code777View

_KEPT = 32
_solved: dict[tuple[object, ...], Histories] = {}


def solved(view: Code777View) -> Histories:
    """All histories of the own rack that agree with a view; the last few results are kept."""
    window = (view.question, view.answer, view.reader, view.turn < 0, view.done, any(view.refills))
    options = (view.tiles, view.refresh, view.colours, view.at_least, view.draw + view.away)
    key = (view.seat, view.racks, view.pages, window, options)
    found = _solved.get(key)
    if found is None:
        found = Histories(Evidence(view))
        if len(_solved) >= _KEPT:
            del _solved[next(iter(_solved))]
        _solved[key] = found
    return found


def posterior(view: Code777View) -> dict[str, float]:
    """The chance of every possible content of the own rack, by its name in an announcement.

    Names are `5-6-7`, where colours count `5R-5R-7P`, in the order of the moves; impossible ones are left
    out. Exact, up to rounding, however many own racks have left unseen. A view that has been shown its
    rack (the winner's) gives 1 to that.
    """
    places, names = (RACK_INDEX, RACK_NAMES) if view.colours else (NUMBER_INDEX, NUMBER_NAMES)
    if code := view.racks[view.seat]:
        return {names[places[code]]: 1.0}
    histories = solved(view)
    sums: dict[int, float] = {}
    for candidate, chance in zip(histories.codes[-1], histories.present, strict=True):
        if chance > 0:
            place = places[candidate]
            sums[place] = sums.get(place, 0.0) + chance
    return {names[place]: sums[place] for place in sorted(sums)}
