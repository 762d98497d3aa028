"""Secrets in the system's keyring, read as the hub starts. One that asks its owner for a password is not waited for."""

import asyncio
import threading
from collections.abc import Callable

from assent.vault import OPENING, Vault

# The gates open only after this.
PATIENCE = 1.5


async def unlock(vault: Vault, opened_late: Callable[[], object], patience: float = PATIENCE) -> None:
    """Returns once all is known, or after a moment; ``opened_late`` is called on the loop if it is known after that."""
    if not vault.is_closed():
        return
    loop, opened = asyncio.get_running_loop(), asyncio.Event()
    is_late = False

    def arrived() -> None:
        opened.set()
        if is_late:
            opened_late()

    def read() -> None:
        vault.load()
        try:
            loop.call_soon_threadsafe(arrived)
        except RuntimeError:
            pass  # The hub has ended meanwhile.

    vault.trouble = OPENING
    # A daemon: the hub can end while a dialog waits for somebody.
    threading.Thread(target=read, name="keyring", daemon=True).start()
    try:
        async with asyncio.timeout(patience):
            await opened.wait()
    except TimeoutError:
        is_late = True
