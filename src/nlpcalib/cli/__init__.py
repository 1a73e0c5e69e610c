"""The command line: a file for each command, which parses options, calls the function of the question, and prints."""
