"""What porter needs of the machine: processes, the sandbox, files, its home."""
