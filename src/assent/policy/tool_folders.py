"""Folders in which package and version managers keep programs, and their activation scripts.

A search path that gains such a folder still finds the programs that people mean by their names."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote
import os
import re
from collections.abc import Iterable
from functools import lru_cache

from assent.policy import world
from assent.policy.shell.shadows import may_be_loaded
from assent.policy.shell.spelling import real_path
from assent.policy.shell.words import HOLE, OWN_PATH, Arg

# Documentation, headers and the libraries that come with a language.
_READABLE_SYSTEM = re.compile(
    r"/usr/(?:local/)?(?:"
    r"include|src"
    r"|share/(?:doc|man|info|help|licenses|common-licenses|gtk-doc|devhelp|zoneinfo|dict|mime|terminfo|i18n|locale"
    r"|bash-completion|zsh|fish|vim|nvim|emacs|perl5?|ruby|rubygems-integration|java|javascript|nodejs|gir-1\.0|glib-2\.0"
    r"|cmake[\w.-]*|aclocal[\w.-]*|automake[\w.-]*|autoconf|libtool|pkgconfig|swig[\w.]*|gcc[\w.-]*|gdb|go[\w.-]*|R"
    r"|texmf[\w-]*|texlive|fonts|icons|git-core|awk|misc)"
    r"|lib(?:32|64|x32|exec)?/(?:python[\d.]*|pypy[\d.]*|node_modules|ruby|perl5?|gcc|clang|llvm[\w.-]*|jvm|go[\w.-]*"
    r"|rustlib|R|erlang|elixir|ghc[\w.-]*|ocaml|php|lua|cmake|pkgconfig|dotnet|[\w.-]+-linux-[\w-]+/(?:perl5?|pkgconfig|cmake))"
    r"|go|lib/node_modules"
    r")(?:/|$)"
    r"|/usr/lib/os-release$"
    r"|/opt/homebrew/(?:include|share|Cellar|opt|lib)(?:/|$)|/home/linuxbrew/\.linuxbrew/(?:include|share|Cellar|opt|lib)(?:/|$)"
    r"|/nix/store/[^/]+|/gnu/store/[^/]+"
    r"|/(?:Library/Developer|Applications/Xcode[\w.-]*\.app)/(?:.*/)?(?:SDKs|usr/include|Headers)(?:/|$)"
    r"|/var/cache/(?:apt|dnf|pacman|apk)(?:/|$)|/var/lib/(?:dpkg/(?:info|status|available)|apt/lists)(?:/|$)"
)
_FACTS = re.compile(
    r"/etc/(?:[\w-]*(?:os|lsb|redhat|fedora|centos|alpine|arch|suse|system|gentoo|rocky|almalinux)-release|debian_version"
    r"|issue(?:\.net)?|hostname|timezone|localtime|shells|services|protocols|mime\.types|magic|locale\.conf|locale\.alias"
    r"|machine-info|manpath\.config)"
    r"|/proc/(?:cpuinfo|meminfo|version|uptime|loadavg|stat|vmstat|diskstats|filesystems|partitions|swaps|devices|misc"
    r"|interrupts|softirqs|buddyinfo|zoneinfo|pressure/\w+|self/(?:status|stat|statm|limits|cgroup|comm|oom_score)"
    r"|sys/(?:kernel/(?:osrelease|ostype|version|hostname|pid_max|threads-max|random/(?:boot_id|entropy_avail)"
    r"|perf_event_paranoid|yama/ptrace_scope|unprivileged_userns_clone)|vm/[\w-]+|fs/(?:file-max|file-nr|nr_open|inotify/\w+)"
    r"|net/core/somaxconn))"
    r"|/sys/(?:class|devices|block|bus|fs/cgroup|kernel/mm)(?:/.*)?"
)
# Packages that package managers and version managers keep below the home: code that others published.
_READABLE_HOME = re.compile(
    r"(?:\.cargo/(?:registry|git/checkouts)|\.rustup/toolchains|go/pkg|sdk/go[\d.]+|\.m2/repository|\.gradle/(?:caches|wrapper)"
    r"|\.ivy2/(?:cache|local)|\.coursier|\.nuget/packages|\.npm/_cacache|\.pnpm-store|\.local/share/pnpm/store"
    r"|\.bun/install/cache|\.yarn/(?:berry/)?cache|\.pyenv/versions|\.nvm/versions|\.fnm/node-versions|\.volta/tools"
    r"|\.asdf/installs|\.local/share/(?:mise|rtx)/installs|\.rbenv/versions|\.gem/ruby|\.bundle/cache|\.pub-cache"
    r"|\.hex/packages|\.mix/archives|\.cabal/packages|\.stack/(?:programs|snapshots)|\.ghcup/ghc|\.opam/[^/]+/lib|\.conan2?/(?:data|p)"
    r"|\.composer/cache|\.cocoapods/repos|\.sdkman/candidates|\.julia/packages|\.elm|\.deno/(?:deps|npm)|\.terraform\.d/plugin-cache"
    r"|\.local/lib/python[\d.]+/site-packages|\.local/share/uv/python|\.virtualenvs/[^/]+/lib"
    r"|(?:\.cache|Library/Caches)/(?:pip|uv|yarn|pnpm|go-build|pypoetry|pre-commit|deno|node|electron|ms-playwright|typescript"
    r"|bazel|coursier|composer|Homebrew|CocoaPods|org\.swift\.swiftpm|pants|ccache|sccache|bundle))(?:/|$)"
)


@lru_cache(maxsize=512)
def is_common(path: str, home: str) -> bool:
    """Whether the path names documentation, headers, installed packages or a harmless fact about the system."""
    if path.startswith(f"{home}/"):
        return _READABLE_HOME.match(path[len(home) + 1 :]) is not None
    return _READABLE_SYSTEM.match(path) is not None or _FACTS.fullmatch(path) is not None


_SYSTEM = re.compile(
    r"/(?:usr/(?:local/)?)?s?bin|/usr/games|/snap/bin|/usr/local/(?:go|node|cuda[\w.-]*|lib/[\w.@+-]+|opt/[\w.@+-]+)/s?bin"
    r"|/usr/lib(?:64)?/(?:go[\w.-]*|jvm/[\w.-]+|postgresql/[\d.]+|llvm[\w.-]*|dart|ccache)(?:/s?bin)?"
    r"|/opt/(?:[\w.@+-]+/){1,3}s?bin|/home/linuxbrew/\.linuxbrew/(?:opt/[\w.@+-]+/)?s?bin"
    r"|/nix/var/nix/profiles/default/bin|/run/current-system/sw/bin|/Library/(?:[\w. @+-]+/)+(?:bin|Commands)"
    r"|/Applications/(?:[\w. @+-]+/)+(?:bin|MacOS)"
)
# Below the home.
_HOME = re.compile(
    r"\.(?:local|cargo|bun|deno|volta|yarn|foundry|krew|poetry|juliaup|ghcup|cabal|nix-profile|pub-cache|npm-global|tfenv|rvm"
    r"|fly|pulumi|opencode|console-ninja/\.)/bin|\.(?:pyenv|rbenv|nodenv|goenv|jenv|asdf|plenv)/(?:bin|shims)|\.?go/bin"
    r"|\.nvm/versions/node/v[\d.]+/bin|\.local/share/(?:pnpm|mise/shims|fnm(?:/aliases/default/bin)?|bob/nvim-bin)|Library/pnpm"
    r"|\.(?:opam|sdkman/candidates/[\w.-]+)/[\w.-]+/bin|\.pyenv/versions/[\w.-]+/bin|\.dotnet(?:/tools)?|flutter/bin"
    r"|(?:\.config/composer|\.composer)/vendor/bin|\.(?:local/share/)?gem/ruby/[\d.]+/bin|google-cloud-sdk/bin"
    r"|(?:opt/)?(?:mini|ana|mambaforge|miniforge|micromamba)(?:conda)?3?/bin|(?:Library/Android/sdk|Android/Sdk)/[\w/.-]+"
)
# Scripts that managers of versions tell people to source, and their users' shells source at every start.
_SOURCED_AT_HOME = re.compile(
    r"\.nvm/(?:nvm\.sh|bash_completion)|\.(?:cargo|deno|ghcup|bun|local/bin)/env|\.asdf/asdf\.sh|\.sdkman/bin/sdkman-init\.sh"
    r"|\.rvm/scripts/rvm|\.nix-profile/etc/profile\.d/nix\.sh|\.opam/opam-init/init\.sh"
    r"|(?:mini|ana|mambaforge|miniforge)(?:conda)?3?/etc/profile\.d/(?:conda|mamba)\.sh"
)
_SOURCED_IN_SYSTEM = re.compile(
    r"/usr/share/nvm/(?:init-nvm|nvm)\.sh|(?:/opt/homebrew|/usr/local|/home/linuxbrew/\.linuxbrew)/opt/(?:nvm/nvm|asdf/libexec/asdf)\.sh"
    r"|/opt/(?:mini|ana)conda3?/etc/profile\.d/conda\.sh|/nix/var/nix/profiles/default/etc/profile\.d/nix(?:-daemon)?\.sh"
)
MOST_VERBS = 3
_VERB = re.compile(r"[a-z][a-z0-9:._-]*")
_PROGRAMS = ("/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/opt/homebrew/bin", "/snap/bin")
_PROGRAMS_AT_HOME = (".local/bin", ".cargo/bin", "go/bin", ".bun/bin", ".npm-global/bin", ".dotnet/tools")
_OF_PACKAGES = "/node_modules/.bin"
_OF_ENVIRONMENT = "/bin"
_PYTHON = re.compile(r"(?:python|pip|pypy)[\d.]*")


def is_tools(folder: str, home: str) -> bool:
    """Whether programs of the system or of a package manager lie there."""
    if folder.startswith(f"{home}/"):
        return _HOME.fullmatch(folder[len(home) + 1 :]) is not None
    return _SYSTEM.fullmatch(folder) is not None


def is_installed(name: str, home: str) -> bool:
    """Whether a program by this name lies where the system or a package manager puts programs."""
    folders = (*_PROGRAMS, *(f"{home}/{folder}" for folder in _PROGRAMS_AT_HOME))
    return any(world.is_there(f"{folder}/{name}") for folder in folders)


def only_tells(words: list[str]) -> bool:
    """``--version``, ``sub --help``: nothing but plain words before it, and nothing behind."""
    *verbs, last = words or [""]
    if last in ("--help", "-h"):
        return len(verbs) <= MOST_VERBS and all(_VERB.fullmatch(verb) for verb in verbs)
    return not verbs and last in ("--version", "-V", "-version")


def is_sourced(path: str, home: str) -> bool:
    """Whether it is the start-up script of a version manager of the user's."""
    if path.startswith(f"{home}/"):
        return _SOURCED_AT_HOME.fullmatch(path[len(home) + 1 :]) is not None
    return _SOURCED_IN_SYSTEM.fullmatch(path) is not None


def added(values: Iterable[str], home: str, project: str) -> tuple[str, ...] | None:
    """Folders of the project that a search path gains; None where it gains anything that is not known."""
    folders: list[str] = []
    for value in values:
        for folder in value.split(":"):
            plain = folder.rstrip("/")
            if folder == OWN_PATH or is_tools(plain, home):
                continue
            if not plain.startswith(f"{project}/") or HOLE in plain or ".." in plain.split("/"):
                return None
            if not plain.endswith(_OF_PACKAGES) and not is_environment(plain.removesuffix(_OF_ENVIRONMENT), project):
                return None
            folders.append(plain)
    return tuple(folders)


def is_environment(folder: str, project: str) -> bool:
    """Whether it is an environment for Python whose Python comes from outside of the project."""
    if not world.is_there(os.path.join(folder, "pyvenv.cfg")):
        return False
    python = world.real(os.path.join(folder, "bin", "python"))
    return not python.startswith((f"{project}/", f"{world.real(project)}/", f"{folder}/")) and world.is_there(python)


def covered(name: str, folders: Iterable[str]) -> str:
    """The folder of the project from which a name would now be taken, where that is more than its own meaning.

    A package's program is code of the project. In an environment for Python, names mean what they always do, unless
    one takes the place of a program of the system."""
    for folder in folders:
        if not world.is_there(os.path.join(folder, name)):
            continue
        if folder.endswith(_OF_PACKAGES):
            return folder
        is_of_system = any(world.is_there(f"{place}/{name}") for place in ("/usr/bin", "/bin", "/usr/local/bin"))
        if is_of_system and _PYTHON.fullmatch(name) is None:
            return folder
    return ""


# Folders for temporary files.
FOLDERS = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/var/folders", "/private/var/folders")  # noqa: S108 - names of places, not used as files


def stays_temporary(path: str) -> bool:
    """Whether a path among temporary files leads to one, links followed."""
    real = real_path(path)
    return any(real == folder or real.startswith(f"{folder}/") for folder in FOLDERS)


def is_own_temporary(path: str, arg: Arg) -> bool:
    """Whether one temporary file is written that nothing loads by itself, and no program is overwritten."""
    if not arg.known or arg.glob or path in FOLDERS or may_be_loaded(path) or not stays_temporary(path):
        return False
    return world.may_be_overwritten(path)
