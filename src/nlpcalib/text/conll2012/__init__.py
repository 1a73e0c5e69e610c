"""The shared tasks' OntoNotes: words, constituents, and the dependencies they imply."""
