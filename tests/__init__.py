"""The graded tests, one file per question. Each is run once for every case of its number."""
