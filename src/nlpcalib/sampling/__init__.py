"""A probability sample of any items: which to annotate, the blind sheet and page, and the labels that come back.

`frame` has the items in strata and in the order in which they join the sample, `allocation` and `plan` how many of each
stratum are read. `sheet` and `page` ask for labels without showing a prediction. `exports` and `labels` read them back
by annotator, `settling` and `agreement` compare annotators, and `samples` is the labelled sample that estimates use.
"""
