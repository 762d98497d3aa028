"""One module per coding agent: decode what it sends, encode what it honours."""
