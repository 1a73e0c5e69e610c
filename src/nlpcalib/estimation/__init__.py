"""Estimates of a corpus from the probabilities of all items and the labels of a probability sample.

`planning` plans what to read next, `estimates` estimates a corpus and its groups. `working_model`
recalibrates on the labels, and `score` inverts the test whose interval is reported.
Nothing here reads, prints or draws.
"""
