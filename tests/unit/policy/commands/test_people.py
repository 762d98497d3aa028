"""Where people look and type."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "tmux ls",
        "tmux list-windows -t x",
        "tmux has-session -t x",
        "tmux -V",
        "screen -ls",
        "zellij list-sessions",
        "notify-send done",
        "say done",
    ],
)
def test_people_who_are_told_something_look(line: str) -> None:
    """Lists, states, a notice."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "tmux",
        "tmux attach -t x",
        "tmux new-session -d -s x 'ls -la'",
        "tmux capture-pane -p -t x",
        "screen -dmS x ls",
        "xdg-open https://example.org",
        "open .",
        "firefox https://example.org",
        "pbcopy < README.md",
        "pbpaste",
        "xclip -o",
        "echo hi | wl-copy",
        "screencapture x.png",
        "xterm -e ls",
    ],
)
def test_people_get_something_opened_with_care(line: str) -> None:
    """A terminal, a page, the clipboard."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "tmux send-keys -t x y Enter",
        "tmux send -t x 'rm -rf /' C-m",
        "tmux send-key -t x y",
        "tmux -L other send-keys y",
        "tmux new-session -d \\; send-keys 'y' Enter",
        "tmux new -d 'rm -rf /'",
        "tmux split-window -h 'rm -rf /'",
        "tmux run-shell 'rm -rf /'",
        "tmux set-hook -g x 'run y'",
        "tmux pipe-pane -t x 'cat > ~/log'",
        "tmux paste-buffer -t x",
        "tmux display-message '#(rm -rf /)'",
        "tmux source /tmp/x",
        "tmux kill-server",
        "tmux -c 'rm -rf /'",
        'tmux "$verb" x',
        "screen -S x -X stuff 'y'",
        "screen -dmS x rm -rf /",
        "screen -s 'rm -rf /'",
        "zellij action write-chars y",
        "zellij run -- rm -rf /",
        "xdotool type y",
        "xdotool key Return",
        "ydotool key 28:1",
        "wtype y",
        "cliclick c:1,1",
        "wall hello",
        "write me pts/1",
        "xterm -e 'rm -rf /'",
        "gnome-terminal -- rm -rf /",
        "kitty sh -c 'rm -rf /'",
        "chromium --remote-debugging-port=9222",
        "chromium --load-extension=/tmp/x",
        "pbcopy < ~/.ssh/id_rsa",
        "xinput test 3",
        "x11vnc",
        "kitty @ send-text y",
        "wezterm cli send-text y",
        "open ~/.ssh/id_rsa",
    ],
)
def test_acting_in_a_persons_place_is_danger(line: str) -> None:
    """Typing, clicking, running commands in another terminal."""
    assert risk(line) == Risk.DANGER
