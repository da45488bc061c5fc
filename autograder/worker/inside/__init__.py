"""The worker's side. It imports nothing of the grader's; `protocol` is loaded by both."""
