"""From a run folder's Parquet files to frames, results and statistics."""
