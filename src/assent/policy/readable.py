"""Where a read may be allowed beside the project, added directories and temporary folders.

An allow lifts the client's own limit to its working directories, so it is given only for what is the same on every
machine: documentation, headers, installed packages and a few facts about the system. Every other read is left to the
client.
"""

import re
from functools import lru_cache

# Documentation, headers and the libraries that come with a language.
_SYSTEM = re.compile(
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
_HOME = re.compile(
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
        return _HOME.match(path[len(home) + 1 :]) is not None
    return _SYSTEM.match(path) is not None or _FACTS.fullmatch(path) is not None
