"""The collector while the terminal UI starts, and after."""

import gc

from assent.tui import ending


def test_collector_rests_during_the_start_and_works_after_it() -> None:
    """What is there then is not looked through again; what comes later is."""
    try:
        gc.disable()
        ending.settle()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.enable()
        gc.unfreeze()
