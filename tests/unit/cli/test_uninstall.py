"""What `assent uninstall --purge` takes along."""

import pytest

from assent.paths import Paths
from assent.secrets_store import Vault
from tests.unit.cli.conftest import Run


@pytest.fixture
def emptied(monkeypatch: pytest.MonkeyPatch, home: object) -> list[str]:
    done: list[str] = []

    def empty(vault: Vault) -> str:
        done.append(str(vault.paths.keys))
        return "“telegram.token” is left in the system's keyring."

    monkeypatch.setattr(Vault, "empty_keyring", empty)
    return done


def test_purge_empties_the_keyring_and_says_what_is_left(assent: Run, emptied: list[str], paths: Paths) -> None:
    """A secret that outlives the program would be a surprise; one that must is named."""
    paths.keys.mkdir(parents=True)
    (paths.keys / "telegram.token.keyring").touch()
    assert assent("uninstall", "--yes").code == 0
    assert emptied == []
    done = assent("uninstall", "--purge", "--yes")
    assert "“telegram.token” is left in the system's keyring." in done.out
    assert emptied == [str(paths.keys)]
    assert not paths.keys.exists()
