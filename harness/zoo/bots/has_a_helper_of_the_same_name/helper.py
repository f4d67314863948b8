"""A helper; its rival has one of the same name."""

OWNER = "zoo"
