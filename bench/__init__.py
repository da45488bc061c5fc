"""The speed of the provided games under the solution's searches, beside that of other libraries."""
