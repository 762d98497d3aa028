"""Package managers that take what they do as an option: dpkg, rpm, pacman, nix-env."""

from collections.abc import Callable, Iterator

from assent.policy.commands import _origins
from assent.policy.commands._either import either
from assent.policy.commands.interpreters import names
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    RunsInput,
    Spec,
    careful,
    dangerous,
    each,
    known,
    queries,
    starts,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE
from assent.protocol.decision import Risk

Also = Callable[[Invocation], Iterator[Finding]]

_INSTALLS = care("install", "It installs or replaces programs of the system.")
_REMOVES = danger("delete", "It removes programs that others on this machine may use.")
_TELLS = nothing("It tells about packages.")


def _flags(it: Invocation) -> str:
    """All short options in one row."""
    return "".join(option[1] for option, _ in it.values if len(option) == 2)


# --- Debian

_DPKG_LOOKS = names(
    "-l -L -s -S -p -c -I -V -C -f -W --list --listfiles --status --search --print-avail --contents --info"
    " --verify --audit"
    " --field --get-selections --print-architecture --print-foreign-architectures --compare-versions --yet-to-unpack"
    " --predep-package --assert-multi-arch --version --help --show --licence --license -h -?"
)
_DPKG_READS = ("-c", "-I", "-f", "--contents", "--info", "--field")


def _dpkg(it: Invocation) -> Iterator[Finding]:
    for line in it.all_values("--pre-invoke", "--post-invoke", "--status-logger"):
        yield Run(line=line, privileged=True)
        yield danger("run", "It makes the package manager run a program.", line.text)
    if any(option.startswith("--force") for option, _ in it.values):
        yield danger("install", "It installs against what the package manager says.")
    if it.has("-r", "-P", "--remove", "--purge"):
        yield _REMOVES
    elif (
        it.has("-x", "-X", "-e", "-R", "--extract", "--vextract", "--control", "--raw-extract") and len(it.operands) > 1
    ):
        yield it.path("read", it.operands[0])
        yield it.path("write", it.operands[1])
    elif it.has("-b", "--build") and it.operands:
        yield it.path("read", it.operands[0], recursive=True)
        yield it.path("write", it.operands[1] if len(it.operands) > 1 else it.operands[0])
    elif it.values and all(option in _DPKG_LOOKS or option in _DPKG_STEERS for option, _ in it.values):
        yield _TELLS
        if it.has(*_DPKG_READS):
            for arg in it.operands[:1]:
                yield it.path("read", arg)
    else:
        yield _INSTALLS


_DPKG_STEERS = names("--root --admindir --instdir --no-pager --showformat -f -W --show --no-act --dry-run")
_DPKG = Spec(
    "The package manager below apt.",
    "* --status --pre-invoke=none --post-invoke=none --status-logger=none --admindir=none --root=none --instdir=none"
    " --showformat= -D: --log=write",
    "none*",
    also=_dpkg,
)

# --- rpm

_RPM_LOOKS = (
    "* --query -E:none --eval=none -D:none --define=none --pipe=none --load=none --macros=none --rcfile=none"
    " --root=none --dbpath=none --qf=none --queryformat=none --undefine= -r:none"
)


def _rpm(it: Invocation) -> Iterator[Finding]:
    for text in it.all_values("-E", "--eval", "-D", "--define"):
        if "%(" in text.text or "%{lua" in text.text or "%{exp" in text.text or HOLE in text.text:
            yield danger("run", "A macro of rpm can run programs.", text.text)
    for text in it.all_values("--qf", "--queryformat"):
        if "%(" in text.text:
            yield danger("run", "A macro of rpm can run programs.", text.text)
    for line in it.all_values("--pipe"):
        yield from starts(line)
    for file in it.all_values("--load", "--macros", "--rcfile"):
        yield care("run", "Its settings come from a file, and may name programs.", file.text)
    flags = _flags(it)
    if it.has("-e", "--erase"):
        yield _REMOVES
    elif it.has("--nosignature", "--nodigest", "--nodeps", "--force", "--noscripts") and not flags.startswith(
        ("q", "V")
    ):
        yield danger("install", "It installs against what the package manager says.")
    elif flags.startswith(("q", "V", "K")) or it.has(
        "--query", "--verify", "--checksig", "--eval", "-E", "--showrc", "--querytags"
    ):
        yield _TELLS
        if "p" in flags:
            for arg in it.operands:
                yield (
                    it.path("read", arg)
                    if "://" not in arg.text
                    else care("fetch", "It downloads a package.", arg.text)
                )
    elif it.has("--import"):
        yield danger("persist", "Packages signed with this key are trusted from now on.")
    else:
        yield _INSTALLS
        yield from _origins.addresses(it)


# --- Arch


def _pacman(it: Invocation) -> Iterator[Finding]:
    flags = _flags(it)
    for file in it.all_values(
        "--config", "--hookdir", "--gpgdir", "-r", "--root", "-b", "--dbpath", "--makepkg", "--pacman"
    ):
        yield care("run", "Its settings come from another place, and may name programs.", file.text)
    if it.has("--overwrite", "--nodeps") or "dd" in flags:
        yield danger("install", "It installs against what the package manager says.")
    if "R" in flags or it.has("--remove"):
        yield _REMOVES
    elif "U" in flags or it.has("--upgrade"):
        yield _INSTALLS
        yield from _origins.addresses(it)
    elif (
        flags[:1] in ("Q", "T") or flags.startswith("Fl") or it.has("--query", "--deptest", "--version", "-V", "--help")
    ):
        yield _TELLS
    elif "S" in flags and any(letter in flags for letter in "sigl") and not any(letter in flags for letter in "yuwc"):
        yield Effect("query", Risk.LOOK, "It asks for packages.")
    elif not it.is_bare or it.name != "pacman":
        yield _INSTALLS
    else:
        yield _TELLS


_PACMAN = Spec(
    "The package manager of Arch.",
    "* --config=none --hookdir=none --gpgdir=none --root=none --dbpath=none -b:none --makepkg=none --pacman=none"
    " --overwrite=none --ignore= --color= --arch= --logfile=write --cachedir=write",
    "none*",
    also=_pacman,
)

# --- Nix


def _nix_shell(it: Invocation) -> Iterator[Finding]:
    yield care("run", "It makes an environment, from expressions that are programs, and downloads what is missing.")
    lines = it.all_values("--run", "--command")
    for line in lines:
        yield Run(line=line)
    if not lines:
        yield RunsInput("sh")


def _nix_env(it: Invocation) -> Iterator[Finding]:
    flags = _flags(it)
    if flags.startswith("q") or it.has("--query", "--list-generations"):
        yield Effect("query", Risk.LOOK, "It lists packages.")
    elif flags.startswith("e") or it.has("--uninstall", "--delete-generations", "--rollback"):
        yield danger("delete", "It removes programs, or versions of them.")
    else:
        yield care("install", "It installs programs.")


def _nix_runs(it: Invocation) -> Iterator[Finding]:
    yield care("run", "It downloads or builds a program and runs it.")
    for operand in it.operands:
        is_address = "://" in operand.text or operand.text.startswith(("github:", "git+", "gitlab:"))
        if is_address and not operand.text.lower().startswith("github:nixos/"):
            yield danger("run", "It runs what lies at an address, unseen.", operand.text)
    for words in it.commands:
        yield Run(args=words)


_NIX = Spec(
    "The package manager Nix.",
    "--version --help -L -v --extra-experimental-features= --experimental-features= --option:care --impure --offline",
    verbs={
        **each(
            "search path-info why-depends log show-config doctor registry config hash ping derivation",
            queries("It tells about packages.", "*"),
        ),
        **each(
            "run shell develop",
            Spec(
                "It runs a program.",
                "* -c;none --command;none -p: -I: --option::care",
                "none*",
                also=_nix_runs,
            ),
        ),
        **each(
            "build eval flake fmt repl print-dev-env bundle copy edit",
            careful("run", "Expressions of Nix are programs."),
        ),
        **each(
            "profile",
            either(
                r"(?:list|history|diff-closures)\b.*",
                "It lists programs.",
                care("install", "It installs or removes programs."),
            ),
        ),
        **each("store upgrade-nix", careful("install", "It changes what is installed.")),
    },
)


def _gc(it: Invocation) -> Iterator[Finding]:
    if it.has("-d", "--delete-old", "--delete-older-than"):
        yield danger("delete", "It removes all older versions, and nothing can go back to them.")
    else:
        yield care("delete", "It removes programs that nothing uses.")


def _makes_package(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield RunsFile(arg, "sh")
    yield care("project", "It builds a package, and its recipe is a program.")


_BUILDS = Spec("It builds a package.", "*", "none*", also=_makes_package)

COMMANDS: dict[str, Spec] = {
    **each("dpkg dpkg-deb", _DPKG),
    "dpkg-query": known(
        "It tells about packages.",
        "-lsLSWpc -f: --show --list --status --listfiles --search --print-avail --control-list --control-show"
        " --showformat="
        " --admindir=read --root=read --load-avail --no-pager",
    ),
    **each("dpkg-architecture dpkg-parsechangelog", known("It tells about packages.", "* -c:line --file=read -l:read")),
    "dpkg-buildpackage": _BUILDS,
    "rpm": Spec("The package manager below dnf.", _RPM_LOOKS, "none*", also=_rpm),
    "rpm2cpio": Spec("It prints what is packed.", "", "read"),
    **each("rpmbuild makepkg debuild", _BUILDS),
    **each("pacman yay paru pamac", _PACMAN),
    "pacman-key": either(
        r"-l.*|--list-.*|-f.*|-v .*", "It lists keys.", danger("persist", "It changes whom packages are trusted from.")
    ),
    "pactree": known("It tells what packages need."),
    "checkupdates": queries("It asks for newer packages."),
    "emerge": either(
        r"(?:-p|-s|-S|--pretend|--search|--info|--searchdesc)\b.*",
        "It tells about packages.",
        care("install", "It builds and installs programs."),
    ),
    **each("equery eix qlist", known("It tells about packages.")),
    "nix": _NIX,
    "nix-shell": Spec(
        "It makes an environment.", "* --run=none --command=none -p -I: --argstr= -E:care", "none*", also=_nix_shell
    ),
    "nix-env": Spec("It installs programs.", "* -f:config --file=config -p:", "none*", also=_nix_env),
    "nix-collect-garbage": Spec(
        "It removes programs that nothing uses.", "* -d --delete-old --delete-older-than=", also=_gc
    ),
    **each("nix-build nix-instantiate", careful("run", "Expressions of Nix are programs.")),
    "nix-store": either(
        r"(?:-q|--query|--verify|--print-roots)\b.*",
        "It tells what is installed.",
        care("install", "It changes what is installed."),
    ),
    **each(
        "nix-channel", either(r"--list", "It lists sources.", danger("persist", "It changes where packages come from."))
    ),
    **each(
        "nixos-rebuild home-manager darwin-rebuild", dangerous("persist", "It changes the whole system from a file.")
    ),
    "guix": either(
        r"(?:search|show|describe|size|package -[lIA]|package --list-\w+)\b.*",
        "It tells about packages.",
        care("install", "It installs or runs programs."),
    ),
}
