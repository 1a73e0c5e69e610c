FROM condaforge/miniforge3:latest
LABEL io.github.snakemake.containerized="true"
LABEL io.github.snakemake.conda_env_hash="19a3c2b69b5387ef4e53f3c0d92d27198e63b234bcac335f4e8e74eafd7c836f"
# Conda environment:
#   source: envs/crf.yaml
#   prefix: /conda-envs/62bc04a65fee4d308d2b0ad477967e5e
#   # Training conditional random fields.
#   channels:
#     - conda-forge
#     - nodefaults
#   dependencies:
#     - python =3.11
#     - numpy ==2.4.6
#     - pyarrow ==26.0.1
#     - python-crfsuite ==0.9.12
#     - scipy ==1.17.1
RUN mkdir -p /conda-envs/62bc04a65fee4d308d2b0ad477967e5e
COPY envs/crf.yaml /conda-envs/62bc04a65fee4d308d2b0ad477967e5e/environment.yaml
# Conda environment:
#   source: envs/base.yaml
#   prefix: /conda-envs/d4decb1dfba539cf4dbc520809a9cce9
#   # Everything but training and retrieval: the instrument, inference, figures.
#   channels:
#     - conda-forge
#     - nodefaults
#   dependencies:
#     - python =3.11
#     - matplotlib-base ==3.11.2
#     - numpy ==2.4.6
#     - pyarrow ==26.0.1
#     - scipy ==1.17.1
#     - threadpoolctl ==3.8.0
RUN mkdir -p /conda-envs/d4decb1dfba539cf4dbc520809a9cce9
COPY envs/base.yaml /conda-envs/d4decb1dfba539cf4dbc520809a9cce9/environment.yaml
# Conda environment:
#   source: envs/parsing.yaml
#   prefix: /conda-envs/01823560c442ae3f1d50d04ede2f5a2f
#   # Training and running spaCy parsers.
#   channels:
#     - conda-forge
#     - nodefaults
#   dependencies:
#     - python =3.11
#     - numpy ==2.4.6
#     - spacy ==3.8.18
#     - threadpoolctl ==3.8.0
RUN mkdir -p /conda-envs/01823560c442ae3f1d50d04ede2f5a2f
COPY envs/parsing.yaml /conda-envs/01823560c442ae3f1d50d04ede2f5a2f/environment.yaml
# Conda environment:
#   source: envs/sentiment.yaml
#   prefix: /conda-envs/7b68eb6f0cbf0d5e1e8e435a73eb6508
#   # Training Naive Bayes and logistic regression.
#   channels:
#     - conda-forge
#     - nodefaults
#   dependencies:
#     - python =3.11
#     - numpy ==2.4.6
#     - pyarrow ==26.0.1
#     - scikit-learn ==1.9.1
#     - scipy ==1.17.1
RUN mkdir -p /conda-envs/7b68eb6f0cbf0d5e1e8e435a73eb6508
COPY envs/sentiment.yaml /conda-envs/7b68eb6f0cbf0d5e1e8e435a73eb6508/environment.yaml
# Conda environment:
#   source: envs/workflow.yaml
#   prefix: /conda-envs/4b0cb6ecb540e6c999e0462de0139363
#   # Retrieval of corpora and the record of a run.
#   channels:
#     - conda-forge
#     - nodefaults
#   dependencies:
#     - python =3.11
#     - numpy ==2.4.6
#     - pyyaml ==6.0.3
#     - requests ==2.34.2
RUN mkdir -p /conda-envs/4b0cb6ecb540e6c999e0462de0139363
COPY envs/workflow.yaml /conda-envs/4b0cb6ecb540e6c999e0462de0139363/environment.yaml

RUN conda env create --prefix /conda-envs/62bc04a65fee4d308d2b0ad477967e5e --file /conda-envs/62bc04a65fee4d308d2b0ad477967e5e/environment.yaml && \
    conda env create --prefix /conda-envs/d4decb1dfba539cf4dbc520809a9cce9 --file /conda-envs/d4decb1dfba539cf4dbc520809a9cce9/environment.yaml && \
    conda env create --prefix /conda-envs/01823560c442ae3f1d50d04ede2f5a2f --file /conda-envs/01823560c442ae3f1d50d04ede2f5a2f/environment.yaml && \
    conda env create --prefix /conda-envs/7b68eb6f0cbf0d5e1e8e435a73eb6508 --file /conda-envs/7b68eb6f0cbf0d5e1e8e435a73eb6508/environment.yaml && \
    conda env create --prefix /conda-envs/4b0cb6ecb540e6c999e0462de0139363 --file /conda-envs/4b0cb6ecb540e6c999e0462de0139363/environment.yaml && \
    conda clean --all -y
