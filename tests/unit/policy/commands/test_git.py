"""Git: what looks, what git can undo, what throws work away; options before the command, and aliases."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from assent.policy.own import things
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.owning import OWN
from tests.unit.policy.risks import risk
from tests.unit.policy.setting import SETTING


@pytest.mark.parametrize(
    "line",
    [
        "git status --short --branch",
        "git log --graph --oneline --all -n 30 -- src",
        "git log -S'password_hash' --oneline",
        "git show HEAD~2 --stat",
        "git show v1.2.0:src/app.py",
        "git diff --stat main...HEAD",
        "git diff -- ':!*.lock'",
        "git diff .env.example",
        "git blame -L 3,9 src/app.py",
        "git grep -nC2 'rm -rf' -- docs",
        "git rev-parse --abbrev-ref HEAD",
        "git ls-files -o --exclude-standard",
        "git branch -avv --sort=-committerdate",
        "git branch --contains abc123",
        "git tag -l 'v1.*' -n3",
        "git stash show -p 'stash@{1}'",
        "git reflog -10",
        "git worktree list --porcelain",
        "git bisect log",
        "git clean -ndx",
        "git add -n .",
        "git apply --check fix.patch",
        "git archive --format=tar HEAD src",
        "git -C packages/api --no-pager log -1",
        "git -c color.ui=false -c core.quotepath=off status",
        "git -c core.pager=cat diff",
        "git push --help",
        "git --exec-path",
        "git notes show",
        "git submodule foreach 'git status'",
        "git fetch --dry-run origin",
        'git log --author="$NAME" -- "$FILE"',
        "git diff $(git merge-base HEAD main) --stat",
        "git rev-list --all | xargs git grep -n needle",
    ],
)
def test_git_that_looks_is_look(line: str) -> None:
    """Reading the history, differences and names needs no approval."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "git add -A src",
        "git commit -am 'fix'",
        "git commit --amend --no-edit",
        "git stash push -um wip",
        "git stash pop",
        "git switch -c feature",
        "git checkout feature/login",
        "git checkout -bfeature origin/main",
        "git checkout -",
        "git branch topic",
        "git branch -d merged",
        "git tag v1.4.0",
        "git merge --no-ff feature",
        "git cherry-pick abc123",
        "git revert --no-edit HEAD",
        "git restore --staged src/app.py",
        "git restore -S --no-worktree .",
        "git reset --soft HEAD~1",
        "git reset HEAD src/app.py",
        "git rm --cached notes.txt",
        "git rm --force --no-force old.py",
        "git mv a.py b.py",
        "git init",
        "git worktree add /tmp/other feature",
        "git bisect start HEAD v1.0",
        "git config user.email me@example.org",
        "git format-patch -2",
        "git gc",
        "git log --output=history.txt",
    ],
)
def test_git_that_can_be_undone_is_change(line: str) -> None:
    """What git itself can take back is a change of the project."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "git reset --hard",
        "git reset HEAD~3 --har",
        "git reset --merge",
        "git checkout .",
        "git checkout -- src/app.py",
        "git checkout HEAD~1 README.md",
        "git checkout package.json",
        "git checkout -qf main",
        "git checkout --pathspec-from-file=list.txt",
        "git switch --discard-changes main",
        "git switch -C main origin/main",
        "git restore src",
        "git restore -SW src",
        "git restore -- --staged",
        "git clean -fdx",
        "git clean --no-force -qf",
        "git -c clean.requireForce=false clean",
        "git rm -rf src",
        "git rm -r --cached .",
        "git branch -D topic",
        "git branch --delete --force topic",
        "git branch -f main HEAD~4",
        "git tag -d v1",
        "git stash drop",
        "git stash clear",
        "git reflog expire --expire=now --all",
        "git reflog delete 'HEAD@{1}'",
        "git gc --prune=now",
        "git gc --pru=all",
        "git prune",
        "git update-ref -d refs/heads/main",
        "git update-ref refs/heads/main HEAD~2",
        "git filter-branch --msg-filter cat",
        "git filter-repo --path src",
        "git replace abc def",
        "git worktree remove -f ../other",
        "git submodule deinit --force lib",
        "git lfs migrate import --everything",
        "git fast-import < dump",
        "git read-tree --reset -u HEAD",
        "git checkout-index -fa",
        "git-reset --hard",
        "git.exe clean -f",
    ],
)
def test_git_that_loses_work_is_danger(line: str) -> None:
    """What git cannot bring back is Danger, however it is spelled."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "git rebase main",
        "git commit --no-verify -m x",
        "git commit -nm x",
        "git merge --abort",
        "git branch -M main",
        "git clean",
        "git checkout -B topic",
        "git $COMMAND",
        "git log $WHAT",
        "git log --author=$NAME",
        "git stash $WHAT",
        'git -C "$FOLDER" status',
        "git nosuchcommand",
        "git -C ../other commit -m x",
        "git --git-dir=/srv/x.git log",
        "git symbolic-ref HEAD refs/heads/x",
        "git difftool HEAD",
    ],
)
def test_git_that_is_unsure_is_care(line: str) -> None:
    """What rewrites own commits, is unknown, or happens outside the project needs a second look."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "git grep -O'rm -rf ~' x",
        "git grep -nO'rm -rf ~' x",
        "git grep --open-files-in-pager='rm -rf ~' x",
        "git bisect run rm -rf /",
        "git rebase --exec 'rm -rf ~' main",
        "git rebase -x'rm -rf ~' main",
        "git submodule foreach --recursive 'rm -rf ~'",
        "git filter-branch --tree-filter 'rm -rf ~'",
        "git difftool -x 'rm -rf ~'",
        "git difftool --extcmd='rm -rf ~'",
        "git merge -s evil topic",
        "git -c alias.x='!rm -rf ~' x",
        "git -c 'alias.x=reset --hard' x",
        "git -c alias.x=y -c 'alias.y=clean -f' x",
        "git --exec-path=/tmp/bin status",
        "git for-each-repo --config=maintenance.repo reset --hard",
    ],
)
def test_git_that_runs_something_is_judged_by_it(line: str) -> None:
    """Options that take a command do not hide it."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "git diff --output=/etc/hosts",
        "git log --output=.git/hooks/pre-commit",
        "git shortlog --output=/etc/hosts HEAD",
        "git rev-list --output=/etc/hosts HEAD",
        "git blame --output=/etc/hosts a",
        "git cherry-pick --output=/etc/hosts x",
        "git stash list --output=/etc/hosts",
        "git archive -o /etc/x.tar HEAD",
        "git archive --output=/etc/x.tar HEAD",
        "git format-patch -o /etc -1",
        "git bundle create ~/.bashrc HEAD",
        "git clone https://example.org/x ~/.claude/skills/x",
        "git worktree add /etc/x",
        "git config -f ~/.ssh/config a.b c",
        "git apply --unsafe-paths x.patch",
        "git apply <<'E'\n--- a/.git/hooks/x\n+++ b/.git/hooks/x\nE",
    ],
)
def test_git_that_writes_elsewhere_is_danger(line: str) -> None:
    """Files that options of git write are judged by where they lie."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "git show HEAD:.env",
        "git cat-file -p main:config/id_rsa",
        "git log -p -- .env",
        "git diff --no-index /dev/null ~/.ssh/id_ed25519",
        "git diff ~/.aws/credentials x",
        "git blame --contents=/etc/shadow a",
        "git grep -h . -- .env",
        "git log -G AKIA --all",
        "git add -f .env",
        "git add deploy/server.pem",
    ],
)
def test_git_that_touches_secrets_is_danger(line: str) -> None:
    """Secrets stay secrets in the history, and must not get there."""
    assert risk(line) == Risk.DANGER


def _worst(project: Path, line: str) -> Risk:
    setting = Setting(str(project), "/home/me", str(project))
    return max(effect.risk for act in Walk(setting).line(line) for each in act.all() for effect in each.effects)


def test_git_aliases_of_the_repository_are_followed(tmp_path: Path) -> None:
    """What the repository's settings call by another name is judged by what it stands for."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text(
        "[user]\n\tname = x\n[alias]\n\tlol = log --oneline ; nice\n\tundo = reset --hard\n"
        '\tboom = "!rm -rf ~ #"\n\tself = self\n'
    )
    assert _worst(tmp_path, "git lol -3") == Risk.LOOK
    assert _worst(tmp_path, "git undo HEAD~1") == Risk.DANGER
    assert _worst(tmp_path, "git boom") == Risk.DANGER
    assert _worst(tmp_path, "git self") == Risk.CARE
    assert _worst(tmp_path, "git other") == Risk.CARE


def test_git_checkout_of_a_branch_that_looks_like_a_file_is_a_switch(tmp_path: Path) -> None:
    """A branch goes before a file of that name."""
    (tmp_path / ".git/refs/heads").mkdir(parents=True)
    (tmp_path / ".git/refs/heads/release.next").touch()
    (tmp_path / "notes").touch()
    assert _worst(tmp_path, "git checkout release.next") == Risk.CHANGE
    assert _worst(tmp_path, "git checkout other.next") == Risk.DANGER
    assert _worst(tmp_path, "git checkout notes") == Risk.DANGER


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd ~/.config && git restore x", ["/home/me/.config"]),
        ("cd ~/.config && git stash list", []),
        ("cd ~/.config && git stash show", []),
        ("cd ~/.config && git stash pop", ["/home/me/.config"]),
        ("cd ~/.config && git log", []),
        ("git checkout main", []),
        ("git clone u lib", []),
        ("git add ~/.config/assent", ["/home/me/.config/assent"]),
    ],
)
def test_git_on_the_folder_of_the_guard_is_told(line: str, expected: list[str]) -> None:
    """By the folder it works in, or by one that it is given."""
    setting = replace(SETTING, things=things(OWN, SETTING.project, SETTING.home))
    found = [effect for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]
    assert [effect.target for effect in found if effect.kind == "tamper"] == expected
