"""The code that connects a chat account."""

from assent.surfaces import binding


def test_code_counts_once_for_ten_minutes_and_five_wrong_tries() -> None:
    """A new one ends the one before."""
    clock = [0.0]
    code = binding.begun("1", lambda: clock[0])
    assert code.tried("hello") is None
    assert code.tried(f"/start {code.code[:3]} {code.code[3:]}") is True
    assert (code.tried(code.code), code.state) == (None, "bound")
    late = binding.begun("1", lambda: clock[0])
    clock[0] = binding.LIFE
    assert (late.tried(late.code), late.state) == (None, "too_late")
    tried = binding.begun("1", lambda: clock[0])
    wrong = "000000" if tried.code != "000000" else "111111"
    assert [tried.tried(wrong) for _ in range(6)] == [False] * 5 + [None]
    assert (tried.tried(tried.code), tried.state, binding.of("1")) == (None, "too_many", tried)
    binding.forgotten("1")
    assert binding.of("1") is None


def test_account_is_connected_only_once_saved() -> None:
    """The state is "bound" only when it counts."""
    assert [binding.standing("2", is_anybody=found) for found in (False, True)] == ["", "bound"]
    code = binding.begun("2")
    assert binding.standing("2", is_anybody=True) == "waiting"
    assert code.tried(code.code)
    assert [binding.standing("2", is_anybody=found) for found in (False, True)] == ["waiting", "bound"]
    binding.forgotten("2")
