"""What people may do at a relay, from the groups their identity provider puts them in.

Roles give rights to look and to manage. Who may say yes to an ask is judged by the hub that holds it."""

from msgspec import Struct

from assent.protocol.team import Identity, Role, Whom
from assent.team import whom


class RoleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Who has which role, by "person:…" and "group:…"."""

    # Empty: all whom the identity provider lets sign in to the team's client.
    member: tuple[Whom, ...] = ()
    approver: tuple[Whom, ...] = ()
    auditor: tuple[Whom, ...] = ()
    admin: tuple[Whom, ...] = ()


def problems(table: RoleTable) -> list[str]:
    """What is wrong in a table that a person wrote."""
    return [
        f"{role}: {trouble}"
        for role, named in _rows(table)
        for one in named
        if (
            trouble := whom.problem(one) or ('"owner" has no role; name persons or groups' if one == whom.OWNER else "")
        )
    ]


def roles_of(identity: Identity, table: RoleTable) -> tuple[Role, ...]:
    """Empty for a person who is not of the team."""
    return tuple(
        role for role, named in _rows(table) if (role == "member" and not named) or whom.is_any(named, identity, None)
    )


def may_join(roles: tuple[Role, ...]) -> bool:
    """Whether they may have hubs of their own in the team."""
    return bool(roles)


def may_answer(roles: tuple[Role, ...]) -> bool:
    """An auditor reads everything, and answers nothing."""
    return "member" in roles or "approver" in roles


def may_see_all(roles: tuple[Role, ...]) -> bool:
    return "auditor" in roles or "admin" in roles


def may_revoke_all(roles: tuple[Role, ...]) -> bool:
    return "admin" in roles


def _rows(table: RoleTable) -> tuple[tuple[Role, tuple[Whom, ...]], ...]:
    return (
        ("member", table.member),
        ("approver", table.approver),
        ("auditor", table.auditor),
        ("admin", table.admin),
    )
