"""Coreference: the antecedent model as a producer of entity posteriors (paper, section 5)."""

from nlpcalib.coref.model import AntecedentModel, load_model
from nlpcalib.coref.reading import read_documents
from nlpcalib.coref.resolution import PACKAGED, Resolution, resolve

__all__ = ["PACKAGED", "AntecedentModel", "Resolution", "load_model", "read_documents", "resolve"]
