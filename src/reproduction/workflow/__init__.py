"""What jobs of the workflow need: the files between them, logs, records, and checksums of what they import."""
