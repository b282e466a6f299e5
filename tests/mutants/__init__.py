"""Single faults planted in our fixtures, to see whether parity finds them."""
