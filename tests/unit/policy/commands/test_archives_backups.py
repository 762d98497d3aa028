"""Copies that are kept."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "restic snapshots",
        "restic -r /srv/backup ls latest",
        "borg list repo",
        "borg info repo::x",
        "kopia snapshot list",
    ],
)
def test_backups_that_are_listed_look(line: str) -> None:
    """Nothing changes."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "restic backup src",
        "borg create repo::x src",
    ],
)
def test_backups_that_are_made_take_care(line: str) -> None:
    """One more copy."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "restic forget --prune x",
        "restic -r x prune",
        "borg delete repo::x",
        "borg compact repo",
        'borg "$verb" repo',
        "restic snapshots --password-command 'rm -rf /'",
        "restic snapshots -o rclone.program=x",
        "timeshift --delete-all",
        "snapper delete 1",
    ],
)
def test_backups_that_are_lost_are_danger(line: str) -> None:
    """They were the last way back."""
    assert risk(line) == Risk.DANGER
