"""What a repository has for Ascend NPUs: routes to torch, operators, their pieces."""
