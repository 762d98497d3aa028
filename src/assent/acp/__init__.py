"""Proxy between an editor and any agent that speaks the Agent Client Protocol."""
