"""What no text asks for: our own evidence, which uses the library, the newsroom and the reproduction."""
