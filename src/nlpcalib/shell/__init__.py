"""The subcommands of `nlpcalib`: a module each, with `add`, which describes its options, and what it runs."""
