"""OntoNotes as the CoNLL shared tasks distribute it: words, constituents, and the dependencies that they imply."""
