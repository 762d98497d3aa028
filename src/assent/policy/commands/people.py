"""Commands that act where people look and type: terminals shared with others, keyboards, clipboards, screens.

Typing in a person's place is Danger: it goes around the question put to them."""

import re
from collections.abc import Iterator, Sequence

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands._web import reached, shown
from assent.policy.commands.spec import Finding, Invocation, Run, RunsFile, Spec, dangerous, each
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_TYPES = "It types into a terminal in a person's place."
_STARTS = "What it starts goes on out of sight."
_TELLS = "It tells about terminals. It changes nothing."

# --- tmux

_TMUX_LOOKS = later(
    r"ls|list-\S+|lsp|lsw|lsc|lsk|lsb|lscm|has(?:-session)?|display(?:-message)?|info|show(?:-options|-window-options|-messages|-hooks)?|showw|showmsgs"
)
_TMUX_TYPES = later(r"send(?:-keys|-prefix)?|paste(?:-buffer|b)?|pasteb|set-buffer|setb|load-buffer|loadb|choose-\S+")
_TMUX_STARTS = later(
    r"new(?:-session|-window)?|neww|split(?:-window|w)?|respawn(?:-pane|-window|p|w)|popup|display-popup"
)
_TMUX_RUNS = later(
    r"run(?:-shell)?|if(?:-shell)?|pipe-?p(?:ane)?|set-hook|bind(?:-key)?|confirm(?:-before)?|command-prompt"
)
_TMUX_READS = later(r"capture-?p(?:ane)?|show-?b(?:uffer)?|save-?b(?:uffer)?|show-?env(?:ironment)?")
_TMUX_SHOWS = later(
    r"a|at|attach\S*|switch\S*|select\S*|rename\S*|resize\S*|detach\S*|next\S*|prev\S*|last\S*|move\S*|swap\S*|refresh\S*"
    r"|clear\S*|break\S*|join\S*|rotate\S*|find-\S*|start\S*"
)
_TMUX_OPTIONS = Spec(
    "What follows the options is a command.",
    "* -t: -s: -n: -c: -F: -x: -y: -e: -l: -p: -S: -E: -f: -w:",
    wraps=True,
)


def _tmux(it: Invocation) -> Iterator[Finding]:
    words = list(it.operands)
    if it.has("-V"):
        yield nothing(_TELLS)
        return
    if (line := it.value("-c")) is not None:
        yield Run(line=line)
    if not words:
        yield care("typing", "It opens a terminal for a person.")
    current: list[Arg] = []
    for word in [*words, Arg(";")]:
        if word.text in (";", "\\;"):
            if current:
                yield from _tmux_command(it, current)
            current = []
        else:
            current.append(word)


def _tmux_command(it: Invocation, words: list[Arg]) -> Iterator[Finding]:
    verb, rest = words[0].text, words[1:]
    if HOLE in verb:
        yield danger("dynamic", "What it does is known only when it runs.")
    elif _TMUX_TYPES.fullmatch(verb):
        yield danger("typing", _TYPES)
        for word in rest:
            if word.known and " " in word.text:
                yield Run(line=word)
    elif _TMUX_READS.fullmatch(verb):
        yield care("read", "It reads what stands in another terminal.")
    elif _TMUX_STARTS.fullmatch(verb):
        yield care("process", _STARTS)
        yield from _program(it, rest)
    elif _TMUX_RUNS.fullmatch(verb):
        yield danger("run", "It makes the terminal run something, now or later.")
        for word in Invocation(it.name, tuple(rest), _TMUX_OPTIONS, it.setting, it.cwd).operands:
            yield Run(line=word)
    elif verb.startswith("kill-") or verb in ("killp", "killw"):
        yield danger("process", "It ends a terminal and all that runs in it.")
    elif _TMUX_SHOWS.fullmatch(verb):
        yield care("typing", "It changes what a person sees in a terminal.")
    elif verb.startswith("source"):
        for word in rest:
            yield danger("run", "It makes the terminal do what a file says.", shown(word))
    elif _TMUX_LOOKS.fullmatch(verb):
        yield Effect("query", Risk.LOOK, _TELLS)
        for word in rest:
            # In what it prints, a command may stand.
            for inner in re.findall(r"#\(([^)]{0,1000})\)", word.text):
                yield Run(line=Arg(inner))
    else:
        yield danger("typing", "It makes a terminal do something.")


def _program(it: Invocation, words: list[Arg]) -> Iterator[Finding]:
    yield from _given(Invocation(it.name, tuple(words), _TMUX_OPTIONS, it.setting, it.cwd).operands)


def _given(words: Sequence[Arg]) -> Iterator[Finding]:
    """One word is a line for a shell, several are a command."""
    if len(words) == 1:
        yield Run(line=words[0])
    elif words:
        yield Run(args=tuple(words))


# --- screen


_SCREEN = "* -c: -S: -t: -T: -p: -e: -h: -s:run -ls?none -list?none -wipe?none"
_SCREEN_LINE = Spec("The options that stand anywhere.", _SCREEN)


def _screen(it: Invocation) -> Iterator[Finding]:
    if it.has("-ls", "-list", "-v", "--version", "--help", "-wipe"):
        yield nothing(_TELLS)
        return
    # Names of sessions may stand before it, which others take for the command.
    if Invocation(it.name, it.handed_on, _SCREEN_LINE, it.setting, it.cwd).has("-X"):
        yield danger("typing", _TYPES)
        return
    if (settings := it.value("-c")) is not None:
        yield RunsFile(settings, "screen")
    if it.operands:
        yield care("process", _STARTS)
        yield Run(args=tuple(it.operands))
    else:
        yield care("typing", "It opens a terminal for a person.")


def _zellij(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands]
    match words[:2]:
        case ["list-sessions" | "ls" | "setup" | "list-aliases", *_]:
            yield nothing(_TELLS)
        case ["action" | "ac", *_]:
            yield danger("typing", _TYPES)
        case ["run" | "r", *_]:
            yield care("process", _STARTS)
            rest = it.operands[1:]
            place = next((n for n, arg in enumerate(rest) if arg.text == "--"), None)
            if place is not None:
                yield Run(args=tuple(rest[place + 1 :]))
        case ["kill-session" | "k" | "kill-all-sessions" | "ka" | "delete-session" | "d" | "delete-all-sessions", *_]:
            yield danger("process", "It ends a terminal and all that runs in it.")
        case _:
            yield care("typing", "It opens a terminal for a person.")


# --- desktops


def _opens(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if re.match(r"[a-z][a-z0-9+.-]*:", arg.text) or not arg.known:
            yield from reached(it, arg)
        else:
            yield it.path("read", arg)
    yield care("run", "It opens something with a program that it chooses.", " ".join(map(shown, it.operands)))


# ``host:0``, the screen of another machine; without a host it is one of this.
_FAR_SCREEN = later(r"(?!localhost:|unix:)[\w.-]+:\d+(?:\.\d+)?")


def _terminal(it: Invocation) -> Iterator[Finding]:
    """``xterm -e cmd``, ``gnome-terminal -- cmd``, ``kitty @ send-text``"""
    if it.operands and it.operands[0].text in ("@", "cli"):
        yield danger("typing", _TYPES)
        return
    yield care("process", _STARTS)
    for word in it.operands[:1]:
        if _FAR_SCREEN.fullmatch(word.text):
            yield danger(
                "typing", "Its window opens on another machine, and who sits there types into this one.", word.text
            )
    for words in it.commands:
        yield from _given(words)
    if it.behind is not None:
        yield from _given(it.behind)
    elif it.operands:
        yield from _given(it.operands[1:] if it.operands[0].text in ("start", "run") else it.operands)


def _say(it: Invocation) -> Iterator[Finding]:
    yield Effect("nothing", Risk.LOOK, "It tells a person something.")
    for option, value in it.values:
        if option in ("--icon", "-i", "--file", "-f"):
            yield it.path("read", value)


_CLIPBOARD = care("secret", "It reads or changes the clipboard, and a person's passwords may be in it.")

COMMANDS: dict[str, Spec] = {
    "tmux": Spec("Works with terminals.", "-2CDluvVN -c:none -f:file -L: -S: -T:", "none*", also=_tmux, wraps=True),
    "byobu": Spec("Works with terminals.", "* -c:none -f:file -L: -S:", "none*", also=_tmux, wraps=True),
    "screen": Spec(
        "Works with terminals.",
        _SCREEN,
        "none*",
        also=_screen,
        wraps=True,
    ),
    **each(
        "dtach abduco",
        Spec("Works with terminals.", "* -a: -A: -c: -n: -N: -p:danger", does=(danger("typing", _TYPES),)),
    ),
    "zellij": Spec(
        "Works with terminals.",
        "* -s: --session= -l:config --layout=config -c:config --config=config",
        "none*",
        also=_zellij,
        wraps=True,
    ),
    **each(
        "xdotool ydotool wtype dotool cliclick xte xvkbd xmacro xmacroplay evemu-event evemu-play uinput wlrctl"
        " ydotoold"
        " kdotool autokey-run espanso AutoHotkey sikulix",
        either(
            r"(?:getmouselocation|getactivewindow(?: getwindowname)?|search .*|--version|version|help)",
            _TELLS,
            danger("typing", "It types or clicks in a person's place."),
        ),
    ),
    **each(
        "wezterm kitty kitten alacritty xterm urxvt rxvt gnome-terminal konsole xfce4-terminal foot tilix"
        " terminator ghostty lxterminal x-terminal-emulator ptyxis mate-terminal",
        Spec("Opens a terminal.", "* -e;none -x;none --command;none --execute;none -c;none", "none*", also=_terminal),
    ),
    **each(
        "wall write talk mesg",
        either(r"(?:|--version|-V)", _TELLS, danger("typing", "It writes onto the screens of others.")),
    ),
    **each(
        "notify-send terminal-notifier growlnotify alerter dunstify say espeak spd-say beep",
        Spec(
            "Tells a person something.",
            "* -i: --icon= -f: --file= -o:write -w:write -execute:line -open:fetch --action=text",
            also=_say,
        ),
    ),
    **each(
        "kdialog zenity whiptail dialog yad gum rofi dmenu",
        Spec(
            "Asks a person something.",
            "* --text= --title=",
            does=(care("typing", "It asks a person something in its own window."),),
        ),
    ),
    **each(
        "pbcopy pbpaste xclip xsel wl-copy wl-paste clip.exe clipboard cb copyq parcellite clipman cliphist",
        Spec("Works with the clipboard.", "*", does=(_CLIPBOARD,)),
    ),
    **each(
        "screencapture scrot gnome-screenshot maim flameshot spectacle grim xwd asciinema ttyrec wf-recorder"
        " obs arecord parecord imagesnap fswebcam streamer",
        Spec(
            "Takes pictures or sound.",
            "*",
            "none*",
            does=(care("secret", "It takes a picture of the screen, or records what can be heard."),),
        ),
    ),
    **each(
        "open xdg-open gnome-open kde-open gvfs-open exo-open sensible-browser x-www-browser www-browser explorer.exe"
        " wslview cygstart",
        Spec("Opens something.", "* -a: -b:", "none*", also=_opens),
    ),
    **each(
        "firefox google-chrome google-chrome-stable chromium chromium-browser brave-browser brave microsoft-edge"
        " safari opera vivaldi chrome",
        Spec(
            "Shows pages.",
            "* --user-data-dir=care --profile=care --load-extension=danger --remote-debugging-port=danger"
            " --renderer-cmd-prefix=run --utility-cmd-prefix=run --gpu-launcher=run --screenshot=write"
            " --print-to-pdf=write --dump-dom",
            "fetch*",
            does=(care("run", "It opens a browser with a person's accounts in it."),),
        ),
    ),
    **each(
        "x11vnc vncserver tigervncserver xrdp teamviewer anydesk rustdesk tsclient rdesktop xfreerdp remmina vncviewer",
        dangerous("typing", "It lets another person see and use this screen, or uses another one."),
    ),
    **each(
        "xinput evtest showkey logkeys xev libinput xspy lkl",
        either(r"(?:list|--list|list-devices)(?: .*)?", _TELLS, danger("secret", "It listens to the keyboard.")),
    ),
    **each(
        "xhost xauth xrdb",
        either(r"(?:|list|info)", _TELLS, danger("privilege", "It changes who may use this screen.")),
    ),
}
