"""Types shared by all of Assent: frozen structs, no input or output."""
