"""Pure folds of records: what people look at."""
