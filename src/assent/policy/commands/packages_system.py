"""Package managers of systems that take verbs: apt, dnf, apk, brew, snap, flatpak, zypper and their kin."""

from collections.abc import Iterator, Mapping

from assent.policy.commands import _origins
from assent.policy.commands._either import either
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    Spec,
    careful,
    dangerous,
    each,
    findings,
    known,
    queries,
)
from assent.policy.effects import care, danger, nothing

# Settings given on the line can name programs, other sources and other keys.
_STEERING = (
    "-o:none --option=none -c:none --config-file=none --config=none --setopt=none --repofrompath=none"
    " --repository=none -X:none"
    " --allow-unauthenticated --force-yes --allow-untrusted --nogpgcheck --no-gpg-checks --allow-insecure-repositories"
    " --no-verify-signatures --no-gpg-verify --dangerous --devmode --allow-downgrades --allow-remove-essential"
    " --trusted"
    " --no-quarantine --installroot=none --root=none --rootdir=none -t: --target-release= --hookdir=none"
)
_UNCHECKED = (
    *("--allow-unauthenticated", "--force-yes", "--allow-untrusted", "--nogpgcheck", "--no-gpg-checks"),
    *("--allow-insecure-repositories", "--no-verify-signatures", "--no-gpg-verify", "--dangerous", "--devmode"),
    *("--allow-remove-essential", "--no-quarantine"),
)


def _steered(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-o", "--option", "--setopt"):
        name = value.text.partition("=")[0].lower()
        if any(word in name for word in ("invoke", "run", "hook", "dir::bin", "proxy", "solver", "methods", "plugin")):
            yield danger("run", "It makes the package manager run a program.", value.text)
        elif any(
            word in name for word in ("unauthenticated", "insecure", "gpgcheck", "sslverify", "verify", "trusted")
        ):
            yield danger("install", "It does not check where packages come from.", value.text)
        elif not name.startswith(
            ("debug", "quiet", "apt::color", "binary::apt", "dpkg::progress", "dpkg::use-pty", "acquire::retries")
        ):
            yield care("unknown", "It changes a setting of the package manager.", value.text)
    for value in it.all_values("-c", "--config-file", "--config", "--hookdir"):
        yield care("run", "Its settings come from a file, and may name programs.", value.text)
    for value in it.all_values("--repofrompath", "--repository", "-X"):
        if "://" in value.text:
            yield danger("install", "It takes packages from a source that few people know.", value.text)
    for value in it.all_values("--installroot", "--root", "--rootdir"):
        yield care("install", "It works on another system than this one.", value.text)
    if it.has(*_UNCHECKED):
        yield danger("install", "It does not check where packages come from, or what they may do.")


def _installs(it: Invocation) -> Iterator[Finding]:
    yield from _steered(it)
    yield care("install", "It installs or replaces programs of the system.")
    yield from _origins.addresses(it)
    yield from _origins.guards(it.operands, "replaces")


def _removes(it: Invocation) -> Iterator[Finding]:
    yield from _steered(it)
    yield danger("delete", "It removes programs that others on this machine may use.")


_NAMES = (
    "* -n: --format= --queryformat= --qf= -p: --showformat= -f: --repo= --repoid= --enablerepo= --disablerepo="
    " --installed --upgradable"
)
_INSTALL = Spec("It installs programs of the system.", f"* {_STEERING}", "none*", also=_installs)
_REMOVE = Spec("It removes programs of the system.", f"* {_STEERING}", "none*", also=_removes)
_LOOK = Spec("It tells about packages.", f"{_NAMES} {_STEERING}", also=_steered)
_LASTS = dangerous("persist", "It changes where packages come from, from now on.")
_TIDY = careful("install", "It changes which packages are kept.")
_DOWNLOAD = careful("fetch", "It downloads packages.", "* -o:none")


def _manager(
    why: str,
    *,
    looks: str,
    installs: str = "",
    removes: str = "",
    lasts: str = "",
    tidies: str = "",
    downloads: str = "",
    top: str = "",
    more: Mapping[str, Spec] | None = None,
) -> Spec:
    """A package manager by its verbs."""
    return Spec(
        why,
        "-hvqyVs -qq --version --help --yes --assume-yes --assumeyes --quiet --verbose -C --color= --noconfirm"
        f" --non-interactive --simulate --dry-run --no-color {_STEERING} {top}",
        verbs={
            "": known("It only tells about itself."),
            "help": known("It only tells about itself."),
            "version": known("It only tells about itself."),
            **each(looks, _LOOK),
            **each(installs, _INSTALL),
            **each(removes, _REMOVE),
            **each(lasts, _LASTS),
            **each(tidies, _TIDY),
            **each(downloads, _DOWNLOAD),
            **(more or {}),
        },
        also=_steered,
    )


_APT = _manager(
    "The package manager of Debian.",
    looks="list search show showpkg showsrc policy depends rdepends madison stats dump dumpavail unmet pkgnames"
    " xvcg dotty changelog check indextargets why why-not",
    installs="install reinstall update upgrade full-upgrade dist-upgrade safe-upgrade build-dep satisfy"
    " dselect-upgrade",
    removes="remove purge autoremove auto-remove autopurge",
    lasts="edit-sources modernize-sources",
    tidies="clean autoclean auto-clean distclean hold unhold markauto unmarkauto forget-new",
    downloads="download source",
)
_DNF = _manager(
    "The package manager of Fedora.",
    looks="list info search provides whatprovides repoquery repolist repoinfo check-update check-upgrade check"
    " deplist grouplist groupinfo updateinfo advisory environment leaves",
    installs="install update upgrade upgrade-minimal update-minimal localinstall reinstall downgrade distro-sync"
    " builddep swap groupinstall makecache system-upgrade offline-upgrade",
    removes="remove erase autoremove groupremove rm",
    lasts="config-manager copr versionlock",
    tidies="clean mark",
    downloads="download",
    top="-x: --exclude= --enablerepo= --disablerepo= --repo= --repoid= --releasever= -e: -d: --showduplicates -b"
    " --best --nobest --refresh --cacheonly",
    more={
        "history": either(
            r"(?:(?:list|info|userinstalled)\b.*)?",
            "It tells what was installed when.",
            danger("delete", "It undoes installations of the system."),
        ),
        "module": either(
            r"(?:list|info|provides)\b.*",
            "It tells about modules.",
            care("install", "It changes modules of the system."),
        ),
        "group": either(
            r"(?:list|info|summary)\b.*",
            "It tells about groups.",
            care("install", "It installs or removes groups of packages."),
        ),
        "shell": careful("run", "It waits for commands."),
    },
)
_ZYPPER = _manager(
    "The package manager of SUSE.",
    looks="se search info if lr repos lu list-updates packages pa patches pch products pd patterns pt"
    " what-provides wp versioncmp vcmp ls services lp list-patches locks ll licenses ps",
    installs="in install update up patch dup dist-upgrade refresh ref source-install si verify ve"
    " install-new-recommends",
    removes="rm remove",
    lasts="ar addrepo rr removerepo mr modifyrepo nr renamerepo as addservice",
    tidies="clean cc al addlock rl removelock",
    downloads="download",
)
_APK = _manager(
    "The package manager of Alpine.",
    looks="info list search policy stats dot audit verify manifest",
    installs="add upgrade update fix",
    removes="del",
    tidies="cache",
    downloads="fetch",
    top="-U -u -t -r -l -a -f -d -e -w -p: -L --no-cache --update-cache --no-progress --arch= --initdb",
)


def _runs(it: Invocation) -> Iterator[Finding]:
    words = [word for word in it.operands if word.text != "--"]
    if words:
        yield Run(args=tuple(words))


_SNAP = _manager(
    "The package manager of snaps.",
    looks="list find search info version connections interfaces services changes change tasks known whoami"
    " warnings get model validate",
    installs="install refresh try download",
    removes="remove",
    tidies="alias unalias prefer enable disable revert switch watch",
    more={
        "run": Spec("It runs a program.", "--shell --command= --hook=", "none*", also=_runs, wraps=True),
        **each("start stop restart", careful("process", "It starts or ends a service.")),
        **each("connect disconnect set unset", dangerous("privilege", "It changes what a program may reach.")),
        **each("login logout export-key keys sign", dangerous("secret", "It uses the user's keys.")),
        "logs": known("It shows what services say.", "-n: -f"),
    },
)
_FLATPAK = _manager(
    "The package manager of flatpaks.",
    looks="list info search remotes remote-ls remote-info history ps documents document-info document-list"
    " permissions permission-list permission-show config-list",
    installs="install update",
    removes="uninstall remove",
    lasts="remote-add remote-modify remote-delete",
    tidies="mask pin make-current repair",
    top="--user --system --installation= --installations --default-arch --supported-arches --gl-drivers",
    more={
        "run": careful("run", "It runs a program.", "* --command=danger --filesystem=danger"),
        **each(
            "override permission-set permission-reset permission-remove document-export",
            dangerous("privilege", "It changes what a program may reach."),
        ),
        "kill": careful("process", "It ends a program."),
        "config": either("(?:--list|--get .*)?", "It prints settings.", care("persist", "It changes settings.")),
    },
)


def _brew_bundle(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else "install"
    if verb in ("exec", "sh", "env"):
        yield care("project", "It runs a command with the programs of a Brewfile.")
        if it.operands[1:]:
            yield Run(args=tuple(it.operands[1:]))
    elif verb in ("check", "list"):
        yield nothing("It tells what a Brewfile names.")
    elif verb == "cleanup":
        yield (
            danger("delete", "It removes programs that the Brewfile does not name.")
            if it.has("-f", "--force")
            else care("delete", "It tells what it would remove.")
        )
    elif verb == "dump":
        yield care("write", "It writes a Brewfile.")
    else:
        yield care("install", "It installs what a Brewfile names.")


def _brew_taps(it: Invocation) -> Iterator[Finding]:
    if not it.operands and not it.has("--repair"):
        yield nothing("It lists sources.")
    else:
        yield care("install", "It adds a source of programs, which are scripts.")
        if any("://" in arg.text or arg.text.startswith("git@") for arg in it.operands):
            yield danger("persist", "It takes programs from an address from now on.")


_BREW_VERBS = Spec(
    "The package manager Homebrew.",
    "-hqvd -S --version --help --quiet --verbose --debug --prefix --cellar --cache --repository --repo --env"
    " --config --caskroom --taps --cask --casks --formula --formulae --list --search --outdated",
    verbs={
        "": known("It only tells about itself."),
        **each(
            "list ls info abv search deps uses outdated config doctor dr desc leaves log cat formula formulae"
            " casks missing tap-info options"
            " commands help which-formula livecheck readall shellenv command completions which-update"
            " formula-analytics source --prefix --cellar"
            " --cache --repository --repo --env --config --caskroom --taps",
            queries("It tells about programs.", "* --github?care"),
        ),
        **each("home docs", careful("fetch", "It opens a page in the browser.")),
        **each(
            "install reinstall upgrade update up fetch link ln unlink pin unpin postinstall post_install migrate"
            " update-reset update-if-needed install-bundler-gems vendor-install",
            _INSTALL,
        ),
        **each("uninstall remove rm autoremove", _REMOVE),
        "cleanup": either(
            r".*(?:-n|--dry-run).*",
            "It tells what it would remove.",
            care("delete", "It removes old versions of programs."),
        ),
        "bundle": Spec(
            "It installs what a Brewfile names.",
            "-fvg --force --file=read --global --verbose --no-upgrade --all --cask --formula --tap --mas --vscode"
            " --describe --no-lock --cleanup?danger --zap?danger",
            "none*",
            also=_brew_bundle,
            wraps=True,
        ),
        "tap": Spec(
            "It lists or adds sources.",
            "-f --force --custom-remote --repair --eval-all --shallow --full",
            "none*",
            also=_brew_taps,
        ),
        "untap": careful("install", "It removes a source of programs."),
        "services": Spec(
            "It looks after services.",
            "--all --json",
            verbs={
                "": known("It lists services."),
                **each("list info ls i", known("It lists services.", "* --json")),
                **each("stop kill", careful("process", "It ends a service.")),
                **each("start restart cleanup", dangerous("persist", "It starts a service now and at every login.")),
                "run": careful("process", "It starts a service."),
            },
        ),
        **each("ruby irb sh", careful("run", "It runs programs inside of Homebrew.")),
        **each(
            "edit create extract bump bump-formula-pr bump-cask-pr audit style test tests",
            careful("run", "It works on a program's recipe."),
        ),
        "analytics": either(
            r"(?:state)?", "It tells what is reported.", care("persist", "It changes what is reported.")
        ),
    },
)

_BREW_TELLS = ("--prefix", "--cellar", "--cache", "--repository", "--repo", "--env", "--config", "--caskroom", "--taps")


def _brew(it: Invocation) -> Iterator[Finding]:
    if it.has(*_BREW_TELLS):
        yield nothing("It tells where programs lie.")
    else:
        for arg in it.operands[1:]:
            if arg.text.endswith(".rb") or arg.text.startswith(("/", ".", "~")) or "://" in arg.text:
                yield care("run", "A formula that is named by file or address is a program, and is run.", arg.text)
        yield from findings("brew", it.handed_on, _BREW_VERBS, it.setting, it.cwd)


COMMANDS: dict[str, Spec] = {
    **each("apt apt-get aptitude apt-cache nala", _APT),
    "apt-mark": either(
        r"show\w+(?: .*)?", "It lists marks of packages.", care("install", "It changes which packages are kept.")
    ),
    "apt-config": known("It prints settings.", ""),
    "apt-file": known("It tells which package a file is from.", "", "text*"),
    **each("apt-key add-apt-repository apt-add-repository", _LASTS),
    **each("dnf yum dnf5 microdnf tdnf", _DNF),
    "zypper": _ZYPPER,
    "apk": _APK,
    "snap": _SNAP,
    "flatpak": _FLATPAK,
    "brew": Spec("The package manager Homebrew.", "*", "none*", also=_brew, wraps=True),
    "port": _manager(
        "The package manager MacPorts.",
        looks="list search info installed outdated deps contents variants echo dependents provides notes",
        installs="install upgrade selfupdate sync activate",
        removes="uninstall deactivate",
        tidies="clean select reclaim",
    ),
    "pkg": _manager(
        "The package manager of FreeBSD and Termux.",
        looks="info search query rquery which list list-all list-installed show files stats audit rstats version",
        installs="install add upgrade update reinstall bootstrap",
        removes="delete remove autoremove uninstall",
        tidies="clean lock unlock autoclean",
        downloads="fetch",
    ),
    "choco": _manager(
        "A package manager of Windows.",
        looks="list search info outdated find",
        installs="install upgrade",
        removes="uninstall",
        lasts="source sources config feature apikey",
    ),
    "winget": _manager(
        "A package manager of Windows.",
        looks="list search show",
        installs="install upgrade import",
        removes="uninstall",
        lasts="source settings",
    ),
    "scoop": _manager(
        "A package manager of Windows.",
        looks="list search info status which home",
        installs="install update",
        removes="uninstall",
        lasts="bucket config",
    ),
    "mas": _manager(
        "It installs from the App Store.",
        looks="list search info outdated lucky account",
        installs="install upgrade purchase",
        removes="uninstall",
    ),
    "debconf-show": known("It prints settings of packages.", ""),
}
