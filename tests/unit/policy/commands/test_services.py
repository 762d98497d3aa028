"""How the words of a line are read as what is asked of a service."""

import pytest

from assent.policy.commands._services import asks, is_production, makes, ruins, service
from assent.policy.commands.spec import Invocation, findings
from assent.policy.effects import Effect
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk
from tests.unit.policy.setting import SETTING

TOOL = service(
    "Stands for any tool.",
    asks("thing list, version", "* describe-*"),
    ruins("thing reset-all"),
    makes("thing *"),
    options="--name= -q --quiet",
)


def judged(*words: str) -> Risk:
    args = tuple(Arg(word) for word in words)
    found = findings("tool", args, TOOL, SETTING, SETTING.cwd)
    return max(each.risk for each in found if isinstance(each, Effect))


@pytest.mark.parametrize(
    ("words", "risk"),
    [
        (("thing", "list"), Risk.LOOK),
        (("version",), Risk.LOOK),
        (("other", "describe-x"), Risk.LOOK),
        (("thing", "frob"), Risk.CARE),
        (("thing", "reset-all"), Risk.DANGER),
        (("nobody", "knows"), Risk.CARE),
        ((), Risk.LOOK),
        (("--version",), Risk.LOOK),
        (("--odd",), Risk.CARE),
    ],
)
def test_service_first_fitting_rule_decides(words: tuple[str, ...], risk: Risk) -> None:
    """Rules are tried in order, and what fits none is Care."""
    assert judged(*words) == risk


def test_service_common_danger_is_not_lowered() -> None:
    """What every tool takes for a deletion stays one, whatever is special about the tool."""
    assert judged("thing", "delete") == Risk.DANGER


@pytest.mark.parametrize(
    "words", [("--odd", "thing", "delete"), ("--odd", "x", "thing", "delete"), ("-q", "thing", "delete")]
)
def test_service_unknown_option_hides_no_verb(words: tuple[str, ...]) -> None:
    """Whether an option nobody knows takes a value or not, the worse reading counts."""
    assert judged(*words) == Risk.DANGER


def test_service_value_of_known_option_is_no_verb() -> None:
    """A name given to a known option is not taken for a verb."""
    assert judged("--name", "delete", "thing", "list") == Risk.LOOK


@pytest.mark.parametrize("words", [(HOLE, "list"), ("thing", HOLE), (HOLE,)])
def test_service_unknown_word_is_care(words: tuple[str, ...]) -> None:
    """A word that is known only then could be any verb."""
    assert judged(*words) == Risk.CARE


@pytest.mark.parametrize(("words", "risk"), [(("thing", "delete", "--help"), Risk.LOOK), (("help",), Risk.LOOK)])
def test_service_help_is_look(words: tuple[str, ...], risk: Risk) -> None:
    """Words and then a wish for help only show it."""
    assert judged(*words) == risk


def test_service_help_behind_option_is_its_value() -> None:
    """Behind an option the wish for help could be what the option takes."""
    assert judged("thing", "delete", "--name", "--help") == Risk.DANGER


def test_service_change_in_production_is_danger() -> None:
    """A change that names production reaches a person; a question does not."""
    assert judged("thing", "create", "shop-prod") == Risk.DANGER
    assert judged("thing", "list", "shop-prod") == Risk.LOOK


@pytest.mark.parametrize("text", ["prod", "shop-prod", "PRODUCTION", "eu.prod.internal", "prod2", "live"])
def test_production_is_known_by_its_name(text: str) -> None:
    """Production goes by these names."""
    assert is_production(text)


@pytest.mark.parametrize("text", ["product", "reproduce", "deliver", "olive"])
def test_production_is_no_part_of_other_words(text: str) -> None:
    """Words that only contain such a name are not production."""
    assert not is_production(text)


def test_invocation_takes_says_how_an_option_is_used() -> None:
    """The table of a command can be asked about an option."""
    it = Invocation("tool", (), TOOL, SETTING, SETTING.cwd)
    assert (it.takes("--name"), it.takes("--quiet"), it.takes("--odd")) == ("text", "flag", None)
