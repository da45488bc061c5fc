"""Ask a submission, and turn its replies into findings."""
