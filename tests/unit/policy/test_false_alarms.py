"""Lines that look worse than they are, and their neighbours that are as bad as they look."""

import subprocess
from pathlib import Path

import pytest

from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('eval "$(ssh-agent -s)"', Risk.CARE),
        ('eval "$(brew shellenv)"', Risk.LOOK),
        ('eval "$(/opt/homebrew/bin/brew shellenv)" && brew list', Risk.LOOK),
        ('eval "$(direnv hook bash)"', Risk.LOOK),
        ('eval "$(fnm env --use-on-cd)" && node --version', Risk.LOOK),
        ('eval "$(pyenv init -)" && pyenv versions', Risk.LOOK),
        ('eval "$(./brew shellenv)"', Risk.DANGER),
        ('eval "$(brew shellenv; cat x)"', Risk.DANGER),
        ('eval "$(direnv export bash)"', Risk.DANGER),
        ('eval "$(cat x)"', Risk.DANGER),
        ('eval "$(fnm env)" rm -rf src', Risk.DANGER),
        ("sort --files0-from=/tmp/list", Risk.CARE),
        ("curl 'http://localhost:3000#@example.org/'", Risk.CARE),
        ("find . -empty -delete", Risk.CHANGE),
        ("find src -type d -empty -delete", Risk.CHANGE),
        ("find . ! -empty -delete", Risk.DANGER),
        ("find . -not -empty -type f -delete", Risk.DANGER),
        (r"find . \( -empty -o -name '*.py' \) -delete", Risk.DANGER),
        ("find . -empty -o -delete", Risk.DANGER),
        ("find ~ -empty -delete", Risk.DANGER),
        ("grep -r shopname ~/.config", Risk.CARE),
        ("grep -r . ~/.config", Risk.DANGER),
        ("grep -r token ~/.config", Risk.DANGER),
        ("grep -rv shopname ~/.config", Risk.DANGER),
        ("grep -r shopname ~", Risk.DANGER),
        ("ssh-keyscan github.com >> ~/.ssh/known_hosts", Risk.CARE),
        ("ssh-keyscan github.com > ~/.ssh/known_hosts", Risk.DANGER),
        ("cat key.pub >> ~/.ssh/authorized_keys", Risk.DANGER),
        ("sg run -p 'foo($A)' -l ts src", Risk.LOOK),
        ("sg -p 'foo($A)' src", Risk.LOOK),
        ("sg run -p 'foo($A)' -r 'bar($A)' -U src", Risk.CHANGE),
        ("sg docker -c 'ls'", Risk.DANGER),
        ("sg run -c 'ls'", Risk.DANGER),
        ("rm ~/.claude/todos/a.json", Risk.CARE),
        ("rm ~/.claude/debug/a.txt", Risk.CARE),
        ("rm -f .cursor/debug.log", Risk.CHANGE),
        (": > .cursor/debug.log", Risk.CHANGE),
        ("rm -rf ~/.claude/projects", Risk.DANGER),
        ("rm ~/.claude/settings.json", Risk.DANGER),
        ("echo x > .cursor/rules/a.log", Risk.DANGER),
        ("echo x > .claude/hooks/a.jsonl", Risk.DANGER),
        ("kubectl delete --help", Risk.LOOK),
        ("git push --help", Risk.LOOK),
        ("unheard-of --help", Risk.CARE),
    ],
)
def test_line_is_as_bad_as_what_it_does(line: str, expected: Risk) -> None:
    """Known text, empty files, one word, one more line, another tool, an agent's own notes."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("column --help", Risk.LOOK),
        ("unheard-of --help", Risk.LOOK),
        ("unheard-of sub-verb --help", Risk.LOOK),
        ("unheard-of --version", Risk.LOOK),
        ("unheard-of a b c d --help", Risk.CARE),
        ("unheard-of ./x --help", Risk.CARE),
        ("unheard-of --help x", Risk.CARE),
        ("unheard-of -x --help", Risk.CARE),
        ("PATH=$X:$PATH unheard-of --help", Risk.CARE),
        ("./unheard-of --help", Risk.CARE),
        ("another --help", Risk.CARE),
    ],
)
def test_help_of_what_is_installed_is_look(line: str, expected: Risk, tmp_path: Path) -> None:
    """A program tells about itself where package managers put it, and does nothing else."""
    programs = tmp_path / "home/.local/bin"
    programs.mkdir(parents=True)
    (programs / "unheard-of").write_text("")
    assert _risk(
        line, Setting(project=str(tmp_path / "shop"), home=str(tmp_path / "home"), cwd=str(tmp_path / "shop"))
    ) == (expected)


@pytest.fixture
def repository(tmp_path: Path) -> Setting:
    """Two committed files, one of them changed since."""
    for line in ("init -q .", "add .", "-c user.name=a -c user.email=a@example.org commit -qm a"):
        for name in ("clean.py", "changed.py"):
            if not (tmp_path / name).exists():
                (tmp_path / name).write_text("1\n")
        subprocess.run(["git", *line.split()], cwd=tmp_path, check=True)
    (tmp_path / "changed.py").write_text("1\n2\n")
    return Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))


def _risk(line: str, setting: Setting) -> Risk:
    found = [effect for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]
    return max((effect.risk for effect in found), default=Risk.LOOK)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git checkout main -- clean.py", Risk.CHANGE),
        ("git checkout -- clean.py", Risk.CHANGE),
        ("git restore clean.py", Risk.CHANGE),
        ("git restore gone.py", Risk.DANGER),
        ("git checkout main -- changed.py", Risk.DANGER),
        ("git restore clean.py changed.py", Risk.DANGER),
        ("git restore .", Risk.DANGER),
        ("git checkout -- '*.py'", Risk.DANGER),
        ("git checkout -- :/", Risk.DANGER),
        ("git checkout -f main", Risk.DANGER),
        ("git restore --pathspec-from-file=x clean.py", Risk.DANGER),
    ],
)
def test_putting_back_what_is_clean_loses_nothing(line: str, expected: Risk, repository: Setting) -> None:
    """Git has the file just as it is."""
    assert _risk(line, repository) == expected
