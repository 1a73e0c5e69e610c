"""In which relations the entities of a country stand, and in which to *attack* (paper, appendix 3).

python benchmarks/country_dependencies.py results/events/newswire/reports/1-of-2.conllu \\
    results/coref/newsroom/likelihood/model.npz
"""

import argparse
from collections import Counter
from itertools import islice

from nlpcalib.systems.coref import resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.events.country_dependencies import country_dependencies

DOCUMENTS, SHOWN = 400, 10


def main(path_documents: str, path_model: str) -> None:
    """Print the most frequent relations, and those to *attack*."""
    lexicon = load_lexicon(["newsroom"])
    documents = islice(read_conllu(path_documents), DOCUMENTS)
    found = sum((country_dependencies(each, lexicon) for each in resolve(documents, load_model(path_model))), Counter())
    every, attack = Counter(), Counter()
    for (relation, lemma), number in found.items():
        every[relation] += number
        attack[relation] += number * (lemma == "attack")
    for name, counts in (("all", every), ("attack", attack)):
        print(name, counts.total(), counts.most_common(SHOWN))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path_documents", metavar="DOCUMENTS")
    parser.add_argument("path_model", metavar="MODEL")
    main(**vars(parser.parse_args()))
