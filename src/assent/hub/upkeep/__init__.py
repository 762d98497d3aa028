"""Background work: retention, watching settings and transcripts, recording changes."""
