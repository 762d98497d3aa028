"""Addresses of the page, as chats take them."""

from urllib.parse import urlsplit


def is_button_address(url: str) -> bool:
    """Chats refuse a whole message over a button to a name without a dot."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return url.startswith(("https://", "http://")) and ("." in host or ":" in host)
