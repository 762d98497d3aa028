"""The configured expressions are those of now."""

from assent.redact import Redactor


def test_changed_expressions_are_in_force_at_once() -> None:
    """A change of the configuration needs no new redactor."""
    wanted: tuple[str, ...] = ()
    redactor = Redactor(lambda text: f"{len(text):08x}", lambda: wanted)
    assert redactor.text("use ACME-1234") == "use ACME-1234"
    wanted = ("ACME-[0-9]+",)
    assert redactor.text("use ACME-1234") == "use ⟨extra:00000009⟩"
    assert redactor.storable({"prompt": "ACME-1"}) == {"prompt": "⟨extra:00000006⟩"}
    wanted = ()
    assert redactor.text("use ACME-1234") == "use ACME-1234"
