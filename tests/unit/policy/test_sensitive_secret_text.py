"""Text that is a secret by its form."""

import pytest

from assent.policy.sensitive import kind_of_secret


@pytest.mark.parametrize(
    "text",
    [
        "token = ghp_Zk3nQ8vR2mW7yB4tL9xC5dH1jF6sP0aE",
        'aws = "AKIAQ7ZB2MWN5TXL4RHD"',
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAu5r8Zt3kQmW9vYbN2xLcPdHjF7sT",
    ],
)
def test_known_forms_are_seen(text: str) -> None:
    """Wherever they stand in the text."""
    assert kind_of_secret(f"before\n{text}\nafter") is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
        "commit 8d236c8f1f0f2e6a9b7d3c5e4a1b0c9d8e7f6a5b",
        "sk-your-key-goes-here-and-nowhere-else",
    ],
)
def test_placeholders_and_plain_text_are_not(text: str) -> None:
    """Documentation shows keys that are none."""
    assert kind_of_secret(text) is None
