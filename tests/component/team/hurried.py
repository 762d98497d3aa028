"""``assent`` that comes back at once, however often it was killed within a minute.

    python -m tests.component.team.hurried up

A hub whose stream breaks again and again waits longer each time, and a relay gives hubs half a minute to post again
what is open: right for a team, and most of the time of a test that kills both. What comes too late for the shorter
times is shown again."""

import sys

from assent.cli import main

HURRIED = "tests.component.team.hurried"

if __name__ == "__main__":
    if sys.argv[1] == "relay":
        from assent.relay import exchange

        exchange.CONFIRMED_WITHIN_MS, exchange.DOUBT_SECONDS, exchange.UPKEEP_SECONDS = 5_000, 3.0, 1.0
    else:
        from assent.hub.team import link

        link.SOONEST, link.LONG = 0.3, 0.0
    sys.exit(main.run(sys.argv[1:]))
