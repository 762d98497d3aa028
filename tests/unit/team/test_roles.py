"""Roles of people at a relay."""

import pytest

from assent.protocol.team import Identity, Role
from assent.team import roles
from assent.team.roles import RoleTable

ADA = Identity("https://id.example", "u-1", "ada@example.org", "Ada", ("dev", "platform"))
BOB = Identity("https://id.example", "u-2", "bob@example.org", "Bob", ("audit",))
TABLE = RoleTable(auditor=("group:audit",), admin=("group:platform",), approver=("person:ada@example.org",))


def test_everybody_is_a_member_where_nothing_else_is_said() -> None:
    """The provider says who may sign in."""
    assert roles.roles_of(BOB, RoleTable()) == ("member",)


def test_roles_come_from_groups_and_persons() -> None:
    """In the order in which they are listed."""
    assert roles.roles_of(ADA, TABLE) == ("member", "approver", "admin")
    assert roles.roles_of(BOB, TABLE) == ("member", "auditor")


def test_person_who_is_not_listed_has_no_role() -> None:
    """Where members are."""
    closed = RoleTable(member=("group:dev",))
    assert roles.roles_of(BOB, closed) == ()
    assert not roles.may_join(roles.roles_of(BOB, closed))
    assert roles.may_join(roles.roles_of(ADA, closed))


@pytest.mark.parametrize(
    ("has", "answers", "sees", "revokes"),
    [
        ((), False, False, False),
        (("member",), True, False, False),
        (("approver",), True, False, False),
        (("auditor",), False, True, False),
        (("admin",), False, True, True),
        (("member", "auditor"), True, True, False),
    ],
)
def test_what_a_role_may(has: tuple[Role, ...], answers: bool, sees: bool, revokes: bool) -> None:
    """An auditor alone answers nothing, and only an admin revokes others."""
    assert (roles.may_answer(has), roles.may_see_all(has), roles.may_revoke_all(has)) == (answers, sees, revokes)


def test_what_is_wrong_in_a_table_is_said() -> None:
    """With the role it stands in; the owner of what is a question of asks."""
    wrong = roles.problems(RoleTable(admin=("everybody",), auditor=("owner",)))
    assert [text.partition(":")[0] for text in wrong] == ["auditor", "admin"]
    assert roles.problems(TABLE) == []
