"""From findings to a patch series, and to a branch of the user's clone."""
