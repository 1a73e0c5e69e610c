"""The metrics of the CoNLL shared tasks on coreference."""
