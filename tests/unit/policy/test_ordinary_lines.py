"""Ordinary lines near the guard: what it keeps to itself must not cost a prompt elsewhere."""

import pytest

from tests.unit.policy.owning import HOME, PROJECT, word

# Each line with what was said about it before the guard's own things were told from their surroundings: with the home
# folder as working folder and project, and in a project.
BEFORE: dict[str, tuple[str, str]] = {
    "cp notes.txt ~/": ("no_opinion", "no_opinion"),
    "mv x.pdf ~/": ("no_opinion", "no_opinion"),
    "git clone https://github.com/a/b ~/b": ("no_opinion", "no_opinion"),
    "pip install requests": ("no_opinion", "no_opinion"),
    "mkdir -p ~/.config/foo": ("no_opinion", "no_opinion"),
    "echo x >> ~/.config/foo/bar": ("no_opinion", "no_opinion"),
    "cp x.conf ~/.config/foo/x.conf": ("no_opinion", "no_opinion"),
    "cp -r themes ~/.config/foo/": ("no_opinion", "no_opinion"),
    "mv old.txt ~/Documents/": ("no_opinion", "no_opinion"),
    "ls ~/.config": ("allow", "allow"),
    "ls -la ~": ("allow", "allow"),
    "ls ~/.config/*": ("allow", "allow"),
    "ls -d ~/.config/*/": ("allow", "allow"),
    "du -sh ~/.local/share": ("allow", "allow"),
    "du -sh ~/*": ("allow", "allow"),
    "find ~/.config -maxdepth 1": ("allow", "allow"),
    "find . -name '*.log'": ("allow", "allow"),
    "find . -name '*.pyc' -delete": ("prompt", "no_opinion"),
    "touch ~/todo.md": ("no_opinion", "no_opinion"),
    "tar czf backup.tgz Documents": ("no_opinion", "no_opinion"),
    "tar xzf foo.tar.gz": ("no_opinion", "no_opinion"),
    "unzip foo.zip": ("no_opinion", "no_opinion"),
    "tar xzf foo.tar.gz -C ~/src": ("no_opinion", "no_opinion"),
    "unzip foo.zip -d ~/src/foo": ("no_opinion", "no_opinion"),
    "curl -LO https://example.com/x.tgz": ("no_opinion", "no_opinion"),
    "wget https://example.com/x.tgz": ("no_opinion", "no_opinion"),
    "chmod +x script.sh": ("no_opinion", "no_opinion"),
    "chmod 600 notes.txt": ("no_opinion", "no_opinion"),
    "chmod -R u+w src": ("prompt", "no_opinion"),
    "rm notes.txt": ("prompt", "no_opinion"),
    "rm -rf build": ("prompt", "no_opinion"),
    "rm -rf ~/src/foo/build": ("prompt", "prompt"),
    "sed -i s/a/b/ notes.txt": ("no_opinion", "no_opinion"),
    "ln -s ~/src/foo/bin/foo ~/bin/foo": ("prompt", "prompt"),
    "ln -s ~/dotfiles/foo ~/.config/foo": ("no_opinion", "no_opinion"),
    "rsync -a src/ ~/backup/src/": ("no_opinion", "no_opinion"),
    "cat notes.txt": ("allow", "allow"),
    "cat ~/.config/foo/bar": ("allow", "allow"),
    "grep -rn todo src": ("allow", "allow"),
    "rg todo": ("allow", "allow"),
    "git status": ("allow", "allow"),
    "git -C ~/b pull": ("no_opinion", "no_opinion"),
    "git stash": ("no_opinion", "no_opinion"),
    "git checkout main": ("no_opinion", "no_opinion"),
    "npm install": ("no_opinion", "no_opinion"),
    "npm install -g typescript": ("no_opinion", "no_opinion"),
    "brew install jq": ("no_opinion", "no_opinion"),
    "docker run --rm -v $PWD:/app node npm test": ("no_opinion", "no_opinion"),
    "python3 -m venv ~/venvs/x": ("no_opinion", "no_opinion"),
    "python3 script.py": ("no_opinion", "no_opinion"),
    "make install PREFIX=$HOME/.local": ("no_opinion", "no_opinion"),
    "./configure --prefix=$HOME/.local": ("no_opinion", "no_opinion"),
    "cargo install ripgrep": ("no_opinion", "no_opinion"),
    "go install example.com/x@latest": ("no_opinion", "no_opinion"),
    "kill %1": ("allow", "allow"),
    'for f in *.txt; do mv "$f" "$f.bak"; done': ("no_opinion", "no_opinion"),
    'for f in *.jpg; do cp "$f" ~/Pictures/; done': ("no_opinion", "no_opinion"),
    "cp ~/.config/foo/bar /tmp/bar": ("no_opinion", "no_opinion"),
    "export XDG_CONFIG_HOME=~/.config": ("allow", "allow"),
    "cd ~/.config/foo && ls": ("allow", "allow"),
    "cd ~/.config && ls": ("allow", "allow"),
    "python3 -c \"import os; print(os.listdir('/home/me'))\"": ("allow", "allow"),
    "python3 -c \"print(open('/home/me/.config/foo/bar').read())\"": ("allow", "allow"),
    "mkdir -p ~/.local/bin && cp tool ~/.local/bin/": ("prompt", "prompt"),
    "install -m 755 tool ~/.local/bin/tool": ("prompt", "prompt"),
    "ln -sf $PWD/tool ~/.local/bin/tool": ("prompt", "prompt"),
    "echo 'x' | tee ~/.config/foo/bar": ("no_opinion", "no_opinion"),
    "find ~/.config/foo -name '*.bak' -delete": ("prompt", "prompt"),
    "mv ~/.config/foo ~/.config/foo.bak": ("no_opinion", "no_opinion"),
    "chmod 644 ~/.config/foo/bar": ("no_opinion", "no_opinion"),
    "rm -rf ~/.config/foo": ("prompt", "prompt"),
    "rm -rf ~/.cache/pip": ("prompt", "prompt"),
    "npm config set prefix ~/.local": ("prompt", "prompt"),
    'cp "$f" ~/backup/': ("no_opinion", "no_opinion"),
    'cat "$f"': ("no_opinion", "no_opinion"),
    'rm "$tmp"': ("prompt", "prompt"),
    "git clone https://github.com/a/b ~/.config/foo": ("no_opinion", "no_opinion"),
    "tar czf ~/conf.tgz ~/.config/foo": ("no_opinion", "no_opinion"),
    "scp ~/notes.txt host:": ("prompt", "prompt"),
}
# An effect of these names no file, and the home is the working folder.
NAMELESS = [
    "pip cache purge",
    "npm cache clean --force",
    "yarn cache clean",
    "pnpm store prune",
    "brew cleanup",
    "go clean -modcache",
    "cargo clean",
    "docker rm -f web",
    "docker image prune -f",
    "docker volume rm data",
    "docker system prune -f",
    "podman rm -f web",
]
# Reads outside of the project are left to the client now.
_NO_STRICTER = {"allow": ("allow", "no_opinion"), "no_opinion": ("no_opinion",), "prompt": ("prompt", "no_opinion")}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize("line", BEFORE)
def test_ordinary_line_in_the_home_folder_is_not_newly_asked_about(line: str) -> None:
    """Nor denied, though the guard's files lie below."""
    assert word(line, project=HOME) in _NO_STRICTER[BEFORE[line][0]]


@pytest.mark.parametrize("line", BEFORE)
def test_ordinary_line_in_a_project_is_not_newly_asked_about(line: str) -> None:
    """The same where people work."""
    assert word(line, project=PROJECT) in _NO_STRICTER[BEFORE[line][1]]


@pytest.mark.parametrize("line", NAMELESS)
def test_an_effect_that_names_nothing_is_not_about_the_working_folder(line: str) -> None:
    """It may be asked about for what it does; it does not delete the home folder."""
    assert word(line, project=HOME) != "deny"
    assert word(line, project=PROJECT, cwd=HOME) != "deny"
