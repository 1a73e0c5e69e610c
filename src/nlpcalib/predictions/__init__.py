"""Anyone's predictions as pairs: arrays, tables, and the outputs of other tools."""
