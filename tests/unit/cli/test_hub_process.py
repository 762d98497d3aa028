"""What a hub started in the background takes along."""

from assent.cli import hub_process


def test_environment_of_a_hub_has_no_secret_of_the_terminal() -> None:
    """Folders and language go along; keys, tokens and everything unknown stay behind."""
    kept = {"HOME": "/h", "PATH": "/bin", "LANG": "C", "ASSENT_HOME": "/a", "XDG_STATE_HOME": "/s", "TMPDIR": "/t"}
    left = {"ANTHROPIC_API_KEY": "sk", "CLAUDE_CODE_MESSAGING_TOKEN": "t", "PYTHONPATH": "/evil", "LD_PRELOAD": "x"}
    assert hub_process.environment(kept | left) == kept
