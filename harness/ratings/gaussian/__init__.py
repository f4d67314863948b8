"""The arithmetic under TrueSkill: truncated normal distributions, and messages along a row of sides."""
