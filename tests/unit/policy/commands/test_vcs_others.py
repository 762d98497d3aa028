"""Version control that is not git."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("svn status -u", Risk.LOOK),
        ("svn log -l 5 src", Risk.LOOK),
        ("svn rm old.c", Risk.CHANGE),
        ("svn update", Risk.CARE),
        ("svn cat https://example.org/x", Risk.CARE),
        ("svn commit -m x", Risk.CARE),
        ("svn diff --diff-cmd=./evil", Risk.CARE),
        ("svn mkdir ^/branches/x -m x", Risk.CARE),
        ("svn rm ^/trunk -m x", Risk.DANGER),
        ("svn revert -R .", Risk.DANGER),
        ("svn cleanup --remove-unversioned", Risk.DANGER),
        ("svn up --editor-cmd 'rm -rf ~'", Risk.DANGER),
        ("svn auth --show-passwords", Risk.DANGER),
    ],
)
def test_svn_is_judged(line: str, expected: Risk) -> None:
    """Subversion commits at once where it is given an address."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hg st", Risk.LOOK),
        ("hg log -l 3 --config ui.color=no", Risk.LOOK),
        ("hg commit -m x", Risk.CHANGE),
        ("hg branch topic", Risk.CHANGE),
        ("hg pull -u", Risk.CARE),
        ("hg rebase -d tip", Risk.CARE),
        ("hg strip tip", Risk.DANGER),
        ("hg update -C .", Risk.DANGER),
        ("hg push --force", Risk.DANGER),
        ("hg purge", Risk.DANGER),
        ("hg --debugger st", Risk.DANGER),
        ("hg log --config extensions.x=/tmp/x.py", Risk.DANGER),
        ("hg --config alias.log='!evil' log", Risk.DANGER),
        ("hg clone -e 'rm -rf ~' ssh://x/y", Risk.DANGER),
        ("hg bisect --command 'rm -rf ~'", Risk.DANGER),
        ("hg cat -o /etc/x a", Risk.DANGER),
    ],
)
def test_hg_is_judged(line: str, expected: Risk) -> None:
    """Mercurial runs programs that a setting on the line names."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jj", Risk.LOOK),
        ("jj log -r @", Risk.LOOK),
        ("jj op log", Risk.LOOK),
        ("jj squash", Risk.CHANGE),
        ("jj bookmark set x", Risk.CHANGE),
        ("jj git fetch", Risk.CARE),
        ("jj git push", Risk.CARE),
        ("jj diff --tool evil", Risk.CARE),
        ("jj op restore 00", Risk.DANGER),
        ("jj op abandon ..@-", Risk.DANGER),
        ("jj git push --deleted", Risk.DANGER),
        ("jj util exec -- rm -rf /", Risk.DANGER),
        ("jj --config ui.pager=evil log", Risk.DANGER),
        ("jj config set --user ui.editor evil", Risk.DANGER),
    ],
)
def test_jj_is_judged(line: str, expected: Risk) -> None:
    """Jujutsu can undo nearly everything; what it cannot is Danger."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bzr status", Risk.LOOK),
        ("bzr push --overwrite", Risk.DANGER),
        ("fossil timeline", Risk.LOOK),
        ("fossil stash drop", Risk.DANGER),
        ("fossil clean", Risk.DANGER),
        ("cvs update -C", Risk.DANGER),
        ("lazygit", Risk.CARE),
        ("git-secret reveal", Risk.DANGER),
        ("git secret list", Risk.LOOK),
        ("bfg --delete-files x", Risk.DANGER),
        ("ghq rm x", Risk.DANGER),
    ],
)
def test_rarer_systems_are_judged(line: str, expected: Risk) -> None:
    """The same questions are asked of all of them."""
    assert risk(line) == expected
