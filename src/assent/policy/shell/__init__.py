"""Reading shell: lexer, parser, words, and the walk that finds what a line would run."""
