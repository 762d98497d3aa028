"""The real hub, whose chat services run on loopback: neither settings nor the environment could tell it where.

python -m tests.e2e.lab.connected_hub '{"telegram": "http://127.0.0.1:4711"}'
"""

import json
import sys

from assent import paths
from assent.hub import daemon
from assent.surfaces.registry import Addresses

if __name__ == "__main__":
    daemon.run(paths.find(), addresses=Addresses(json.loads(sys.argv[1])))
