"""How well the judge judges: labelled lines, what it says about each, and what other guards say."""
