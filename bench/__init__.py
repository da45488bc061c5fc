"""Compare the speed of the provided games with that of other libraries."""
