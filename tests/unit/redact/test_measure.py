"""How much is found, and how much taken for a secret that is none; `pytest -s` prints the table."""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from assent.redact.scan import redacted
from tests.unit.redact import second_set, secret_set
from tests.unit.redact.harmless_set import harmless
from tests.unit.redact.secret_set import Sample

HERE = Path(__file__)
LABELLED = HERE.parents[2] / "fixtures" / "redaction" / "secrets.jsonl"
PAGE = HERE.parents[3] / "docs" / "redaction.md"

LEAST_IN_COMMANDS = 0.97
LEAST_IN_PROSE = 0.92
# As many as before the forms of this table were written.
MOST_FALSE = 8
# A piece this long of a secret gives it away.
PIECE = 12


class Labelled(msgspec.Struct):
    kind: str
    secret: str
    text: str


def sign(text: bytes) -> str:
    return f"{len(text):08x}"


def is_found(sample: Sample) -> bool:
    """Whether no longer piece of the secret is left."""
    secret, left = secret_set.core(sample.secret), redacted(sample.text, sign)
    return not any(secret[at : at + PIECE] in left for at in range(max(1, len(secret) - PIECE + 1)))


def labelled() -> list[Sample]:
    lines = (msgspec.json.decode(line, type=Labelled) for line in LABELLED.read_bytes().splitlines())
    return [Sample(line.kind, line.secret, line.text) for line in lines]


def sets() -> dict[str, list[Sample]]:
    commands = list(secret_set.commands())
    return {
        "commands, with a form": [sample for sample in commands if sample.what != secret_set.BY_PLACE],
        "commands, by place": [sample for sample in commands if sample.what == secret_set.BY_PLACE],
        "prose, with a form": list(secret_set.prose()),
        "prose, by words": list(secret_set.told()),
        "second set: commands": list(second_set.commands()),
        "second set: prose": list(second_set.prose()),
        "older set": labelled(),
    }


def missed(samples: Sequence[Sample]) -> list[str]:
    return [sample.text for sample in samples if not is_found(sample)]


def recall(samples: Sequence[Sample]) -> float:
    return 1 - len(missed(samples)) / len(samples)


def false_hits() -> list[str]:
    return [line for line in harmless() if redacted(line, sign) != line]


def table() -> str:
    lines = ["| set | secrets | found | recall |", "| --- | ---: | ---: | ---: |"]
    for name, samples in sets().items():
        caught = len(samples) - len(missed(samples))
        lines.append(f"| {name} | {len(samples)} | {caught} | {caught / len(samples):.1%} |")
    return "\n".join([*lines, "", f"False hits: {len(false_hits())} of {len(list(harmless()))} harmless lines."])


def test_secrets_in_commands_are_found() -> None:
    """Tokens of published forms, and secrets of no form in the places where tools take them."""
    samples = list(secret_set.commands())
    assert len(samples) >= 400
    assert recall(samples) >= LEAST_IN_COMMANDS, missed(samples)


def test_secrets_with_a_form_are_found_in_prose() -> None:
    """In sentences without a word that gives them away."""
    samples = list(secret_set.prose())
    assert len(samples) >= 400
    assert recall(samples) >= LEAST_IN_PROSE, missed(samples)


def test_other_seeds_find_as_much() -> None:
    """Nothing hangs on the secrets that were drawn."""
    for seed in range(10, 15):
        assert recall(list(secret_set.commands(seed))) >= LEAST_IN_COMMANDS
        assert recall(list(secret_set.prose(seed))) >= LEAST_IN_PROSE


def test_second_set_is_found_as_well() -> None:
    """Lines written after the expressions were finished, in other words."""
    assert recall(list(second_set.commands())) >= LEAST_IN_COMMANDS, missed(list(second_set.commands()))
    assert recall(list(second_set.prose())) >= LEAST_IN_PROSE, missed(list(second_set.prose()))


def test_older_set_is_found_as_before() -> None:
    """What was found once is found still."""
    assert recall(labelled()) >= LEAST_IN_COMMANDS, missed(labelled())


def test_harmless_lines_stay_readable() -> None:
    """Hashes, ids, references, placeholders and talk about secrets."""
    assert len(list(harmless())) == 2_000
    assert len(false_hits()) <= MOST_FALSE, false_hits()


def test_documented_table_is_the_measured_one() -> None:
    """The page says what the tests measure."""
    sys.stdout.write(f"\n{table()}\n")
    assert table() in PAGE.read_text(encoding="utf-8")
