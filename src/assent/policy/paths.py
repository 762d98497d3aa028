"""Classification of paths, and the risk of reading, writing or deleting there."""

# ruff: noqa: PTH118, PTH120 - paths here are text that an agent wrote

import fnmatch
import os
import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from assent.policy import own, sensitive, tool_folders, world
from assent.policy.effects import Effect, Kind
from assent.policy.guarded import guarded
from assent.policy.shell import shadows
from assent.policy.shell.spelling import LONGEST_PATH, Setting, real_path, still_part, without_detours
from assent.policy.shell.words import HOLE, Arg
from assent.policy.tool_folders import FOLDERS, is_own_temporary
from assent.protocol.decision import Risk

Place = Literal[
    "project",
    "temp",
    "home",
    "system",
    "others",  # another user's files
    "secret",
    "obeyed",  # programs or agents act on what stands there
    "assent",
    "device",
    "sink",  # /dev/null and the like
    "whole",  # the root, the home, or all of the project
    "unknown",
]


def _words(text: str) -> list[str]:
    return text.split()


_SINKS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full"})
_SINK = re.compile(r"/dev/fd/\d+|/proc/self/fd/\d+|/dev/(?:u?random|ptmx)")
_OTHERS = re.compile(r"/(?:home|Users)/[^/]+|/root(?:/|$)")
_TERMINAL = re.compile(r"/dev/(?:pts/|tty[\dS]|vcs|console|input/)")
_RAW = re.compile(
    r"/dev/(?:k?mem|port|sd|nvme|hd|vd|xvd|dm-|mapper/|disk|mmcblk|md\d|input/|hidraw|vcs|kmsg|rdisk|nbd|zvol/|sg\d|uinput)"
)
# Obeyed for certain: what lies here starts with the machine, with a login, or with every program.
_SYSTEM_OBEYED = re.compile(
    r"/(?:etc/(?:cron|profile|systemd|init|rc|ld\.so|pam|xdg/autostart|udev|apt/apt\.conf|update-motd|bash|zsh|environment"
    r"|hosts|resolv|nsswitch|modules|modprobe|sysctl|default|skel|X11|dbus|polkit|gitconfig|npmrc|pip\.conf"
    rf"|{sensitive.MANAGED_FOLDER})"
    r"|(?:usr/|usr/local/)?lib/systemd|Library/Launch|Library/StartupItems|System/Library/Launch|var/spool/(?:cron|at))"
)
_SYSTEM_FOLDER = re.compile(
    r"/(?:etc|usr(?!/(?:local/)?src/.)|s?bin|lib\w*|boot|dev(?!/shm/.)|proc|sys|System|Library)(?:/|$)"
)
_NETWORK = re.compile(r"/dev/(?:tcp|udp)/")
_NEAR_PORT = re.compile(r"/dev/tcp/(?:localhost|127\.0\.0\.1|::1)/\d+")
_SECRET_SYSTEM = re.compile(
    r"/etc/(?:g?shadow|master\.passwd|sudoers|ssl/private|ssh/ssh_host_.*key|krb5\.keytab|wireguard|swanctl|ipsec\.secrets)"
    r"|/proc/[^/]+/(?:environ|mem|maps|cmdline)|/proc/\d+/(?:fd|root|cwd)/|/proc/(?:kcore|sysrq-trigger)"
    r"|/var/lib/(?:secrets|docker/secrets|kubelet)|(?:/var)?/run/secrets|/tmp/(?:krb5cc|ssh-[^/]*/agent)"
    r"|/etc/(?:NetworkManager/system-connections|letsencrypt/(?:live|archive|accounts)|kubernetes|openvpn|ppp/\w+-secrets"
    r"|security/opasswd|sssd|rndc\.key|docker/key\.json|vault|gshadow-|shadow-)"
)
_BROWSER = re.compile(
    r"/(?:\.mozilla|\.thunderbird|snap/(?:firefox|chromium)|Library/(?:Cookies|Keychains|Safari)"
    r"|\.config/(?:google-chrome|chromium|BraveSoftware|microsoft-edge|opera|vivaldi)[\w-]*"
    r"|Library/Application Support/(?:Google/Chrome|Firefox|Chromium|BraveSoftware|Microsoft Edge|Arc"
    r"|com\.operasoftware)[^/]*)(?:/|$)",
    re.IGNORECASE,
)


# Names that a pattern must not fit by the way: ``.e*``, ``id_*``, ``~/.s?h``.
_TELLING = _words(
    ".env .env.local .env.production .ssh .aws .gnupg .kube .netrc .npmrc .pypirc .pgpass .git-credentials"
    " .bash_history .zsh_history id_rsa id_ed25519 credentials x.pem x.key"
)
# Folders of the home that programs keep secrets in, among other things.
_HOLDERS = frozenset(
    {
        ".config",
        ".local",
        ".local/share",
        ".docker",
        *sensitive.AGENT_FOLDERS,
        ".codex",
        ".gemini",
        ".gradle",
        ".cargo",
        ".m2",
        "Library",
    }
)
_OPTIONAL = re.compile(r"[@+?*!]\(([^()|]*)(?:\|[^()]*)?\)")


LONGEST_NAME = 255


class Target(Struct, frozen=True):
    path: str
    place: Place
    # A folder whose contents all go, or a pattern that takes them all.
    all_of_it: bool = False


def locate(arg: Arg, setting: Setting, cwd: str | None) -> Target:
    """Where the argument leads. What is not known is somewhere else."""
    text = arg.text
    if not text or len(text) > LONGEST_PATH:
        return Target("", "unknown")
    if HOLE in text:
        return Target(text, _place_with_hole(text))
    base = cwd if cwd is not None else HOLE
    if not text.startswith("/") and base == HOLE:
        # The folder is not known: a name that is a secret's is one everywhere.
        is_obeyed = sensitive.is_obeyed(text) or (arg.glob and sensitive.may_be_agents(text))
        is_obeyed = is_obeyed or ("/" not in text and sensitive.may_be_in_an_agents_folder(text))
        place: Place = "secret" if sensitive.is_secret(text) else "obeyed" if is_obeyed else "unknown"
        return Target(text, place)
    path = os.path.normpath(text if text[0] == "/" else f"{base}/{text}")
    path = path[1:] if path.startswith("//") else path
    path = without_detours(path, base)
    if setting.line.links:
        path = setting.line.through(path)
    all_of_it = False
    if arg.glob:
        stem = still_part(path)
        last = path[len(stem) :].lstrip("/")
        all_of_it = last in ("*", "**", ".*", "{*,.*}", "?*", "*.*") or last.startswith("*/")
        place = "secret" if _may_be_secret(path) else _place(path, setting, stem)
        if place in ("project", "home", "unknown", "temp") and sensitive.may_be_agents(path):
            place = "obeyed"
        if place not in ("secret", "assent") and all_of_it and stem in _wholes(setting):
            place = "whole"
        return Target(path, place, all_of_it)
    if ("*" in text or "?" in text or "[" in text) and _may_be_secret(path):
        # A loop went through a pattern, and the name it holds is still the pattern.
        return Target(path, "secret")
    return Target(path, _place(path, setting, path), all_of_it)


def _may_be_secret(path: str) -> bool:
    """Whether a pattern fits names that secrets go by, and is not simply one for everything."""
    # What find made fits hidden names, too.
    is_found = "/**" in path
    for part in path.split("/"):
        if part == "**" or len(part) > LONGEST_NAME or not any(mark in part for mark in "*?[("):
            continue
        if "(" in part and sensitive.is_secret(_OPTIONAL.sub(r"\1", part)):
            return True
        letters = len(re.sub(r"\[[^\]]*\]|[*?]", "", part))
        if letters < (1 if part.startswith(".") else 3):
            continue
        for name in _TELLING:
            if (is_found or part[0] == "." or name[0] != ".") and fnmatch.fnmatchcase(name, part):
                return True
    return False


def _wholes(setting: Setting) -> tuple[str, ...]:
    return ("/", setting.home, setting.project, os.path.dirname(setting.project), os.path.dirname(setting.home))


def _place_with_hole(text: str) -> Place:
    visible = text.replace(HOLE, "x")
    if sensitive.is_secret(visible) or _SECRET_SYSTEM.match(visible) or _BROWSER.search(visible):
        return "secret"
    if sensitive.is_obeyed(visible) or (text.startswith(HOLE) and text.endswith(".pth")):
        return "obeyed"
    if sensitive.may_be_agents(text.replace(HOLE, "*")):
        return "obeyed"
    if any(text.startswith(f"{temp}/") for temp in FOLDERS) and ".." not in text:
        return "temp"
    if HOLE in text.rpartition("/")[0].rpartition("/")[2] and sensitive.may_be_in_an_agents_folder(text):
        return "obeyed"
    return "unknown"


def _place(path: str, setting: Setting, stem: str) -> Place:
    if path in _SINKS or _SINK.fullmatch(path):
        return "sink"
    if _NETWORK.match(path):
        return "device"
    if path.startswith("/dev/") and not _below(path, "/dev/shm"):  # noqa: S108
        return "device"
    if special := _special(path, setting):
        return special
    real = real_path(stem)
    if stem == path and real != path and (special := _special(real, setting)):
        return special
    if path == "/" or path == setting.home or path == os.path.dirname(setting.home):
        return "whole"
    if _below(path, setting.project) and _is_a_project(setting.project, setting.home):
        if not _below(real, real_path(setting.project)):
            return _place(real, setting, real) if real != path else "unknown"
        return "whole" if path == setting.project else "project"
    if any(_below(path, temp) for temp in FOLDERS):
        return "temp"
    if _below(path, setting.home):
        return "home"
    if _below(setting.project, path) or _below(setting.home, path):
        return "whole"
    if _OTHERS.match(path):
        return "others"
    return "system"


@lru_cache(maxsize=256)
def _is_a_project(folder: str, home: str) -> bool:
    """The root, a home and what the system is made of are never a project, wherever a session was started."""
    return not _below(home, folder) and not _SYSTEM_FOLDER.match(folder)


def _special(path: str, setting: Setting) -> Place | None:
    if setting.things.is_kept(path):
        return "assent"
    return _by_name(path)


@lru_cache(maxsize=512)
def _by_name(path: str) -> Place | None:
    """What the name alone says. A session names the same files again and again."""
    if sensitive.is_plan(path):
        return None
    if sensitive.is_secret(path) or _SECRET_SYSTEM.match(path) or _BROWSER.search(path):
        return "secret"
    if sensitive.is_obeyed(path):
        return "obeyed"
    if _SYSTEM_OBEYED.match(path):
        return "obeyed"
    return None


def is_temporary(path: str) -> bool:
    """Whether a whole path lies in a folder for temporary files."""
    return any(_below(path, temp) for temp in FOLDERS)


def names_secret(arg: Arg, cwd: str | None) -> str | None:
    """The path of a file of secrets, by the name alone; None for any other. The disk is not asked."""
    if HOLE in arg.text:
        return arg.text if _place_with_hole(arg.text) == "secret" else None
    path = os.path.normpath(os.path.join(cwd or "", arg.text))
    is_pattern = arg.glob or any(mark in path for mark in "*?[")
    is_secret = _may_be_secret(path) if is_pattern else False
    return path if is_secret or _by_name(path) == "secret" else None


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


# --- what it costs

DELETES_WHOLE = "It deletes a whole folder with everything in it."
DISCARDS = "It throws output away."
READS_OUTSIDE = "It reads outside the project; the agent's own rules decide."

_READ: dict[Place, tuple[Risk, str]] = {
    "project": (Risk.LOOK, "It reads inside the project."),
    "temp": (Risk.LOOK, "It reads a temporary file."),
    "home": (Risk.LOOK, "It reads a file of yours."),
    "system": (Risk.LOOK, "It reads a file of the system."),
    "whole": (Risk.LOOK, "It reads in a folder."),
    "sink": (Risk.LOOK, "It reads nothing."),
    "obeyed": (Risk.LOOK, "It reads settings."),
    "others": (Risk.CARE, "It reads another user's file."),
    "secret": (Risk.DANGER, "By its name, this file holds secrets."),
    "assent": (Risk.DANGER, own.READS),
    "device": (Risk.CARE, "It reads a device."),
    "unknown": (Risk.CARE, "Which file it reads is known only when it runs."),
}
_WRITE: dict[Place, tuple[Risk, str]] = {
    "project": (Risk.CHANGE, "It writes inside the project."),
    "temp": (Risk.CHANGE, "It writes temporary files."),
    "home": (Risk.CARE, "It writes outside the project."),
    "system": (Risk.DANGER, "It writes into the system."),
    "whole": (Risk.CARE, "It writes into a whole folder."),
    "sink": (Risk.LOOK, DISCARDS),
    "obeyed": (Risk.DANGER, "Programs or agents act on what this file says."),
    "others": (Risk.DANGER, "It writes another user's file."),
    "secret": (Risk.DANGER, "It overwrites files of secrets."),
    "assent": (Risk.DANGER, own.CHANGES),
    "device": (Risk.DANGER, "It writes to a device."),
    "unknown": (Risk.CARE, "Which file it writes is known only when it runs."),
}
_DELETE: dict[Place, tuple[Risk, str]] = {
    **_WRITE,
    "project": (Risk.CARE, "It deletes files of the project."),
    "temp": (Risk.CHANGE, "It deletes temporary files."),
    "home": (Risk.DANGER, "It deletes files outside the project."),
    "system": (Risk.DANGER, "It deletes files of the system."),
    "whole": (Risk.DANGER, DELETES_WHOLE),
    "sink": (Risk.DANGER, "It deletes a device of the system."),
    "device": (Risk.DANGER, "It deletes a device of the system."),
    "others": (Risk.DANGER, "It deletes files of another user."),
    "obeyed": (Risk.DANGER, "It deletes settings that programs act on, or what git keeps."),
    "secret": (Risk.DANGER, "It deletes files of secrets."),
    "unknown": (Risk.DANGER, "What it deletes is known only when it runs."),
}
# Where the name is known, and the folder is not.
_FOLDER: dict[str, str] = {
    "read": "From which folder it reads is known only when it runs.",
    "write": "Into which folder it writes is known only when it runs.",
    "delete": "In which folder it deletes is known only when it runs.",
}
# Whether these are read is ours to say only where `is_readable` holds.
_PLAIN_READS = frozenset({"temp", "home", "system", "whole", "obeyed"})
_COSTS: dict[str, dict[Place, tuple[Risk, str]]] = {"read": _READ, "write": _WRITE, "delete": _DELETE, "mode": _WRITE}
# Made anew by the next build.
_MADE_AGAIN = _words(
    "node_modules dist build target out coverage htmlcov .next .nuxt .cache .pytest_cache .mypy_cache .ruff_cache .tox"
    " .venv venv __pycache__ *.pyc *.pyo *.o *.log *.tmp *.egg-info .eggs .coverage .turbo .parcel-cache *.class tmp"
    " temp logs .nyc_output .gradle .svelte-kit .output .angular .terraform .serverless .eslintcache *.tsbuildinfo"
    " _build"
    " .hypothesis .nox .ipynb_checkpoints storybook-static"
)


# Left behind or generated by programs, never written by hand.
_BYPRODUCTS = re.compile(
    r".*[~#]|.*\.(?:orig|rej|bak|old|sw[op]|tmp|temp|out|err|pid|prof\w*|gc(?:da|no|ov)|whl|tgz|gz|zip|xz|bz2|zst|dump|core|dmp"
    r"|trace|har|png|jpe?g|gif|webp|webm|mp4|pdf|html|csv|exe|dll|so|a|lib|obj|map|snap|bin|dat|d|aux|toc|fls|synctex.*)"
)


def _is_every_file_of_a_kind(path: str) -> bool:
    """``*.py``, ``*_test.go``: not those that begin with something chosen."""
    last = path.rpartition("/")[2]
    return last.startswith("*.") and _BYPRODUCTS.fullmatch(last) is None


def moved_away(effect: Effect) -> Effect:
    """The words for what is moved where deleting it would cost the same."""
    if effect.why == DELETES_WHOLE or not effect.why.startswith("It deletes "):
        return effect
    return structs.replace(effect, why=effect.why.replace("It deletes ", "It moves away ", 1))


def on_path(kind: Kind, arg: Arg, setting: Setting, cwd: str | None, *, recursive: bool = False) -> Effect:
    """What doing this to the path costs."""
    if (refusal := guarded(kind, arg, setting, cwd, recursive=recursive)) is not None:
        return refusal
    target = locate(arg, setting, cwd)
    shown = arg.text.replace(HOLE, "…")
    if kind == "read" and _NEAR_PORT.fullmatch(arg.text):
        return Effect("fetch", Risk.CARE, "It tries whether a port of this machine is open.", shown)
    if _NETWORK.match(arg.text):
        way: Kind = "fetch" if kind == "read" else "send"
        return Effect(way, Risk.DANGER, "It opens a connection through the shell.", shown)
    place: Place = "system" if target.path == "/" and kind in ("write", "mode") else target.place
    risk, why = _COSTS[kind][place]
    if place == "unknown" and arg.text and HOLE not in arg.text:
        why = _FOLDER.get(kind, why)
    if kind == "delete" and target.place == "project":
        if is_made_again(target.path, setting.project):
            return Effect(kind, Risk.CHANGE, "It deletes what the next build makes again.", shown)
        if recursive or target.all_of_it or "**" in arg.text:
            why = "It deletes files or whole folders of the project."
            return Effect(kind, Risk.DANGER, why, shown, "git rm, or move it aside")
        if arg.glob and _is_every_file_of_a_kind(target.path):
            return Effect(kind, Risk.DANGER, "It deletes many files of the project.", shown, "name the files")
    if kind == "read" and target.place in _PLAIN_READS and not is_readable(target.path, setting):
        is_of_others = target.place == "obeyed" and _OTHERS.match(target.path) and not _is_ours(target.path, setting)
        risk, why = _READ["others"] if is_of_others else (Risk.CARE, READS_OUTSIDE)
    if kind == "write" and target.path.rpartition("/")[2].startswith("-") and len(arg.text) > 1:
        return Effect(kind, Risk.DANGER, "Behind a pattern, a file by this name is taken for an option.", shown)
    if kind == "write" and target.place == "temp" and not recursive and is_own_temporary(target.path, arg):
        risk = Risk.LOOK
    if kind == "delete" and target.place == "home" and sensitive.is_agents_data(target.path):
        return Effect(kind, Risk.CARE, "It deletes what an agent wrote down for itself.", shown)
    if kind == "delete" and target.place == "temp" and _is_temp_itself(target):
        return Effect(kind, Risk.DANGER, "It deletes temporary files of all users, in use or not.", shown)
    if kind == "delete" and target.place == "obeyed" and target.path.endswith(".lock") and "/.git/" in target.path:
        return Effect(kind, Risk.CARE, "It takes away a lock of git, which may be in use.", shown)
    is_first = kind == "write" and target.place == "secret" and _is_new(target.path, arg, setting)
    # What stands in a folder of an agent's may change what it obeys.
    if is_first and not sensitive.is_agents(target.path):
        return Effect(kind, Risk.CARE, "It makes a file of secrets.", shown)
    if (
        kind == "read"
        and target.place in ("whole", "home", "obeyed")
        and _holds_secrets(target.path, setting, recursive)
    ):
        return Effect("secret", Risk.DANGER, "It reads a whole folder that secrets lie in.", shown)
    is_open = kind in ("write", "mode") and target.place in ("home", "unknown")
    if is_open and shadows.holds_programs(target.path.replace(HOLE, "x"), setting.home):
        return Effect("persist", Risk.DANGER, shadows.PLACED, shown)
    return _named(kind, target, risk, why, shown)


def appended(effect: Effect) -> Effect:
    """The same where the file keeps what it has."""
    if effect.kind == "write" and effect.target.endswith("/.ssh/known_hosts"):
        return Effect("write", Risk.CARE, "It adds machines to those that ssh takes for known.", effect.target)
    return effect


def is_readable(path: str, setting: Setting) -> bool:
    """Whether a read of the path is ours to allow, links followed. Elsewhere the client decides."""
    stem = still_part(path)
    real = real_path(stem)
    return _is_open(stem, setting) and (real == stem or _is_open(real, setting))


def _is_open(path: str, setting: Setting) -> bool:
    is_inside = _below(path, setting.project) or _below(path, real_path(setting.project))
    if is_inside and _is_a_project(setting.project, setting.home):
        return True
    if any(_below(path, folder) for folder in (*FOLDERS, *setting.added)):
        return True
    return tool_folders.is_common(path, setting.home)


def on_names(arg: Arg, setting: Setting, cwd: str | None) -> Effect:
    """What listing names, sizes and dates costs: nothing but where secrets, other users' files or Assent's own lie."""
    effect = on_path("read", arg, setting, cwd)
    if effect.why in own.ASKED and arg.glob and guarded("read", Arg(still_part(arg.text)), setting, cwd) is None:
        # Of a folder around Assent's own, the names in it may be listed like those of any other.
        return Effect("read", Risk.LOOK, "It lists names.", effect.target)
    if effect.kind == "read" and (effect.why == READS_OUTSIDE or HOLE in arg.text):
        return Effect("read", Risk.LOOK, "It lists names.", effect.target)
    if effect.kind != "secret":
        return effect
    path = locate(arg, setting, cwd).path
    risk = Risk.LOOK if not path.startswith("/") or path.startswith(f"{setting.project}/") else Risk.CARE
    return Effect("read", risk, "It lists names where secrets lie.", effect.target)


def _named(kind: Kind, target: Target, risk: Risk, why: str, shown: str) -> Effect:
    """The same by the name that people know it under."""
    match target.place, kind:
        case "secret", "read":
            return Effect("secret", risk, why, shown)
        case "assent", _:
            return Effect("tamper", risk, why, shown)
        case "secret", "write" if target.path.endswith(
            ("authorized_keys", "authorized_keys2", "/.ssh/rc", "/.ssh/config")
        ):
            return Effect("persist", risk, "It changes who may log in, or what runs at login.", shown)
        case "obeyed", ("write" | "mode") if _is_agents(target.path):
            return Effect("tamper", risk, "It changes instructions of agents, or what they are allowed.", shown)
        case "obeyed", ("write" | "mode"):
            return Effect("persist", risk, "Programs run or obey this file later, without asking.", shown)
        case "obeyed", "delete" if _is_agents(target.path):
            return Effect("tamper", risk, "It deletes instructions of agents, or what limits them.", shown)
        case "device", "read" if _RAW.match(target.path):
            return Effect("secret", Risk.DANGER, "It reads a disk, memory or keyboard past all permissions.", shown)
        case "device", "write" if _TERMINAL.match(target.path):
            return Effect("typing", risk, "It writes onto a terminal in a person's place.", shown)
        case "device", ("write" | "mode" | "delete"):
            return Effect("device", risk, why, shown)
        case "system" | "secret" | "obeyed", "write" if target.path.startswith(("/proc/", "/sys/")):
            return Effect("device", Risk.DANGER, "It changes the running kernel.", shown)
    return Effect(kind, risk, why, shown)


def _is_agents(path: str) -> bool:
    if sensitive.is_agents(path) or sensitive.may_be_agents(path.replace(HOLE, "*")):
        return True
    return not path.startswith("/") and sensitive.may_be_in_an_agents_folder(path)


def _holds_secrets(path: str, setting: Setting, recursive: bool) -> bool:
    folder = re.sub(r"/\*\*(?:/(?:\*|\.\*|\*\.\*))?$", "", path)
    if not recursive and folder == path:
        return False
    return _below(setting.home, folder or "/") or folder.removeprefix(f"{setting.home}/") in _HOLDERS


def _is_ours(path: str, setting: Setting) -> bool:
    return _below(path, setting.home) or _below(path, setting.project)


def _is_temp_itself(target: Target) -> bool:
    folder = still_part(target.path)
    return folder in FOLDERS and (target.path == folder or target.all_of_it)


def _is_new(path: str, arg: Arg, setting: Setting) -> bool:
    """Nothing of the project is lost where nothing was."""
    return arg.known and not arg.glob and _below(path, setting.project) and not world.exists(path)


def is_made_again(path: str, project: str) -> bool:
    """Whether the next build makes it anew."""
    inside = path[len(project) :].strip("/").split("/")
    return any(fnmatch.fnmatchcase(name, pattern) for name in inside for pattern in _MADE_AGAIN)
