"""Counting of yeses, without a desk around it."""

from hypothesis import given
from hypothesis import strategies as st

from assent.asks import approval
from assent.asks.approval import LOCAL, Yes
from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.card import Card, Peril, Subject, View
from assent.protocol.team import Identity

ISSUER = "https://login.example.org"


def person(name: str, *groups: str) -> Identity:
    return Identity(ISSUER, name, mail=f"{name}@example.org", groups=groups)


OWNER = person("olga", "sre")
ADA, BOB, EVE = person("ada", "sre"), person("bob", "sre", "leads"), person("eve", "sales")
FOUR_EYES = ApprovalView("approval:user#1", whom=("group:sre",), count=2, not_owner=True)


def said(*people: Identity) -> list[Yes]:
    return [Yes(identity, at) for at, identity in enumerate(people)]


def missing(needs: ApprovalView, *people: Identity, owner: Identity | None = OWNER, waited_ms: int = 0) -> int:
    return approval.missing(needs, said(*people), owner, waited_ms)


def test_two_of_a_group_are_two_people() -> None:
    """The same one twice is one; who is not in the group is none; the owner does not count."""
    assert missing(FOUR_EYES) == 2
    assert missing(FOUR_EYES, ADA) == 1
    assert missing(FOUR_EYES, ADA, ADA) == 1
    assert missing(FOUR_EYES, ADA, EVE) == 1
    assert missing(FOUR_EYES, ADA, OWNER) == 1
    assert missing(FOUR_EYES, ADA, LOCAL) == 1
    assert missing(FOUR_EYES, ADA, BOB) == 0


def test_person_at_a_hub_without_team_is_its_owner_alone() -> None:
    """They satisfy "owner" and nothing else, whatever a rule names."""
    assert missing(ApprovalView("a", whom=("owner",)), LOCAL, owner=None) == 0
    for whom in ("person:owner", "person:|", "group:", "group:sre"):
        assert missing(ApprovalView("a", whom=(whom,)), LOCAL, owner=None) == 1


def test_owner_is_one_person_before_and_after_joining() -> None:
    """A hub that joins a team in between makes no second person of its owner."""
    needs = ApprovalView("a", whom=("owner", "group:sre"), count=2)
    assert missing(needs, LOCAL, OWNER) == 1
    assert approval.has_said(said(LOCAL), OWNER, OWNER)


def test_ladder_adds_people_when_their_time_has_come() -> None:
    """Before that their yes is none of those needed."""
    needs = ApprovalView("a", whom=("group:sre",), ladder=(Rung("group:leads", 240), Rung("person:eve", 300)))
    lead = person("lea", "leads")
    assert approval.whom_now(needs, 0) == ("group:sre",)
    assert not approval.counts(needs, lead, OWNER, 239_999)
    assert approval.whom_now(needs, 240_000) == ("group:sre", "group:leads")
    assert approval.counts(needs, lead, OWNER, 240_000)
    assert approval.next_rung_ms(needs, 0) == 240_000
    assert approval.next_rung_ms(needs, 240_000) == 300_000
    assert approval.next_rung_ms(needs, 300_000) is None


def test_every_rule_has_to_be_satisfied() -> None:
    """One person may count for several of them."""
    leads = ApprovalView("b", whom=("group:leads",))
    needs = ApprovalView("a", whom=("group:sre",), count=2, also=(leads,))
    assert missing(needs, ADA, person("amy", "sre")) == 1
    assert missing(needs, ADA, BOB) == 0


def card(level: str, count: int = 1) -> Card:
    needs = ApprovalView("a", whom=("group:sre",), count=count)
    return Card("permission", View("Run"), Subject("claude-code"), Peril(level), approval=needs)


def test_chat_takes_a_single_yes_and_none_to_danger() -> None:
    """It vouches for a person by their number alone. A lock screen takes none; a page takes each."""
    assert approval.weighs(card("care"), "chat")
    assert not approval.weighs(card("danger"), "chat")
    assert not approval.weighs(card("care", count=2), "chat")
    assert not approval.weighs(card("look"), "glance")
    # What could not be judged is as dangerous as can be.
    assert not approval.weighs(card(""), "chat")
    assert approval.weighs(card("danger", count=2), "page")


GROUPS = ("sre", "leads", "sales")
people = st.builds(
    lambda name, groups: person(name, *groups),
    st.sampled_from(["olga", "ada", "bob", "cy", "dee"]),
    st.lists(st.sampled_from(GROUPS), unique=True).map(tuple),
)
one_rule = st.builds(
    ApprovalView,
    rule=st.just("approval:user#1"),
    whom=st.lists(
        st.sampled_from(["owner", "person:ada@example.org", *(f"group:{name}" for name in GROUPS)]),
        min_size=1,
        unique=True,
    ).map(tuple),
    count=st.integers(1, 3),
    not_owner=st.booleans(),
    ladder=st.lists(st.builds(Rung, st.sampled_from(["group:leads", "owner"]), st.integers(1, 9))).map(tuple),
)
rules = st.builds(
    lambda first, rest: ApprovalView(
        first.rule, whom=first.whom, count=first.count, not_owner=first.not_owner, ladder=first.ladder, also=rest
    ),
    one_rule,
    st.lists(one_rule, max_size=2).map(tuple),
)
answers = st.lists(st.one_of(people, st.just(LOCAL)), max_size=8)


@given(rules, answers, st.integers(0, 10_000))
def test_ready_needs_as_many_different_people_as_each_rule_says(
    needs: ApprovalView, given_by: list[Identity], waited: int
) -> None:
    """Counted anew in the plainest way: names of those in the rule's list, without doubles."""
    if missing(needs, *given_by, waited_ms=waited):
        return
    for one in needs.each:
        asked = {*one.whom, *(rung.whom for rung in one.ladder if rung.after_s * 1_000 <= waited)}
        names = {
            "olga" if identity == LOCAL else identity.subject
            for identity in given_by
            if ("owner" in asked and identity in (LOCAL, *([identity] if identity.subject == "olga" else [])))
            or (identity.subject == "ada" and "person:ada@example.org" in asked)
            or any(f"group:{group}" in asked for group in identity.groups)
        }
        assert len(names - ({"olga"} if one.not_owner else set())) >= one.count


@given(rules, answers, st.randoms(use_true_random=False), st.integers(0, 10_000))
def test_order_and_repetition_make_nothing_ready(
    needs: ApprovalView, given_by: list[Identity], chance: object, waited: int
) -> None:
    """Each person once, with what was known of them first: all others of theirs change nothing."""
    first = {identity.subject: identity for identity in reversed(given_by)}
    once = [first[identity.subject] for identity in given_by]
    shuffled = list(once)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    expected = missing(needs, *dict.fromkeys(once), waited_ms=waited)
    assert missing(needs, *once, waited_ms=waited) == expected
    assert missing(needs, *shuffled, *once, waited_ms=waited) == expected


@given(rules, answers, people, st.integers(0, 10_000))
def test_strangers_never_lower_the_bar(
    needs: ApprovalView, given_by: list[Identity], other: Identity, waited: int
) -> None:
    """Who counts for none of the rules leaves as many missing as before."""
    stranger = Identity("https://elsewhere.example.net", other.subject, groups=())
    assert missing(needs, *given_by, stranger, waited_ms=waited) == missing(needs, *given_by, waited_ms=waited)
    if not approval.counts(needs, other, OWNER, waited):
        assert missing(needs, *given_by, other, waited_ms=waited) == missing(needs, *given_by, waited_ms=waited)


@given(rules, answers, people, st.integers(0, 10_000), st.integers(0, 10_000))
def test_more_yeses_and_more_time_make_it_no_less_ready(
    needs: ApprovalView, given_by: list[Identity], other: Identity, waited: int, more: int
) -> None:
    """What was counted stays counted."""
    before = missing(needs, *given_by, waited_ms=waited)
    assert missing(needs, *given_by, other, waited_ms=waited) <= before
    assert missing(needs, *given_by, waited_ms=waited + more) <= before
