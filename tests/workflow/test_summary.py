"""The end of a run names what was made and where to look first."""

from reproduction.workflow.summary import run_summary


def test_a_whole_run_points_at_the_claims_and_at_the_figures():
    made = ["results/tables/check.html", "results/figures/a/figure_1.png", "results/figures/a/figure_1.pdf"]
    made += ["results/tagging/a/crf/tags/reliability.png", "results/tables/check.html", "results/events/pairs.parquet"]
    lines = run_summary(made).splitlines()
    assert lines[0] == "Up to date: 2 figures and 1 page of tables and texts."
    assert lines[1] == "Look first at results/tables/check.html."
    assert lines[2] == "Figures are in results/figures/a/"


def test_one_target_is_named_itself():
    assert "Look first at results/figures/a/figure_1.png." in run_summary(["results/figures/a/figure_1.png"])


def test_a_run_without_anything_to_look_at_points_nowhere():
    assert run_summary(["results/corpora/a/train.conllu"]).splitlines() == [
        "Up to date: 0 figures and 0 pages of tables and texts."
    ]
