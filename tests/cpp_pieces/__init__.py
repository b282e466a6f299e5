"""Meaning tests of the C++ polyfill pieces: the same calls under torch and under Paddle."""
