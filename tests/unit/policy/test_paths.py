"""Where paths lead, and what doing something there costs."""

from pathlib import Path

import pytest

from assent.policy.effects import Kind
from assent.policy.paths import locate, on_path
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk
from tests.unit.policy.setting import SETTING


def _cost(kind: Kind, text: str, *, glob: bool = False, recursive: bool = False) -> Risk:
    return on_path(kind, Arg(text, glob), SETTING, SETTING.cwd, recursive=recursive).risk


@pytest.mark.parametrize(
    "pattern", [".e*", ".en[v]", "config/.en?", "/home/me/.s?h/x", "id_*", "*.pe?", ".*", "./**/*env"]
)
def test_pattern_that_fits_a_secret_is_one(pattern: str) -> None:
    """A pattern reads what it fits, and these fit names that secrets go by."""
    assert _cost("read", pattern, glob=True) == Risk.DANGER


@pytest.mark.parametrize("pattern", ["*", "*.py", "src/**/*.json", "s*", "*.*", "*env*", "./**/*.ts", "README*"])
def test_pattern_for_everything_is_not_a_secret(pattern: str) -> None:
    """Hidden files do not fit a plain star, and what fits everything is not after secrets."""
    assert _cost("read", pattern, glob=True) == Risk.LOOK


@pytest.mark.parametrize("folder", ["/", "/home", "/home/me"])
def test_whole_home_read_through_is_danger(folder: str) -> None:
    """Secrets lie in the home folder, so reading all of it reads them."""
    assert _cost("read", folder, recursive=True) == Risk.DANGER
    assert _cost("read", folder) == Risk.CARE
    assert _cost("read", f"{folder.rstrip('/')}/**", glob=True) == Risk.DANGER


def test_project_read_through_is_look() -> None:
    """The project is what the agent works with."""
    assert _cost("read", ".", recursive=True) == Risk.LOOK
    assert _cost("read", "./**", glob=True) == Risk.LOOK


@pytest.mark.parametrize("path", ["/tmp", "/tmp/*", "/var/tmp", "/tmp/**"])
def test_deleting_all_temporary_files_is_danger(path: str) -> None:
    """Other programs use what lies there."""
    assert _cost("delete", path, glob="*" in path, recursive=True) == Risk.DANGER


def test_deleting_ones_own_temporary_files_is_change() -> None:
    """What is made there is not meant to stay."""
    assert _cost("delete", "/tmp/mine", recursive=True) == Risk.CHANGE


def test_new_secret_file_of_the_project_is_care(tmp_path: Path) -> None:
    """Nothing is lost where nothing was; what is there is lost when it is written over."""
    setting = Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))
    assert on_path("write", Arg(".env"), setting, setting.cwd).risk == Risk.CARE
    (tmp_path / ".env").write_text("A=1")
    assert on_path("write", Arg(".env"), setting, setting.cwd).risk == Risk.DANGER


def test_new_secret_file_in_an_agents_folder_is_danger(tmp_path: Path) -> None:
    """The agent takes variables from it that decide what it obeys."""
    setting = Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))
    assert on_path("write", Arg(".qwen/.env"), setting, setting.cwd).risk == Risk.DANGER


def test_link_out_of_the_project_leads_where_it_leads(tmp_path: Path) -> None:
    """A name in the project that leads to a secret is a secret."""
    project, home = tmp_path / "shop", tmp_path / "me"
    project.mkdir()
    (home / ".ssh").mkdir(parents=True)
    (project / "x").symlink_to(home / ".ssh")
    setting = Setting(project=str(project), home=str(home), cwd=str(project))
    assert locate(Arg("x/id_rsa"), setting, setting.cwd).place == "secret"


@pytest.mark.parametrize("text", [HOLE, f"{HOLE}/build", f"src/{HOLE}"])
def test_deleting_what_is_not_known_is_danger(text: str) -> None:
    """It could be anything."""
    assert _cost("delete", text) == Risk.DANGER


def test_lock_of_git_may_go_with_care() -> None:
    """It is not what git obeys, but a running git may hold it."""
    assert _cost("delete", ".git/index.lock") == Risk.CARE
    assert _cost("delete", ".git/index") == Risk.DANGER


def test_settings_of_other_users_are_theirs() -> None:
    """Another user's settings are named as such."""
    found = on_path("read", Arg("/home/you/.bashrc"), SETTING, SETTING.cwd)
    assert (found.risk, found.why) == (Risk.CARE, "It reads another user's file.")


@pytest.mark.parametrize("name", ["--checkpoint=1", "./-rf", "src/--use-compress-program=sh"])
def test_file_named_like_an_option_is_a_trick(name: str) -> None:
    """A pattern hands such names to programs as options."""
    assert _cost("write", name) == Risk.DANGER
    assert _cost("read", name) == Risk.LOOK


@pytest.mark.parametrize(
    ("kind", "path", "named"),
    [
        ("write", ".claude/settings.json", "tamper"),
        ("delete", "CLAUDE.md", "tamper"),
        ("mode", ".mcp.json", "tamper"),
        ("write", "/home/me/.bashrc", "persist"),
        ("write", ".git/hooks/pre-commit", "persist"),
        ("write", "/etc/cron.d/x", "persist"),
        ("write", "/home/me/.ssh/authorized_keys", "persist"),
        ("write", "/proc/sysrq-trigger", "device"),
        ("write", "/sys/power/state", "device"),
        ("write", "/dev/sda", "device"),
        ("write", "/dev/pts/3", "typing"),
        ("read", "/dev/sda", "secret"),
        ("read", "/dev/mem", "secret"),
        ("read", "/home/me/.netrc", "secret"),
    ],
)
def test_what_is_done_goes_by_the_name_people_know(kind: Kind, path: str, named: Kind) -> None:
    """Writing a start-up file is not just writing."""
    found = on_path(kind, Arg(path), SETTING, SETTING.cwd)
    assert (found.kind, found.risk) == (named, Risk.DANGER)


@pytest.mark.parametrize(
    "path",
    [
        "/proc/self/root/etc/shadow",
        "/proc/thread-self/root/home/me/.netrc",
        "/proc/self/cwd/.env",
        "/proc/self/root/proc/self/cwd/.env",
        "/proc/1/root/etc/hosts",
        "//etc//shadow",
        "/etc/./ssl/../shadow",
    ],
)
def test_other_names_lead_to_the_same_place(path: str) -> None:
    """A process's own root is the root."""
    assert _cost("read", path) == Risk.DANGER


@pytest.mark.parametrize(
    ("folder", "written", "risk"),
    [
        ("/", "/etc/passwd", Risk.DANGER),
        ("/", "/opt/x", Risk.DANGER),
        ("/etc", "/etc/x", Risk.DANGER),
        ("/usr/local/bin", "/usr/local/bin/ls", Risk.DANGER),
        ("/home", "/home/me/x", Risk.CARE),
        ("/home/me", "/home/me/x", Risk.CARE),
        ("/home/me/shop", "/home/me/shop/x", Risk.CHANGE),
        ("/usr/src/app", "/usr/src/app/x", Risk.CHANGE),
        ("/opt/app", "/opt/app/x", Risk.CHANGE),
    ],
)
def test_system_and_home_are_no_project(folder: str, written: str, risk: Risk) -> None:
    """A session that was started there may not change them as if they were."""
    setting = Setting(project=folder, home="/home/me", cwd=folder)
    assert on_path("write", Arg(written), setting, folder).risk == risk
