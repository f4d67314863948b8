"""The weights of the duel's evaluation (bots/kozyri/alphabeta.py), in 1/256 of a unit of log odds."""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = [
    0, -60, -120, -180, -240, -300, -360, -400, -440, -470, -490, -500,
    0, -120, -220, -300, -360, -400, -430,
    30, 20, 0,
    60, 80, 40,
    -5, -5, -5,
    -200,
    150,
    0,
]  # fmt: skip
