"""Whom to read: a probability sample of any items, the blind sheet and page, and the labels that come back.

`strata` and `allocation` decide how many items of which predictions are read, `plan` draws and keeps them, `sheet` and
`page` ask for labels without showing a prediction, `exports` and `labels` read them back by annotator, and `settling`
and `agreement` compare several annotators of an item.
"""
