"""Where matches are played: in this process, in worker processes, or on Ray. One seam, `base.Executor`."""
