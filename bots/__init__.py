"""Players. `from bots import Bot, Seen` is all that a bot's file needs beside its game's own types."""

from bots.core.bot import Bot, Clock, Seen

__all__ = ["Bot", "Clock", "Seen"]
