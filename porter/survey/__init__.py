"""What a repository is: its files, packages, extensions, programs."""
