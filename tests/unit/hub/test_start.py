"""Modules a hub loads before it is ready: they cost start time and memory."""

import subprocess
import sys

# For push services, for screens elsewhere, for QR codes, for a shared journal; loaded when one of them is used.
LATER = {"cryptography", "httpx", "psycopg", "segno"}


def test_hub_starts_without_libraries_that_few_need() -> None:
    """Who has no phone and no database does not pay for them."""
    # A name without a module is one that is kept from being loaded.
    look = "import sys, assent.hub.daemon; print(*(name for name, module in sys.modules.items() if module))"
    shown = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout
    loaded = {name.partition(".")[0] for name in shown.split()}
    assert "uvicorn" in loaded
    assert not loaded & LATER
