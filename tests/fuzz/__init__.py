"""Fuzz every reader of bytes that porter did not write: `python -m tests.fuzz --seconds 60`."""
