"""The real hub with what neither settings nor the environment could tell it: where chat services are that run on
loopback, and a clock that is ahead by some seconds.

python -m tests.e2e.lab.connected_hub '{"telegram": "http://127.0.0.1:4711"}' 600
"""

import json
import sys
import time

from assent import paths
from assent.hub import daemon
from assent.surfaces.registry import Addresses

_seconds, _ns = time.time, time.time_ns

if __name__ == "__main__":
    addresses, ahead = json.loads(sys.argv[1]), float((*sys.argv, "0")[2])
    time.time, time.time_ns = lambda: _seconds() + ahead, lambda: _ns() + int(ahead * 1e9)
    daemon.run(paths.find(), addresses=Addresses(addresses))
