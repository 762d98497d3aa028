"""The same battles every time on a build machine, new ones in `make soak`; KILL_SEED brings one back."""

import os
import secrets

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"


def seed_of(number: int) -> str:
    return f"{os.environ.get('KILL_SEED') or (secrets.token_hex(4) if SOAK else 'ci')} {number}"
