"""One file for each question: a function of the table, and its report."""
