"""Surfaces: chats, notifications and webhooks on which asks are shown and answered."""
