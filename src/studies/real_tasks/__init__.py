"""Twelve real tasks: labels are drawn from annotated corpora, whose truth is known, again and again."""
