"""Decisions and answers for programs that collect logs, sent behind everything else the hub does."""
