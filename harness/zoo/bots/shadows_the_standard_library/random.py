"""Not the standard library's: whoever gets this one has been misled."""


def random() -> float:
    """No luck at all."""
    return 0.0


SHADOW = True
