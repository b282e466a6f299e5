"""The stages of a run: each takes the record, does its work, and gives the record back."""
