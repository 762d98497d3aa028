"""Reads that Assent may allow, and reads that are left to the agent's own prompt."""

from pathlib import Path

import msgspec
import pytest

from assent.policy.effects import Effect
from assent.policy.paths import READS_OUTSIDE, on_path
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk
from tests.unit.policy.risks import effects, risk
from tests.unit.policy.setting import SETTING


@pytest.mark.parametrize(
    "line",
    [
        "cat README.md",
        "grep -rn TODO .",
        "cat .git/config .github/workflows/ci.yml",
        "cat /home/me/shop/src/a.py",
        "head -5 /tmp/build.log",
        "cat /etc/os-release",
        "cat /proc/cpuinfo /proc/meminfo",
        "grep -i memtotal /proc/meminfo | awk '{print $2}'",
        "cat /sys/class/net/eth0/address",
        "grep -n size_t /usr/include/stdio.h",
        "zcat /usr/share/doc/bash/changelog.gz | head",
        "cat /usr/share/man/man1/ls.1",
        "sed -n 1,40p /usr/lib/python3.11/json/decoder.py",
        "cat /usr/lib/node_modules/npm/package.json",
        "rg Future ~/.cargo/registry/src/index/tokio-1.0/src",
        "cat ~/go/pkg/mod/github.com/x/y@v1/z.go",
        "cat ~/.pyenv/versions/3.12/lib/python3.12/site-packages/requests/api.py",
        "grep -r version ~/.m2/repository/org/x",
    ],
)
def test_reads_of_common_files_are_look(line: str) -> None:
    """The project, temporary files, documentation, headers, package caches and harmless facts."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "cat /etc/passwd",
        "cat /etc/hosts",
        "tail -5 /var/log/syslog",
        "cat ~/notes.txt",
        "cat ~/.gitconfig",
        "cat ~/.bashrc",
        "cat ~/.ssh/id_rsa.pub",
        "cat ~/.claude/settings.json",
        "cat ../sibling/README.md",
        "cat $HOME/Documents/x.txt",
        "head -c 100 < ~/notes.txt",
        "grep -rn x /srv",
        "rg x ../other",
        "wc -l /opt/app/config.yml",
        "cat /proc/1/status",
        "cat /proc/net/tcp",
        "cd ~/other && cat notes.txt",
        "(cd / && cat srv/data.csv)",
        "while read -r l; do echo $l; done < /srv/data.csv",
        "python3 -c 'print(open(\"/srv/data.csv\").read())'",
        "find /srv -name '*.csv' -exec cat {} +",
        "find /srv -type f | xargs cat",
        "diff a.txt /srv/b.txt",
        "sort ~/a.txt",
        "jq . ~/data.json",
        "sed -n 1p ~/a.txt",
        "awk '{print}' /srv/a.txt",
        "cat /tmp/../srv/data.csv",
        "cat /usr/include/../../srv/data.csv",
        "cat ~/.cargo/registry/../../notes.txt",
        "cat /usr/share/phpmyadmin/config.inc.php",
        "git diff --no-index /dev/null ~/notes.txt",
        "tar tvf ~/backup.tar",
        "base64 ~/photo.jpg",
        "curl file:///srv/data.csv",
    ],
)
def test_reads_elsewhere_are_never_look(line: str) -> None:
    """An allow would lift the client's own limit to its working directories."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line", ["ls ~", "ls -la /srv", "find ~ -maxdepth 1", "du -sh /var", "stat /etc/passwd", "tree /opt"]
)
def test_names_are_look_everywhere(line: str) -> None:
    """Names, sizes and dates outside the project tell little, and agents need them to find their way."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize("line", ["ls ~/.ssh", "ls -R ~/.gnupg", "ls /home/you"])
def test_names_where_secrets_or_other_users_files_lie_are_care(line: str) -> None:
    """Guarded folders are not listed unasked."""
    assert risk(line) == Risk.CARE


def test_link_out_of_a_readable_folder_is_read_where_it_leads(tmp_path: Path) -> None:
    """A name inside the project does not make a file outside one of the project's."""
    project, other = tmp_path / "shop", tmp_path / "other"
    project.mkdir()
    other.mkdir()
    (other / "notes.txt").write_text("x")
    (project / "inside").symlink_to(other)
    setting = Setting(project=str(project), home="/home/me", cwd=str(project))
    # The folder of these tests lies in the temporary folder, which is readable, so a place outside is needed.
    (project / "outside").symlink_to("/srv")
    assert _read("outside/data.csv", setting).risk == Risk.CARE
    assert _read("inside/notes.txt", setting).risk == Risk.LOOK


def test_link_in_a_temporary_folder_is_read_where_it_leads(tmp_path: Path) -> None:
    """A link in /tmp does not open the disk."""
    (tmp_path / "out").symlink_to("/srv")
    assert _read(str(tmp_path / "out/data.csv"), SETTING).risk == Risk.CARE


def test_added_directory_is_read_like_the_project() -> None:
    """A person added it, so the client would not ask either."""
    added = msgspec.structs.replace(SETTING, added=("/srv/data",))
    assert _risk("cat /srv/data/a.csv | head -3", added) == Risk.LOOK
    assert _risk("grep -r x /srv/data", added) == Risk.LOOK
    assert _risk("cat /srv/database/a.csv", added) == Risk.CARE
    assert _risk("cat /srv/data/../x", added) == Risk.CARE
    assert _risk("cat /srv/data/.env", added) == Risk.DANGER


def test_added_directory_is_not_written_unasked() -> None:
    """Adding a directory lets the agent read there; writes stay with the client."""
    added = msgspec.structs.replace(SETTING, added=("/srv/data",))
    assert _risk("echo x > /srv/data/a.csv", added) >= Risk.CARE


def test_home_as_project_opens_nothing() -> None:
    """A session started in the home folder has no project around it."""
    home = Setting(project="/home/me", home="/home/me", cwd="/home/me")
    assert _risk("cat notes.txt", home) == Risk.CARE


def test_reason_says_who_decides() -> None:
    """People read why nothing was allowed."""
    assert [effect.why for effect in effects("cat /srv/x")] == [READS_OUTSIDE]


def _read(path: str, setting: Setting) -> Effect:
    return on_path("read", Arg(path), setting, setting.cwd)


def _risk(line: str, setting: Setting) -> Risk:
    found = [effect.risk for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]
    return max(found, default=Risk.LOOK)
