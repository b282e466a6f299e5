"""Operators of Ascend NPUs from one route into torch to another, as far as it is mechanical."""
