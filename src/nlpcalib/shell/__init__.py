"""The subcommands of `nlpcalib`: a module each with what it runs, and a table of its options in `options`."""
