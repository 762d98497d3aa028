"""Folders of the home that programs are found in."""

import pytest

from assent.policy.shell.shadows import PLACED, holds_programs
from assent.protocol.decision import Risk
from tests.unit.policy.risks import effects, risk

FOLDERS = [
    "~/.local/bin",
    "~/bin",
    "~/.cargo/bin",
    "~/go/bin",
    "~/.npm-global/bin",
    "~/.deno/bin",
    "~/.pyenv/shims",
    "~/.local/share/mise/shims",
    "~/.nvm/versions/node/v20.1.0/bin",
    "~/.dotnet/tools",
    "~/miniconda3/bin",
]
# Every way to put a program into the folder {}.
WAYS = [
    "ln -s /tmp/x {}/git",
    "ln -sf $PWD/x {}/ls",
    "cp x {}/git",
    "cp x {}/",
    "cp x {}",
    "mv x {}/ssh",
    "install -m 755 x {}/sudo",
    "echo x | tee {}/x",
    "echo x > {}/x",
    "cat >> {}/x <<< y",
    "curl -o {}/x https://example.com/x",
    "wget -O {}/x https://example.com/x",
    "chmod +x {}/x",
    "tar xf a.tgz -C {}",
    "unzip a.zip -d {}",
    "rsync -a x {}/",
    "scp host:x {}/x",
    "sed -i s/a/b/ {}/x",
    "dd if=x of={}/x",
    "touch {}/x",
    'cp x {}/"$NAME"',
]


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("way", WAYS)
def test_program_put_where_others_find_it_is_danger(folder: str, way: str) -> None:
    """By whatever command."""
    assert risk(way.format(folder)) is Risk.DANGER


def test_it_is_called_persistence() -> None:
    """It runs later, without a question."""
    assert ("persist", PLACED) in [(effect.kind, effect.why) for effect in effects("cp x ~/.local/bin/git")]


@pytest.mark.parametrize(
    "line",
    [
        "ls ~/.local/bin",
        "cat ~/.local/bin/x",
        "mkdir -p ~/.local/bin",
        "pip install --user x",
        "cargo install x",
        "go install example.com/x@latest",
        "pipx install x",
        "uv tool install x",
        "cp x bin/x",
        "cp x .venv/bin/x",
        "cp x ~/projects/app/bin/x",
        "cp x ~/.local/lib/x",
        "cp x ~/.cache/tool/bin/x",
        "cp ~/.local/bin/x .",
    ],
)
def test_looking_installing_and_other_folders_stay_what_they_were(line: str) -> None:
    """Who installs by a package manager says so."""
    assert risk(line) < Risk.DANGER


def test_folders_of_the_variable_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they are called."""
    monkeypatch.setenv("PATH", "/usr/bin:/home/me/tools/mine")
    assert holds_programs("/home/me/tools/mine/x", "/home/me")
    assert not holds_programs("/home/me/tools/other/x", "/home/me")
