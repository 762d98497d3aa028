"""Source files and their tests."""

from scripts import pairing


def test_every_source_file_has_tests_of_its_name_or_a_reason() -> None:
    """A new module comes with its tests."""
    missing = [module for module in pairing.unpaired() if module not in pairing.excepted()]
    assert missing == [], "give them tests, or add them to a group in scripts/pairing.py"


def test_reason_is_given_only_where_tests_are_missing() -> None:
    """What has got tests of its name, or is gone, is taken off the list."""
    outdated = sorted(pairing.excepted().keys() - set(pairing.unpaired()))
    assert outdated == [], "take them off their group in scripts/pairing.py"


def test_no_module_is_listed_twice() -> None:
    """One reason is the reason."""
    names = [
        f"{folder}/{name}"
        for group in pairing.EXCEPTIONS
        for folder, words in group.modules.items()
        for name in words.split()
    ]
    assert len(names) == len(set(names))


def test_named_tests_exist() -> None:
    """Where a module is said to be tested, there are tests."""
    places = {place for group in pairing.EXCEPTIONS for place in group.tests} | pairing.SUITES.keys()
    assert [place for place in sorted(places) if not (pairing.ROOT / place).exists()] == []


def test_modules_that_pass_a_suite_exist() -> None:
    """One that was renamed is noticed."""
    known = set(pairing.sources())
    assert [module for modules in pairing.SUITES.values() for module in modules if module not in known] == []


def test_longer_name_is_not_taken_for_a_shorter_one() -> None:
    """Tests of ``calls`` are no tests of ``call``; those of one side of it are."""
    assert [path.stem for path in pairing.tests_of("policy/own")] == [
        "test_own",
        "test_own_environment",
        "test_own_spellings",
    ]
