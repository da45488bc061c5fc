"""The instructor's tools: cases, stubs and zips from the solution. Not released."""
