"""Recalibrate a tagger on the development set, and measure on the test set what it and flat recalibration do."""

import logging
from dataclasses import asdict

from nlpcalib.io.files import write_csv
from nlpcalib.recalibration.fitting import fit_isotonic
from nlpcalib.systems.chains.recalibration import CHAIN_RECALIBRATIONS
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.flat_maps import fit_by_class
from reproduction.tagging.recalibration import choose
from reproduction.tagging.recalibration_errors import TestSet
from reproduction.tagging.scikit_learn import calibrated_classifier
from reproduction.tagging.templates import with_templates
from reproduction.workflow.run_script import run_script


def main(
    path_model: str,
    path_dev: str,
    path_test: str,
    path_recalibrated: str,
    path_choice: str,
    path_errors: str,
    seed: int,
) -> None:
    """Write the recalibrated model, how methods did on the development set, and errors of each on the test set.

    Methods of chains come first, then those that have the marginals alone: with each row divided by its sum, and, as
    they are for a tag on its own, not.
    """
    chain = LinearChain.load(path_model)
    templates = chain.metadata.get("templates", ())
    dev, test = (with_templates(tagged_corpus(read_conllu(path)), templates) for path in (path_dev, path_test))
    choice = choose(chain, dev, seed=seed)
    chosen = choice.weights[choice.method]
    said = (choice.method, chosen.state, chosen.transition, chosen.bias.min(), chosen.bias.max())
    logging.info("%s: weight %.2f of states, %.2f of transitions, biases from %.2f to %.2f", *said)
    choice.apply(chain).save(path_recalibrated)
    write_csv(path_choice, [asdict(row) for row in choice.rows])

    measured = TestSet(chain, test)
    rows = [measured.of_chain(method, choice.apply(chain, method)) for method in CHAIN_RECALIBRATIONS]
    _, gold = dev.gold_in(chain.tags)
    q, new = (chain.marginals(corpus.tokens, corpus.lengths).single for corpus in (dev, test))
    for method in ("temperature", "beta"):
        flat = fit_by_class(q, gold, method=method)(new)
        rows.append(measured.of_marginals(f"{method} by tag, renormalised", flat))
    for method in ("temperature", "isotonic"):
        flat = calibrated_classifier(q, gold, new, method=method)
        rows.append(measured.of_marginals(f"{method}, scikit-learn", flat))
    for tag in range(new.shape[1]):
        new[:, tag] = fit_isotonic(q[:, tag], gold == tag)(new[:, tag])
    rows.append(measured.of_marginals("isotonic by tag", new))
    write_csv(path_errors, [{**asdict(row), "chosen": row.recalibration == choice.method} for row in rows])


if "snakemake" in globals():
    run_script(main, snakemake)
