"""What a run of `assent exec` may say of itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.modes import VARIABLE, OnAsk, Run, read, write
from assent.shim import forward


@pytest.mark.parametrize("on_ask", ["deny", "wait", "hand-back"])
def test_run_is_read_as_it_was_written(on_ask: OnAsk) -> None:
    """What goes through a hook's environment comes back."""
    run = Run(id="0f3a", on_ask=on_ask, wait=600, stance="strict", screenless=True)
    assert read(write(run)) == run
    assert read(None) is None


@given(st.text())
def test_unreadable_run_denies(text: str) -> None:
    """Whatever a forger writes there, it is one of three, none of which allows."""
    run = read(text)
    assert run is None if not text else run is not None and run.on_ask in ("deny", "wait", "hand-back")
    assert read("on-ask=allow") == read("on-ask=deny") == read("nonsense") == Run()


def test_shim_sends_what_the_hub_takes() -> None:
    """The shim imports nothing of ours, so the variable's name is a copy."""
    assert forward.RUN.decode() == VARIABLE
