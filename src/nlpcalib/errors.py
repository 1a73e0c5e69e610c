"""The one exception that bad input raises."""


class InputError(ValueError):
    """Input that cannot be used: the message names the place, what was found and what was expected."""
