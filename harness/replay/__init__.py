"""Stored matches to look at: a film of positions (`film`), as a page (`page`) or a screen of text (`screen`)."""
