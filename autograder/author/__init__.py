"""The instructor's side: cases, stubs and zips made from the solution. Never shipped."""
