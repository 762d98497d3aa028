"""``python -m assent`` is the same program as ``assent``."""

from assent.cli.main import main

if __name__ == "__main__":
    main()
