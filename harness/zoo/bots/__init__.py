"""A zoo of bots: one for each way to misbehave. They are read as files, and imported in seats only."""
