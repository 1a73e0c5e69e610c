# Coreference, further: how many different people documents have.
#
# Needs:  results/corpora/{dataset}/{split}.conllu with entities
# Makes:  results/tables/{dataset}/people.csv, by the model in the package
# Steps:  resolve and count


def people_targets():
    """Return the tables of the datasets that the configuration names splits of."""
    return expand("results/tables/{dataset}/people.csv", dataset=STUDIES["people"])


rule people_table:
    input:
        documents=expand(
            "{folder}/{split}.conllu",
            folder=lookup(dpath="{dataset}", within=TREES),
            split=lookup(dpath="{dataset}", within=STUDIES["people"]),
        ),
    output:
        page(
            "results/tables/{dataset}/people.html",
            "coref",
            table="different people",
        ),
        csv=["results/tables/{dataset}/people.csv"],
    log:
        "results/logs/tables/{dataset}/people.log",
    wildcard_constraints:
        dataset=one_of(STUDIES["people"]),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.coref.people"),
        make="studies.coref.people:people_table",
        seed=config["seed"],
    message:
        "Count the people in documents of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"
