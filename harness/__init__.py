"""Tournaments: schedules, workers, results, rankings."""
