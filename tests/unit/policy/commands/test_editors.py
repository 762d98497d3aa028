"""Editors, and the programs they can be given."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import effects, risk


@pytest.mark.parametrize(
    "line",
    [
        "vim README.md",
        "vim +12 README.md",
        "vi -R README.md",
        "nvim -d a b",
        "nano README.md",
        "view README.md",
        "emacs -nw README.md",
        "code .",
        "code -g README.md:3",
        "subl x",
        "vim -es -c '%s/a/b/g' -c wq README.md",
        "vim -c 'set nu' README.md",
        "ex -sc 'g/x/d|x' README.md",
        "ed README.md <<< $',s/a/b/\nw\nq'",
    ],
)
def test_editors_that_wait_take_care(line: str) -> None:
    """A file of the project is opened, or changed by commands that only edit."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "vim --version",
        "nvim --version",
        "emacs --version",
        "code --version",
        "code --list-extensions",
    ],
)
def test_editors_that_tell_look(line: str) -> None:
    """Versions and lists."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "vim -c '!rm -rf /'",
        "vim -c ':!rm -rf /' x",
        "vim '+!rm -rf /' x",
        "vim --cmd 'silent !rm -rf /' x",
        "vim -es '+silent! 1,$!sh' x",
        "vim -c 'r !cat ~/.ssh/id_rsa' -c 'w x'",
        "vim -c 'e ~/.ssh/id_rsa' -c 'w x'",
        "vim -c 'w ~/.bashrc' x",
        "vim -c 'call system(\"x\")' x",
        "vim -c 'lua os.execute(\"x\")' x",
        "vim -c '%s/x/\\=system(\"id\")/' x",
        "vim -c 'e `id`' x",
        'vim -c "$commands" x',
        "vim -S /etc/shadow x",
        "vim ~/.ssh/id_rsa",
        "ex -sc '!rm -rf ~|q'",
        "ex x <<< '!rm -rf /'",
        "ed x <<< '!rm -rf /'",
        "ed '!rm -rf /'",
        "ed -s ~/.bashrc <<< $'a\nx\n.\nw'",
        "nvim --headless -c '!rm -rf /' -c q",
        "nvim --headless +'lua x()' +q",
        "emacs --batch --eval '(shell-command \"x\")'",
        "emacs -batch -f x",
        "emacs --script /dev/stdin",
        "emacsclient -e '(x)'",
        "nano -s 'rm -rf /' x",
        "nano ~/.bashrc",
        "code --install-extension x",
        "code --install-extension=x",
        "cursor --user-data-dir /tmp/x",
        "code tunnel",
        "code --version --install-extension x",
        "view ~/.ssh/id_rsa",
    ],
)
def test_editors_with_danger_inside_are_danger(line: str) -> None:
    """Most of them can run programs."""
    assert risk(line) == Risk.DANGER


def test_commands_of_an_editor_are_followed_so_far() -> None:
    """Twenty joined by bars; of a longer line its beginning is shown."""
    assert risk(f"vim -c '{'|'.join(['set nu'] * 20)}' x") == Risk.CARE
    line = "|".join(["set nu"] * 21 + ["x" * 300])
    (found,) = [effect for effect in effects(f"vim -c '{line}' x") if effect.risk is Risk.DANGER]
    assert found.target == line[:200]
