"""Lines with commands that change files, and how much a yes to them could cost."""

from pathlib import Path

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf node_modules",
        "rm -rf target/debug",
        "rm -f /tmp/a.txt",
    ],
)
def test_deleting_what_is_built_is_change(line: str) -> None:
    """What the next build makes again, and temporary files, may go."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf src",
        "rm -rf .",
        "rm -rf ./*",
        "rm -rf /tmp/../etc",
        "rm -rf /var/tmp",
        "rm -r -- -x ~",
        "rm ~/.bash_history",
        'rm -rf "$DIR"',
        "rm -rf $DIR/build",
        "rm -rf ~/projects/other",
        "unlink ~/.bashrc",
        "rmdir /etc/x",
        "shred -u notes.txt",
        "rm $(find . -type f)",
        "rm -rf ~/",
        "rm -rf ~/*",
        "rm -rf $HOME/*",
        "rm -rf ../",
        "rm -rf ../shop",
        "rm -rf /home/me/shop",
        'rm -fr -- "$HOME"',
        "rm --recursive ~",
        "rm --recurs ~",
        "rm -Rf .git",
        "rm .git/config",
        "rm -rf **",
        "rm -rf ./src/*",
        "rm -rf {src,lib}",
    ],
)
def test_deleting_is_danger(line: str) -> None:
    """Whole folders, files outside the project and unknown files do not come back."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "chmod u+s run.sh",
        "chmod 6755 run.sh",
        "chmod g=rxs run.sh",
        "chmod 777 /etc/hosts",
        "chmod -R 755 ~",
        "chmod 644 ~/.ssh/id_rsa",
        "chmod 777 ~/.ssh",
        "chown -R me /opt",
        "chown root ~",
        "setfacl -R -m o::rwx ~",
        "chmod 777 -R /",
        "chmod --recursive 777 /usr",
        "chmod a+rwx,u+s x",
        "chmod +s x",
        "chmod 2755 x",
        "chmod u=rwxs x",
        "chown -R nobody ~",
        "chgrp -R x /etc",
    ],
)
def test_permissions_that_matter_are_danger(line: str) -> None:
    """Setting another user's rights, opening secrets and changing whole folders is Danger."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "cp ~/.ssh/id_rsa .",
        "mv ~/.ssh/id_rsa x",
        "ln -s ~/.aws x",
        "split .env",
        "tee < .env",
        "cp .env x",
        "cp .env /tmp/",
        "mv .env x",
        "ln .env x",
        "install .env x",
        "csplit .env 1",
        "cp -r ~/.ssh /tmp/x",
        "cp -a ~ /tmp/x",
    ],
)
def test_secret_taken_along_is_danger(line: str) -> None:
    """Copying, moving or linking a secret is taking it."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "cp a /etc/hosts",
        "cp -t ~/.ssh a",
        "cp -t/etc a",
        "cp --target-directory=/etc a",
        "cp --target=/etc a",
        "cp dotfiles/.bashrc ~/",
        "cp -r dotfiles/. ~",
        "mv .git /tmp/",
        "mv -t /dev/null src",
        "mv src/*.py /dev/null",
        "ln -sf a ~/.zshrc",
        "ln -sfn /tmp/x /usr/local/bin/node",
        "truncate -s 0 ~/.zshrc",
        "install -m 4755 a b",
        "install -m755 a /usr/local/bin/a",
        "install -D a /etc/cron.d/x",
        "echo x | tee -a ~/.bashrc",
        "echo x | tee a /etc/hosts",
        "echo x | sponge .claude/settings.json",
        "split -b 1 a ~/.bashrc",
        "mktemp /etc/x.XXXX",
        "fallocate -l 2T a",
        "mknod x b 8 0",
        "mv x ~/.bashrc",
        "mv x ~/.ssh/authorized_keys",
        "mv hooks/pre-commit .git/hooks/",
        "cp hook .git/hooks/pre-commit",
        "cp x .husky/pre-commit",
        "cp x /usr/local/bin/git",
        "cp -f x /bin/ls",
        "cp x ../../.bashrc",
        "ln -s /tmp/x ~/.bashrc",
        "ln -s ~/.bashrc ../../.zshrc",
        "tee .git/hooks/post-commit < x",
        "truncate --size=0 /var/log/auth.log",
        "touch /etc/nologin",
        "mkdir /etc/x",
        "split -n 2 x /etc/cron.d/",
        "csplit -f /etc/x a 1",
        "split --filter='rm -rf ~' x",
    ],
)
def test_writing_where_others_obey_is_danger(line: str) -> None:
    """System folders, start-up files and hooks are Danger, by option, by landing place or through a folder."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "touch a",
        "cp a b",
        "cp -r src lib",
        "mv a.py b.py",
        "ln -s a b",
        "chmod +x run.sh",
        "chmod 644 a",
        "truncate -s0 a.log",
        "install -d out",
        "echo x | tee a",
        "split -l 10 a part_",
        "fallocate -l 1M a",
    ],
)
def test_changes_in_the_project_are_change(line: str) -> None:
    """What git can undo is a change."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "cp a ~/b",
        "cp a ~/notes/",
        "mv ~/Downloads/a.zip .",
        "rm src/a.py",
        "chmod 777 a",
        "chmod -R a+w src",
        "chmod 600 ~/.ssh/config",
        "chown me a",
    ],
)
def test_uncertain_changes_are_care(line: str) -> None:
    """Outside the project, or open to all, needs care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "mktemp -u",
        "tee --version",
        "echo hi | tee /dev/stderr",
        "echo hi | tee /dev/null",
    ],
)
def test_looking_is_look(line: str) -> None:
    """Names that are only made up, and output thrown away, change nothing."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p src/a/b",
        "mkdir build && cd build && ls",
        "mkdir -p /tmp/work/{a,b}",
        "rmdir src/old",
        "mktemp",
        "mktemp -d",
        "mktemp -t foo.XXXXXX",
        "git diff > /tmp/d.diff; wc -l /tmp/d.diff",
        "ls -R src 2>&1 | tee /tmp/list.txt | head",
        "cp src/a.py /tmp/a.py.bak",
        "T=$(mktemp); git log > $T; wc -l $T",
        "grep -rn x src > /tmp/found.txt 2>/tmp/errors.txt",
    ],
)
def test_empty_folders_and_temporary_files_are_look(line: str) -> None:
    """Nothing is lost, and nothing obeys them."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "mkdir ~/x",
        "mkdir $X",
        "mkdir -p .git/hooks",
        "mkdir .claude",
        "rmdir ~/x",
        "echo a > /tmp/$X",
        "echo a | tee /tmp/*.log",
        "cp -r src /tmp/src",
        "echo 'import os' > /tmp/json.py",
        "echo x > /tmp/x/package.json",
        "echo x > /tmp/x/Makefile",
        "echo x > /tmp/x/.npmrc2",
        "echo x > /tmp/x/node_modules/a.js",
        "chmod +x /tmp/x",
        "mv src/a.py /tmp/",
        "ln -s /home/me/shop/src/a.py /tmp/a && echo x > /tmp/a",
        "tar xf a.tar -C /tmp/new",
        "echo ls > /tmp/x.sh && sh /tmp/x.sh",
    ],
)
def test_folders_elsewhere_and_temporary_files_that_count_are_not_look(line: str) -> None:
    """Outside the project, not known, loaded by their name, or run."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


def test_temporary_file_that_is_a_link_is_not_look(tmp_path: Path) -> None:
    """Through it something else is written."""
    link = tmp_path / "link"
    link.symlink_to("/home/me/notes")
    assert risk(f"echo a > {link}") == Risk.CHANGE


def test_temporary_file_with_a_second_name_is_not_look(tmp_path: Path) -> None:
    """What it is called elsewhere is not known."""
    (tmp_path / "a").write_text("")
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    assert risk(f"echo a > {tmp_path}/b") == Risk.CHANGE


def test_temporary_program_is_not_look(tmp_path: Path) -> None:
    """Something may run it."""
    (tmp_path / "run").write_text("")
    (tmp_path / "run").chmod(0o755)
    assert risk(f"echo a > {tmp_path}/run") == Risk.CHANGE
    assert risk(f"echo a > {tmp_path}/other") == Risk.LOOK


@pytest.mark.parametrize("line", ["yes > /tmp/x", "cat /dev/zero > /tmp/x"])
def test_temporary_file_without_end_is_danger(line: str) -> None:
    """The disk is full then."""
    assert risk(line) == Risk.DANGER
