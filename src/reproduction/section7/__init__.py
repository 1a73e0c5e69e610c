"""What section 7 of the paper leaves open, one study a module; docs/explanation/section-7.md has what they found."""
