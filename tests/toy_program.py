"""`assent` with the toy harness registered: ``python -m tests.toy_program up``."""

import sys

from assent.cli import main
from assent.harnesses import registry
from tests import toy_harness

if __name__ == "__main__":
    registry.HARNESSES[toy_harness.NAME] = toy_harness
    sys.exit(main.run(sys.argv[1:]))
