"""The paper's query: country attack events."""

from nlpcalib.systems.events.read.query import Query

ATTACK = Query("attack", ("attack",))
