"""Not the standard library's: whoever gets this one has been misled."""

SHADOW = True
