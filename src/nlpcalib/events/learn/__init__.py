"""Pages that ask for labels of events, and what is read back from them."""
