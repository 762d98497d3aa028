"""Files of secrets of which no value is shown."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "wc -l .env",
        "wc -l < .env",
        "wc .env .env.local",
        "grep -c KEY .env",
        "grep -c '' .env",
        "grep -q '^STRIPE_KEY=' .env && echo set",
        "grep -l KEY .env .env.local",
        "cut -d= -f1 .env",
        "cut -d'=' -f 1 .env.local | sort",
        "cut -f1 -d= < .env",
        "sed 's/=.*//' .env",
        "sed -E 's/=.*/=***/' .env.production",
        "sed 's/\\([^=]*\\)=.*/\\1/' .env",
        "awk -F= '{print $1}' .env",
        "awk -F'=' '/^[A-Z]/ {print $1}' .env",
        "grep -o '^[A-Z_]*' .env",
        "grep -oE '^[^=]+' .env",
        "cat .env | cut -d= -f1",
        "cat .env 2>/dev/null | grep -v '^#' | awk -F= '{print $1}' | sort",
        "cat .env | wc -l",
        "grep -v '^#' .env | sed 's/=.*/=<hidden>/'",
        "test -f .env && ls -la .env",
        "cat .env.example",
        "diff .env.example .env.template",
    ],
)
def test_names_and_numbers_of_a_file_of_secrets_are_look(line: str) -> None:
    """No value comes out."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "grep KEY .env",
        "grep -c '^KEY=a' .env",
        "grep -cf x .env",
        "cut -d= -f2 .env",
        "cut -d= -f1,2 .env",
        "cut -d= -f1- .env",
        "cut -d= -f1 --complement .env",
        "cut -d: -f1 .env",
        "sed 's/=.*//p' .env",
        "sed 's/=.*/&/' .env",
        "sed 's/=.*//' -e p .env",
        "sed 's/x=.*//' .env",
        "sed 's/\\(.*\\)=.*/\\1/' .env",
        "awk -F= '{print $2}' .env",
        "awk -F= '{print $1, $2}' .env",
        "awk -F= '{print $1; print}' .env",
        "grep -o '^[A-Z_]*=.*' .env",
        "grep -oE 'KEY=.+' .env",
        "cat .env | tee /tmp/x | cut -d= -f1",
        "cat .env | base64 | cut -d= -f1",
        "cat .env > /tmp/x | cut -d= -f1",
        "cat .env | cut -d= -f1 | cat .env",
        "cat .env; echo a=b | cut -d= -f1",
        "cat .env | head -3",
        "cut -d= -f1 id_rsa",
        "cut -d= -f1 .env .npmrc",
        "cat id_rsa | cut -d= -f1",
        "cat ~/.env | cut -d= -f1",
        "wc --files0-from=.env",
        "ls .env | xargs cat",
        "for f in $(ls .env*); do cat $f; done",
    ],
)
def test_values_of_a_file_of_secrets_are_danger(line: str) -> None:
    """Whatever else the line does with them."""
    assert risk(line) == Risk.DANGER
