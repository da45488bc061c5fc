"""The project's own tests: `make check`."""
