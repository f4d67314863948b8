"""The contract of a bot and what checks it."""
