"""Code the leads of a shard of parsed documents: each sentence by the first of its verbs whose agent is a country's."""

from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.io.files import write_csv
from nlpcalib.io.progress import with_progress
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.corpora.annotated import count_documents
from reproduction.events.country_tables import country_tables
from reproduction.extraction_eval.leads import coded_leads
from reproduction.workflow.run_script import run_script


def main(
    path_documents: str,
    path_codings: str,
    *,
    path_model: str | None,
    lexicon: Sequence[str],
    path_lexicon: str | None,
    dictionary: Mapping[str, Mapping],
) -> None:
    """Write a row for each lead.

    `dictionary` has the `verbs` of each category; `path_model` is the coreference model, None for that of the library.
    """
    countries = load_lexicon(lexicon, country_tables(path_lexicon))
    category_of = {verb: category for category, entry in dictionary.items() for verb in entry["verbs"]}
    model = load_model(path_model) if path_model else None

    def rows() -> Iterator[dict]:
        resolutions = resolve(read_conllu(path_documents), model)
        for resolution in with_progress(resolutions, "document", count_documents(path_documents)):
            yield from coded_leads(resolution, category_of, countries)

    write_csv(path_codings, list(rows()))


if "snakemake" in globals():
    run_script(main, snakemake)
