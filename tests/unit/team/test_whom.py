"""Who is meant by "owner", "person:…" and "group:…"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.team import Identity
from assent.team import whom

ADA = Identity("https://id.example", "u-1", "ada@example.org", "Ada", ("dev", "sre-oncall"))
BOB = Identity("https://id.example", "u-2", "bob@example.org", "Bob", ("dev",))


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("owner", True),
        ("person:ada@example.org", True),
        ("person:Ada@Example.ORG", True),
        ("person:u-1", True),
        ("person:https://id.example|u-1", True),
        ("group:sre-oncall", True),
        ("group:dev", True),
        ("person:bob@example.org", False),
        ("person:Ada", False),
        ("person:u-2", False),
        ("person:https://other.example|u-1", False),
        ("group:SRE-oncall", False),
        ("group:sre", False),
        ("group:", False),
        ("person:", False),
        ("Owner", False),
        ("owner ", False),
        ("", False),
        ("ada@example.org", False),
        ("rota:pagerduty/P1", False),
    ],
)
def test_who_is_meant(named: str, expected: bool) -> None:
    """Ada owns the session."""
    assert whom.is_whom(named, ADA, ADA) is expected


def test_owner_is_one_account_of_one_provider() -> None:
    """The same subject elsewhere, or the same mail, is another person."""
    assert not whom.is_whom("owner", BOB, ADA)
    assert not whom.is_whom("owner", Identity("https://other.example", "u-1", "ada@example.org"), ADA)
    assert not whom.is_whom("owner", Identity("https://id.example", "u-3", "ada@example.org"), ADA)


def test_workload_has_no_owner() -> None:
    """Who answers for it is named."""
    assert not whom.is_whom("owner", ADA, None)


def test_person_without_mail_is_not_the_person_without_a_name() -> None:
    """Empty is never equal to empty."""
    unnamed = Identity("https://id.example", "")
    for named in ("person:", "person:@", "group:", "person: "):
        assert not whom.is_whom(named, unnamed, None)


def test_subject_that_looks_like_a_mail_is_no_mail() -> None:
    """Where people choose their names, one could choose a colleague's address."""
    assert not whom.is_whom("person:ada@example.org", Identity("https://id.example", "ada@example.org"), None)


def test_letters_that_fold_to_others_are_no_match() -> None:
    """The sign for kelvin becomes a k, and is another address."""
    assert not whom.is_whom("person:kim@example.org", Identity("i", "s", "\u212aim@example.org"), None)
    assert whom.is_whom("person:\u212aim@example.org", Identity("i", "s", "\u212aim@example.org"), None)


def test_any_of_several() -> None:
    """One is enough; an empty list means no one."""
    assert whom.is_any(("group:nobody", "person:bob@example.org"), BOB, ADA)
    assert not whom.is_any((), ADA, ADA)


@pytest.mark.parametrize(
    "named", ["everybody", "group:", "group: sre", "person:a\nb", "group:a\u202eb", "person:" + "x" * 300]
)
def test_what_is_wrong_is_said(named: str) -> None:
    """And it means no one."""
    assert whom.problem(named)
    assert not whom.is_whom(named, Identity("i", named.partition(":")[2], groups=(named.partition(":")[2],)), None)


@given(st.text(max_size=40))
def test_nothing_else_means_the_owner(named: str) -> None:
    """One word does."""
    stranger = Identity("https://id.example", "u-9", "eve@example.org", "Eve", ("guests",))
    assert whom.is_whom(named, stranger, stranger) is (
        named in {"owner", "person:u-9", "person:eve@example.org", "person:https://id.example|u-9", "group:guests"}
    )
