"""From the probabilities of all items and the labels of a probability sample to a number about the corpus.

`cells` reduces a corpus and its labels to a small table, `working_model` recalibrates on the labels, `score` inverts
the test whose interval is reported, and `methods` has the classical and the prediction-powered methods next to it.
"""
