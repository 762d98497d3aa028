"""Harnesses by name."""

import pytest

from assent.harnesses import names, registry
from assent.harnesses.base import Harness


def test_every_harness_has_the_name_it_is_registered_by() -> None:
    """A record names its harness; the name must lead back to the module that wrote it."""
    assert {name: harness.NAME for name, harness in registry.HARNESSES.items()} == {
        name: name for name in registry.HARNESSES
    }


def test_an_unknown_name_has_no_harness() -> None:
    assert registry.of("abacus") is None


def test_the_default_is_registered() -> None:
    assert registry.default() is registry.of(registry.DEFAULT)


def test_every_harness_has_the_names_that_sentences_use() -> None:
    """They stand apart from the modules, which take longer to import."""
    for name, harness in registry.HARNESSES.items():
        assert (names.TITLES[name], names.PROGRAMS[name]) == (harness.TITLE, harness.PROGRAM)
        assert names.filled("Start {program}.") == f"Start {registry.default().PROGRAM}."


@pytest.mark.parametrize("name", registry.HARNESSES)
def test_module_has_every_member_of_a_harness(name: str) -> None:
    """Modules are cast to the interface, so no type checker looks."""
    members = {*Harness.__annotations__, *(each for each in vars(Harness) if not each.startswith("_"))}
    assert {each for each in members if not hasattr(registry.HARNESSES[name], each)} == set()
