"""Groups of similar texts are those that vectors show, and their names are words that tell them apart."""

import numpy as np
import pytest
from nlpcalib.questions.explore import explore

import nlpcalib as nc
from nlpcalib.systems.text.similar import MAX_SIMILAR_GROUPS, group_names, similar_groups


def clusters(sizes=(60, 40), dimensions=8):
    rng = np.random.default_rng(2)
    centres = np.eye(len(sizes), dimensions)
    kind = np.repeat(np.arange(len(sizes)), sizes)
    found = centres[kind] + 0.05 * rng.normal(size=(sum(sizes), dimensions))
    return kind, found / np.linalg.norm(found, axis=1, keepdims=True)


def test_clear_clusters_are_found_and_numbered_by_size():
    kind, vectors = clusters((30, 45))
    groups = similar_groups(vectors)
    assert len(np.unique(groups)) == 3
    for group in np.unique(groups):
        assert len(np.unique(kind[groups == group])) == 1, "a group mixes two kinds"
    sizes = np.bincount(groups)
    assert (np.diff(sizes) <= 0).all()
    assert similar_groups(clusters((900,))[1]).max() + 1 <= MAX_SIMILAR_GROUPS


def test_names_are_words_that_others_lack():
    texts = ["the crew of the boat"] * 3 + ["the price of bread"] * 2
    assert group_names(np.array([0, 0, 0, 1, 1]), texts) == ["1: boat, crew, the", "2: bread, price, the"]
    assert group_names(np.array([0, 1]), None) == ["group 1", "group 2"]


def test_a_page_has_groups_in_the_place_of_labels(tmp_path):
    kind, vectors = clusters()
    table = tmp_path / "p.csv"
    rng = np.random.default_rng(4)
    q, words = rng.random(100).round(3), ("boat crew", "bread price")
    rows = [f"d{n},{p},{int(rng.random() < p)},{words[k]} {n}" for n, (k, p) in enumerate(zip(kind, q, strict=True))]
    table.write_text("\n".join(["id,q,y,text", *rows]) + "\n", encoding="utf-8")
    found = explore(table, vectors=dict(zip([f"d{n}" for n in range(100)], vectors, strict=True)))
    words = {tuple(name.split(": ")[1].split(", ")) for name in found.rows.label}
    assert all({"boat", "crew"} <= set(each) or {"bread", "price"} <= set(each) for each in words)
    labelled = tmp_path / "l.csv"
    labelled.write_text(
        "\n".join(["id,q,y,label", *(f"d{n},{p},{n % 2},a" for n, p in enumerate(q))]) + "\n", encoding="utf-8"
    )
    with pytest.raises(nc.InputError, match="found vectors= with labels of rows"):
        explore(labelled, vectors=vectors)
    with pytest.raises(nc.InputError, match="found 5 vectors, expected 100, one of each text"):
        explore(table, vectors=vectors[:5])
