"""What a run has found so far, on disk, and what it comes to."""
