"""What records say of the client, in every version."""

from typing import Any

import pytest

from assent.protocol.record import Client, client_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"harness": "h", "project": "/p", "attended": False, "entrypoint": "cli", "pid": 7},
            Client(harness="h", project="/p", attended=False, entrypoint="cli", pid=7),
        ),
        (
            {
                "harness": "h",
                "env": {
                    "CLAUDE_PROJECT_DIR": "/p",
                    "CLAUDE_CODE_SESSION_ATTENDED": "0",
                    "CLAUDE_CODE_ENTRYPOINT": "cli",
                    "CLAUDE_PID": "7",
                },
            },
            Client(harness="h", project="/p", attended=False, entrypoint="cli", pid=7),
        ),
        ({"env": "odd", "pid": "x", "attended": "yes"}, Client()),
        ({}, Client()),
    ],
)
def test_client_is_read_from_plain_fields_or_from_the_variables_of_0_1_0(
    body: dict[str, Any], expected: Client
) -> None:
    assert client_of(body) == expected
