"""The Svoyi Kozyri family: the duel, the classic game for two to four, and Hund."""
