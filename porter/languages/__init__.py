"""One module a language: bytes in, spans and resolved names out."""
