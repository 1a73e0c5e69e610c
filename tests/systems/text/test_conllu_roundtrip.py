import io

from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.systems.text.conllu import parse_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence

# Everything that UTF-8 can hold but for the separators of the format; `_` alone means "nothing" in most columns.
values = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), min_size=1, max_size=6)
labels = values.filter(lambda value: value != "_")
tags = labels.filter(lambda value: value == value.strip(" "))
ids = values.filter(lambda value: value == value.strip(" "))
entities = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r()|"), min_size=1, max_size=3)
keys = ids.filter(lambda value: "=" not in value and value != "dateCreated")
metadata_values = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), max_size=6).map(
    lambda v: v.strip(" ")
)


def column(size, elements):
    return st.just(()) | st.lists(elements, min_size=size, max_size=size).map(tuple)


@st.composite
def sentences(draw):
    words = tuple(draw(st.lists(values, min_size=1, max_size=6)))
    spaces = draw(column(len(words), st.booleans()))
    return Sentence(
        id=draw(ids),
        words=words,
        tags=draw(column(len(words), tags)),
        lemmas=draw(column(len(words), labels)),
        universal_tags=draw(column(len(words), tags)),
        heads=draw(column(len(words), st.integers(0, len(words)))),
        relations=draw(column(len(words), tags)),
        space_after=() if all(spaces) else spaces,
        speaker=draw(st.none() | ids),
    )


@st.composite
def mentions(draw, sentence, size):
    """Any mentions, nested, crossing, with one entity open twice; but those of one entity do not cross each other."""
    found = set()
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, size - 1))
        mention = Mention(sentence, start, draw(st.integers(start + 1, size)), draw(st.sampled_from("123") | entities))
        pairs = [sorted([other, mention]) for other in found if other.entity == mention.entity]
        if not any(one.start < two.start < one.end < two.end for one, two in pairs):
            found.add(mention)
    return found


@st.composite
def documents(draw, identifier):
    columns = draw(st.lists(sentences(), min_size=1, max_size=3))
    found = [m for number, s in enumerate(columns) for m in draw(mentions(number, len(s.words)))]
    metadata = draw(st.dictionaries(keys, metadata_values, max_size=3))
    return Document(identifier, tuple(columns), tuple(sorted(found)), draw(st.none() | st.dates()), metadata)


@st.composite
def corpora(draw):
    return [draw(documents(identifier)) for identifier in draw(st.lists(ids, unique=True, max_size=3))]


@given(corpora())
def test_documents_come_back_as_they_were_written(corpus):
    stream = io.StringIO()
    write_conllu(stream, corpus)
    assert list(parse_conllu(io.BytesIO(stream.getvalue().encode()), "corpus.conllu")) == corpus
