"""Bots that misbehave, one file for each way, and the keeper who plays them against an honest one.

`croupier doctor --zoo` shows on a user's own machine what the level of isolation there holds back.
"""
