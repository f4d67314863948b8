"""What the referee and a bot in another language say to each other, and its JSON Schemas."""
