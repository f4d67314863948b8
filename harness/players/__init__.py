"""The seam between a match and whoever decides for a seat, in this process or elsewhere."""

from harness.players.base import BotFault, Player
from harness.players.local import LocalPlayer
from harness.players.scripted import ScriptedPlayer

__all__ = ["BotFault", "LocalPlayer", "Player", "ScriptedPlayer"]
