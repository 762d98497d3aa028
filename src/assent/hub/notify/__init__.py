"""Notifications: asks and notices on surfaces other than the page."""
