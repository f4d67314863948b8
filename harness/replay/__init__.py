"""Stored matches to look at: a `film` of positions, as a `page` or a `screen` of text."""
