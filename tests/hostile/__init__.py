"""Hostile repositories, archives and interruptions, each with what must hold."""
