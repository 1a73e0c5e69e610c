"""What makes pairs and samples from text: parsing, chains, coreference, events.

Inside the library, only the shell and the front door import it.
"""
