"""The worker's side. It imports nothing of the grader; both load `protocol`."""
