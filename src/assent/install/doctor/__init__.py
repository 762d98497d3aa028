"""Checks that tell whether Assent really works here."""
