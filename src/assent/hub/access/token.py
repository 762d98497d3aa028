"""Tokens are compared in a time that tells nothing about them."""

import hmac


def is_token(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))
