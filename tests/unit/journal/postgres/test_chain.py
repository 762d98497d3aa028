"""What PostgreSQL is asked for."""

import pytest

from assent.filter import parse
from assent.journal.postgres.chain import where


@pytest.mark.parametrize(
    ("text", "sql", "values"),
    [
        ("", "TRUE", []),
        ("-tool:Bash", "TRUE", []),
        ("tool:Bash,WRITE", "(lower(tool) = ANY(%s))", [["bash", "write"]]),
        ("session:a", "((session ^@ %s))", ["a"]),
        ("risk:>=care", "(lower(risk) = ANY(%s))", [["care", "danger"]]),
        ('"100%_\\\\"', "(words LIKE %s)", ["%100\\%\\_\\\\%"]),
        ("rule:user#1", "(by ^@ %s OR strpos(body, %s) > 0)", ["rule:user#1", "rule:user#1"]),
        ("project:/src/", "((strpos(project, %s) > 0))", ["/src"]),
        ("harness:Claude-code", "((strpos(lower(body), %s) > 0))", ['"harness":"claude-code"']),
        ('harness:"with \\"marks\\""', "TRUE", []),
    ],
)
def test_condition_lets_through_what_is_wanted(text: str, sql: str, values: list[object]) -> None:
    """Values travel apart from the text of the query, and marks of LIKE are taken as they are."""
    assert where(parse(text, now=0)) == (sql, values)
