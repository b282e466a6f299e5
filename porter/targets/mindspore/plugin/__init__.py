"""Operators of torch in C++ as a plugin: a project of its own beside the one that they are of."""
