"""Cards: what a person is shown of an ask, made once for every surface."""
