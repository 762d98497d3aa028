"""The language the rest of Assent is written in: frozen structs, no input or output."""
