"""Forms of address before names, in lower case and without a full stop."""

FORMS_OF_ADDRESS = frozenset(("mr", "mrs", "ms", "miss", "mx", "dr"))
