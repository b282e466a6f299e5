"""From SOURCE as the user writes it to a tree at one commit."""
