"""Three words that stand for a secret and a key: people compare them on two screens."""

import functools
import hashlib
from importlib import resources

COUNT = 3


@functools.cache
def known() -> tuple[str, ...]:
    return tuple(resources.files("assent.hub.access").joinpath("words.txt").read_text("ascii").split())


def of(secret: str, proof: str) -> tuple[str, ...]:
    """The words for whoever came with this one-time secret and this key."""
    digest = hashlib.sha256(f"assent words\n{secret}\n{proof}".encode()).digest()
    words = known()
    return tuple(words[int.from_bytes(digest[4 * at : 4 * at + 4]) % len(words)] for at in range(COUNT))
