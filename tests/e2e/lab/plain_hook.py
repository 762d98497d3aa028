"""A hook without Assent, for facts about the client itself: note the payload, print what it was told to print."""

import sys
from pathlib import Path

if __name__ == "__main__":
    log, answer = sys.argv[1:]
    with Path(log).open("a") as file:
        file.write(sys.stdin.read().strip() + "\n")
    sys.stdout.write(answer)
