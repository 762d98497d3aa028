"""Python's collector, told that what a start makes stays: looking through it again takes as long as ten pictures."""

import gc
import threading

# By then everything is loaded, drawn, and the hub's snapshot is there.
SETTLED_AFTER = 1.0


def settle_soon() -> None:
    """Before the rest is loaded: it makes no garbage worth looking for."""
    gc.disable()
    timer = threading.Timer(SETTLED_AFTER, settle)
    timer.daemon = True
    timer.start()


def settle() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
