"""The student's process: started, timed and confined here; `inside/` runs beside student code."""
