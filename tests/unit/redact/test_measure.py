"""How much is found, and how much taken for a secret that is none, on a labelled set; `pytest -s` prints the table."""

import sys
from collections import defaultdict
from pathlib import Path

import msgspec

from assent.redact.scan import redacted

HERE = Path(__file__)
LABELLED = HERE.parents[2] / "fixtures" / "redaction"
PAGE = HERE.parents[3] / "docs" / "redaction.md"

LEAST_RECALL = 0.97
MOST_FALSE = 0.01


class Secret(msgspec.Struct):
    kind: str
    secret: str
    text: str


class Harmless(msgspec.Struct):
    text: str


def sign(text: bytes) -> str:
    return f"{len(text):08x}"


def secrets() -> list[Secret]:
    return [msgspec.json.decode(line, type=Secret) for line in (LABELLED / "secrets.jsonl").read_bytes().splitlines()]


def harmless() -> list[Harmless]:
    return [
        msgspec.json.decode(line, type=Harmless) for line in (LABELLED / "harmless.jsonl").read_bytes().splitlines()
    ]


def hits(samples: list[Secret]) -> list[Secret]:
    return [sample for sample in samples if sample.secret not in redacted(sample.text, sign)]


def false_hits() -> list[str]:
    return [line.text for line in harmless() if redacted(line.text, sign) != line.text]


def table() -> str:
    by_kind: defaultdict[str, list[Secret]] = defaultdict(list)
    for sample in secrets():
        by_kind[sample.kind].append(sample)
    rows = [(kind, len(of_kind), len(hits(of_kind))) for kind, of_kind in sorted(by_kind.items())]
    rows.append(("all", len(secrets()), len(hits(secrets()))))
    lines = ["| kind | secrets | found | recall |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {kind} | {many} | {found} | {found / many:.1%} |" for kind, many, found in rows]
    wrong, looked = len(false_hits()), len(harmless())
    return "\n".join([*lines, "", f"False hits: {wrong} of {looked} harmless lines ({wrong / looked:.1%})."])


def test_recall_on_the_labelled_set() -> None:
    """Nearly all labelled secrets are gone from the text."""
    sys.stdout.write(f"\n{table()}\n")
    missed = [sample.text for sample in secrets() if sample not in hits(secrets())]
    assert len(secrets()) >= 120
    assert 1 - len(missed) / len(secrets()) >= LEAST_RECALL, missed


def test_false_hits_on_the_labelled_set() -> None:
    """Hashes, references, placeholders and talk about secrets stay readable."""
    assert len(harmless()) >= 150
    assert len(false_hits()) / len(harmless()) <= MOST_FALSE, false_hits()


def test_documented_table_is_the_measured_one() -> None:
    """The page says what the tests measure."""
    assert table() in PAGE.read_text(encoding="utf-8")
