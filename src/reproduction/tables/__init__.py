"""Tables of the report that are made of result files: a function for each row of workflow/rules/tables.smk."""
