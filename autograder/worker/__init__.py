"""Start, time and confine the student's process; `inside/` runs in that process."""
