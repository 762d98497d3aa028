"""Settings that agents obey and that come along unnamed."""

import io
import json
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk

OFF = json.dumps({"disableAllHooks": True})
IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


class Shop:
    """A project under git, in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / "shop"
        self.path.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("a.txt", "one")
        self.commit("first")

    def git(self, *args: str) -> str:
        env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", **IDENTITY}
        done = subprocess.run(["git", *args], cwd=self.path, env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, message: str) -> str:
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def branch_with(self, name: str, file: str, text: str) -> str:
        """A branch that has this file, beside the one that is checked out."""
        self.git("checkout", "-q", "-b", name)
        self.write(file, text)
        made = self.commit(f"bring {file}")
        self.git("checkout", "-q", "main")
        return made

    def claims(self, line: str, cwd: Path | None = None) -> list[str]:
        setting = Setting(project=str(self.path), home=str(self.home), cwd=str(cwd or self.path))
        acts = Walk(setting).line(line)
        effects = [effect for act in acts for each in act.all() for effect in each.effects]
        found = [effect for effect in effects if effect.why.startswith("It brings settings")]
        assert all(effect.kind == "tamper" and effect.risk is Risk.DANGER for effect in found)
        return [effect.why for effect in found]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


GIT_LINES = [
    "git merge evil",
    "git merge --no-ff -m x evil",
    "git checkout evil",
    "git checkout -b mine evil",
    "git checkout evil -- .",
    "git checkout evil .claude",
    "git switch evil",
    "git switch --detach evil",
    "git pull . evil",
    "git rebase evil",
    "git cherry-pick evil",
    "git reset --hard evil",
    "git restore --source=evil .",
    "git restore -s evil -- .claude",
    "git read-tree -u -m evil",
    "git worktree add sub/other evil",
    "git archive evil | tar x",
    "git -C . merge evil",
    "cd src && git merge evil",
    "git merge origin/evil",
    "git merge --squash evil~0",
]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("line", GIT_LINES)
def test_what_git_would_bring_is_seen(shop: Shop, line: str, packed: bool) -> None:
    """In loose objects and in packs, by any command that fills the working folder from a commit."""
    made = shop.branch_with("evil", ".claude/settings.json", OFF)
    shop.git("update-ref", "refs/remotes/origin/evil", made)
    (shop.path / "src").mkdir()
    if packed:
        shop.git("gc", "-q")
    where = "sub/other/" if "worktree" in line else ""
    assert shop.claims(line) == [f"It brings settings that agents obey: {where}.claude/settings.json."]


def test_commits_are_known_by_any_name(shop: Shop) -> None:
    """Whole and short hashes, tags, parents, the branch before, the one that is followed."""
    made = shop.branch_with("evil", ".claude/settings.json", OFF)
    shop.git("tag", "-a", "v1", "-m", "x", made)
    shop.git("config", "branch.main.remote", ".")
    shop.git("config", "branch.main.merge", "refs/heads/evil")
    for name in (made, made[:8], "v1", "evil^{0}".removesuffix("^{0}"), "-", "@{-1}", "@{u}"):
        assert shop.claims(f"git checkout {name}"), name
    assert shop.claims("git pull")
    assert shop.claims("git merge")


def test_stash_brings_what_is_in_it(shop: Shop) -> None:
    """Also files that git did not know."""
    shop.write(".claude/settings.json", OFF)
    shop.git("stash", "-u", "-q")
    for line in ("git stash pop", "git stash apply", "git stash apply stash@{0}", "git stash branch x"):
        assert shop.claims(line), line


@pytest.mark.parametrize(
    "file",
    [
        ".claude/settings.local.json",
        ".claude/hooks/x.sh",
        ".mcp.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".qwen/settings.json",
        ".github/copilot/settings.json",
        ".github/hooks/x.json",
        ".grok/hooks/x.json",
        ".vibe/hooks.toml",
        ".pi/agent/extensions/x.ts",
        ".kimi-code/config.toml",
        ".cursor/hooks.json",
        ".opencode/plugins/x.js",
        "opencode.json",
    ],
)
def test_settings_of_every_agent_are_seen(shop: Shop, file: str) -> None:
    """By git, with a folder, and out of an archive."""
    shop.branch_with("evil", file, '{"x": 1}')
    shop.write(f"tpl/{file}", '{"x": 1}')
    with tarfile.open(shop.path / "t.tar", "w") as tar:
        tar.add(shop.path / "tpl" / file, file)
    for line in ("git merge evil", "cp -r tpl/. .", "tar xf t.tar"):
        assert shop.claims(line) == [f"It brings settings that agents obey: {file}."], line


@pytest.mark.parametrize(
    "line",
    [
        "git merge good",
        "git checkout good",
        "git checkout evil -- src",
        "git checkout main",
        "git status",
        "git merge --abort",
        "git rebase --continue",
        "git stash",
        "git reset --hard",
        "git checkout -b new",
        "git pull",
        "git log evil",
        "git diff evil",
        "git push origin evil",
        "git merge unknown",
        "git fetch origin evil",
    ],
)
def test_ordinary_git_claims_nothing(shop: Shop, line: str) -> None:
    """Nothing comes, or nothing that decides."""
    shop.branch_with("evil", ".claude/settings.json", OFF)
    shop.branch_with("good", "CLAUDE.md", "Be kind.")
    assert shop.claims(line) == []


def test_settings_that_are_there_already_are_not_brought(shop: Shop) -> None:
    """A branch that has the project's own settings, or says less, changes nothing."""
    shop.write(".claude/settings.json", json.dumps({"permissions": {"allow": ["Bash(ls)"]}, "model": "opus"}))
    shop.commit("ours")
    shop.branch_with("same", "b.txt", "x")
    shop.branch_with(
        "less", ".claude/settings.json", json.dumps({"model": "sonnet", "permissions": {"deny": ["Bash"]}})
    )
    shop.branch_with("more", ".claude/settings.json", json.dumps({"permissions": {"allow": ["Bash(ls)", "Bash"]}}))
    assert shop.claims("git merge same") == []
    assert shop.claims("git checkout less") == []
    assert shop.claims("git merge more") != []


COPIES = [
    "cp -r tpl/. .",
    "cp -a tpl/. ./",
    "cp -rT tpl .",
    "cp -r -t . tpl/.",
    "cp -r tpl/.claude .",
    "cp -r tpl/.cl* .",
    "cp -r ../shop/tpl/. .",
    "rsync -a tpl/ .",
    "rsync -a tpl/ ./",
    "mv tpl/.claude .",
    "mv tpl/.[a-z]* .",
    "ln -s tpl/.claude .",
    "cd tpl && cp -r . ..",
    "cp -r tpl sub",
]


@pytest.mark.parametrize("line", COPIES)
def test_folder_with_settings_in_it_is_seen(shop: Shop, line: str) -> None:
    """However it is copied, moved or linked into the project."""
    shop.write("tpl/.claude/settings.json", OFF)
    shop.write("tpl/src/a.py", "")
    assert len(shop.claims(line)) == 1


@pytest.mark.parametrize(
    "line",
    ["cp -r src lib", "cp -r . ../backup", "cp a.txt b.txt", "rsync -a src/ lib/", "mv src lib", "cp -r tpl/* ."],
)
def test_ordinary_copies_claim_nothing(shop: Shop, line: str) -> None:
    """The project itself may be copied, and a star leaves hidden files behind."""
    shop.write("tpl/.claude/settings.json", OFF)
    shop.write(".claude/settings.json", OFF)
    shop.write("src/a.py", "")
    assert shop.claims(line) == []


def test_folder_for_temporary_files_is_no_project(shop: Shop) -> None:
    """What is unpacked or copied there is obeyed by no session."""
    shop.write("tpl/.claude/settings.json", OFF)
    with tarfile.open(shop.path / "t.tar", "w") as tar:
        tar.add(shop.path / "tpl", ".")
    for line in ("cp -r tpl/. /tmp/x", "tar xf t.tar -C /tmp/x", "rsync -a tpl/ /var/tmp/x/"):
        assert shop.claims(line) == []


@pytest.mark.parametrize("packing", ["w", "w:gz", "w:bz2", "w:xz"])
def test_archives_are_listed(shop: Shop, packing: str) -> None:
    """Also packed ones, and under a folder that is stripped."""
    with tarfile.open(shop.path / "t.tar", packing) as tar:  # type: ignore[call-overload]
        member = tarfile.TarInfo("tpl/.claude/settings.json")
        member.size = len(OFF)
        tar.addfile(member, io.BytesIO(OFF.encode()))
    assert shop.claims("tar xf t.tar --strip-components=1") == [
        "It brings settings that agents obey: .claude/settings.json."
    ]
    assert shop.claims("tar -x -f t.tar -C sub")
    assert shop.claims("tar x < t.tar")
    assert shop.claims("cat t.tar | tar x")
    assert shop.claims("tar tf t.tar") == []


def test_zip_files_are_listed(shop: Shop) -> None:
    """By the list at their end."""
    with zipfile.ZipFile(shop.path / "t.zip", "w") as file:
        file.writestr(".claude/settings.json", OFF)
        file.writestr("a.txt", "x")
    assert shop.claims("unzip t.zip")
    assert shop.claims("unzip -o t.zip -d sub")
    assert shop.claims("unzip -l t.zip") == []


@pytest.mark.parametrize(
    "line",
    ["git apply x.patch", "git am x.patch", "patch -p1 < x.patch", "patch -p1 -i x.patch", "git apply < x.patch"],
)
def test_patches_are_read(shop: Shop, line: str) -> None:
    """By the names of the files they change."""
    shop.branch_with("evil", ".claude/settings.json", OFF)
    shop.write("x.patch", shop.git("diff", "main", "evil") + "\n")
    assert shop.claims(line) == ["It brings settings that agents obey: .claude/settings.json."]
    shop.write("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n")
    assert shop.claims(line) == []


def test_special_and_damaged_files_claim_nothing(shop: Shop) -> None:
    """Nothing waits for them, and nothing breaks."""
    os.mkfifo(shop.path / "t.tar")
    (shop.path / "t.zip").write_bytes(b"PK\x03\x04 nonsense")
    (shop.path / "t.tgz").write_bytes(b"\x1f\x8b nonsense")
    for line in ("tar xf t.tar", "unzip t.zip", "tar xzf t.tgz", "git apply t.tar", "cp -r t.tar x"):
        assert shop.claims(line) == []
