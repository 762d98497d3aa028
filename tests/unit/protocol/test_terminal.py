"""Where an agent's screen is: only what has exactly the right form counts."""

import pytest

from assent.protocol import terminal
from assent.protocol.terminal import Terminal

TMUX = {"TMUX": "/tmp/tmux-1000/default,4711,0", "TMUX_PANE": "%12"}
PLACE = Terminal("tmux", "/tmp/tmux-1000/default", "%12")


def test_pane_of_tmux_is_known() -> None:
    """Its socket and its pane; what surrounded tmux does not count."""
    assert terminal.of({**TMUX, "TERM_PROGRAM": "vscode"}) == PLACE


@pytest.mark.parametrize(
    "env",
    [
        {"TMUX": "relative/default,1,0", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/../etc/x,1,0", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/a\nb,1,0", "TMUX_PANE": "%1"},
        {"TMUX": f"/{'a' * 200},1,0", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/a,1,0;x", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/a", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/a,1,0", "TMUX_PANE": "%1;kill-server"},
        {"TMUX": "/tmp/a,1,0", "TMUX_PANE": "%١"},
        {"TMUX": "/tmp/a,1,0", "TMUX_PANE": "-t"},
        {"TMUX": "/tmp/a,1,0", "TMUX_PANE": "%1\n"},
        {"TMUX": "/tmp/a,1,0"},
    ],
)
def test_what_is_not_exactly_of_tmux_is_unknown(env: dict[str, str]) -> None:
    """Neither half of it is used."""
    assert terminal.of(env) is None


def test_window_of_the_editor_is_known_on_this_machine_alone() -> None:
    """Elsewhere the link would open another machine's folder."""
    assert terminal.of({"TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.99.0"}) == Terminal("vscode")
    insiders = terminal.of({"TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.99.0-insider"})
    assert insiders == Terminal("vscode-insiders")
    for name in ("CURSOR_TRACE_ID", "SSH_CONNECTION", "REMOTE_CONTAINERS", "WSL_DISTRO_NAME"):
        assert terminal.of({"TERM_PROGRAM": "vscode", name: "x"}) is None


ITERM = "w0t1p0:8A9D1E2F-0B3C-4D5E-9F60-718293A4B5C6"


def test_session_of_iterm_is_known_on_this_machine_alone() -> None:
    """By the name that iTerm2 gives it; over ssh it would be another machine's."""
    env = {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": ITERM}
    assert terminal.of(env) == Terminal("iterm2", session=ITERM)
    assert terminal.of({**env, "SSH_CONNECTION": "x"}) is None
    assert terminal.of({**env, **TMUX}) == PLACE


@pytest.mark.parametrize("name", ["", "x", ITERM + "\n", f"{ITERM}&sessionid=w0t0p0", ITERM.replace("w0", "wx")])
def test_what_is_not_exactly_a_session_of_iterm_is_unknown(name: str) -> None:
    """It becomes a part of an address."""
    assert terminal.of({"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": name}) is None
    assert terminal.read({terminal.FIELD: {"kind": "iterm2", "session": name}}) is None


def test_link_of_iterm_names_its_session() -> None:
    """Wherever its project is."""
    assert terminal.link(Terminal("iterm2", session=ITERM), "") == f"iterm2:reveal?sessionid={ITERM}"


@pytest.mark.parametrize("env", [{}, {"TERM_PROGRAM": "iTerm.app"}, {"TERM_PROGRAM": "Apple_Terminal"}])
def test_terminal_without_a_way_to_it_is_unknown(env: dict[str, str]) -> None:
    """Nothing is offered there."""
    assert terminal.of(env) is None


def test_link_is_the_editors_own_with_the_folder_escaped() -> None:
    """Only for an absolute folder; tmux has none."""
    assert terminal.link(Terminal("vscode"), "/src/my shop?#/") == "vscode://file/src/my%20shop%3F%23/"
    assert terminal.link(Terminal("vscode"), "src") == ""
    assert terminal.link(PLACE, "/src") == ""


def test_origin_is_a_pane_of_the_same_tmux() -> None:
    """Of another one it says nothing."""
    assert terminal.origin(PLACE, {**TMUX, "TMUX_PANE": "%3"}) == "%3"
    assert terminal.origin(PLACE, {"TMUX": "/tmp/other,1,0", "TMUX_PANE": "%3"}) == ""
    assert terminal.origin(PLACE, {}) == ""


@pytest.mark.parametrize(
    "field",
    [{"kind": "tmux", "socket": "/a", "pane": "1"}, {"kind": "xterm"}, "tmux", None],
)
def test_record_that_says_something_else_is_passed_over(field: object) -> None:
    """Records are checked like what came from a hook."""
    assert terminal.read({terminal.FIELD: field}) is None
    assert terminal.read({terminal.FIELD: {"kind": "tmux", "socket": "/a", "pane": "%1"}}) == Terminal(
        "tmux", "/a", "%1"
    )
