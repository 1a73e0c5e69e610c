"""Files that appear whole or not at all, and what is read from them without trust."""
