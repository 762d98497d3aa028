"""Asks: their states, permitted answers, and cards."""
