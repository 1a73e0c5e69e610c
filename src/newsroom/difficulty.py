"""How hard the simulated text is to read: a few shares, each with its name."""

from __future__ import annotations

from dataclasses import dataclass, fields

from nlpcalib.errors import InputError


@dataclass(frozen=True)
class Difficulty:
    """What makes a report hard for a tagger, a coreference model and a dictionary of events; all are in [0, 1].

    Raises `InputError` for a share outside of it.
    """

    coined: float = 0.55
    """Share of common nouns that are compounds which few texts share (oiltreaty); adjectives, a third as often."""
    ambiguous: float = 1.0
    """How far words that can be noun and verb, or adjective and noun, are preferred: report, back, official."""
    rivals: float = 0.9
    """Chance that a new actor resembles one that the report has already: another minister, other troops."""
    vague: float = 0.9
    """Chance that an actor is a pronoun or a bare description again where another one fits it as well."""
    figurative: float = 0.3
    """Share of political events reported by a verb that a dictionary takes for another event: he attacked the plan."""

    def __post_init__(self) -> None:
        """Check the shares."""
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= 1:
                raise InputError(
                    f"difficulty: found {field.name} = {getattr(self, field.name)}, expected a share from 0 to 1"
                )
