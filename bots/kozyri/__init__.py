"""Parts of the bots for the Kozyri family."""
