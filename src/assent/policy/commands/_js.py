"""What the package managers of JavaScript have in common: installing, scripts of package.json, programs of packages."""

from collections.abc import Iterator

from assent.policy.commands import _origins, _recipes
from assent.policy.commands.spec import Finding, Invocation, Run, Spec
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

# Programs whose package goes by another name.
_PROGRAMS = {
    "@anthropic-ai/claude-code": "claude",
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "opencode-ai": "opencode",
    "typescript": "tsc",
    "@biomejs/biome": "biome",
    "@angular/cli": "ng",
    "@nestjs/cli": "nest",
    "@vue/cli": "vue",
    "@prisma/cli": "prisma",
    "supabase-cli": "supabase",
    "firebase-tools": "firebase",
    "@railway/cli": "railway",
    "netlify-cli": "netlify",
    "vercel-cli": "vercel",
    "@sentry/cli": "sentry-cli",
    "sequelize-cli": "sequelize",
    "markdownlint-cli": "markdownlint",
    "dotenv-cli": "dotenv",
}

# Options that make a package manager run or trust something else.
STEERING = (
    "--script-shell=none --registry=none --userconfig=none --globalconfig=none --unsafe-perm? --node-options=none"
    " --strict-ssl? --no-strict-ssl --git=none --init-module=file --onload-script=file --cafile=none --proxy=none"
    " --https-proxy=none --prefix=none -C:none --cwd=none --dir=none --shell-emulator? --npmrc-auth-file=none"
    " --verify-store-integrity? --use-node-version= --editor=none --viewer=none --browser? --cache=none"
)


def folder(it: Invocation) -> Arg | None:
    return it.value("--prefix", "-C", "--cwd", "--dir")


def steered(it: Invocation) -> Iterator[Finding]:
    """What the options above come to."""
    for value in it.all_values("--script-shell", "--git", "--editor", "--viewer"):
        yield danger("run", "It runs a program of its own choice for every script.", value.text)
    for value in it.all_values("--node-options"):
        yield danger("run", "It makes every program load something.", value.text)
    for value in it.all_values("--userconfig", "--globalconfig", "--npmrc-auth-file"):
        yield care("run", "Its settings come from another file.", value.text)
    for value in it.all_values("--proxy", "--https-proxy", "--cafile"):
        yield danger("install", "What it downloads comes through another machine.", value.text)
    if it.has("--no-strict-ssl") or any(value.text == "false" for value in it.all_values("--strict-ssl")):
        yield danger("install", "It does not check who it downloads from.")
    if any(value.text != "false" for value in it.all_values("--unsafe-perm")):
        yield danger("privilege", "Scripts of packages keep the rights of the administrator.")
    yield from _origins.registries(it, "--registry")
    for value in it.all_values("--prefix", "-C", "--cwd", "--dir", "--cache"):
        effect = it.path("write", value)
        if effect.risk > Risk.CHANGE:
            yield effect


def installs(it: Invocation) -> Iterator[Finding]:
    yield from steered(it)
    if it.has("-g", "--global", "--location"):
        yield care("install", "It installs for all projects, not for this one alone.")
    yield care("install", "It installs packages, and their scripts run then.")
    yield from _origins.addresses(it, short=True)
    yield from _origins.guards(it.operands, "replaces")


def removes(it: Invocation) -> Iterator[Finding]:
    yield from steered(it)
    yield from _origins.guards(it.operands, "removes")
    if it.has("-g", "--global", "--location"):
        yield danger("delete", "It removes a program for everything that uses it.")
    else:
        yield care("install", "It removes packages from the project.")


def script(it: Invocation, name: Arg, args: list[Arg]) -> Iterator[Finding]:
    """A script of package.json, and what stands in it."""
    yield care("project", "It runs a script of the project.", name.text)
    yield from lines(it, name, args)


def lines(it: Invocation, name: Arg, args: list[Arg]) -> Iterator[Finding]:
    for line in _recipes.scripts(it, name.text, folder=folder(it)):
        yield Run(line=Arg(f"{line} {_recipes.quoted(args)}"), cwd=folder(it))


def address(package: Arg) -> Effect | None:
    return _origins.from_address(package, short=not package.text.startswith("@"))


def guards_of(packages: list[Arg], verb: str) -> Iterator[Finding]:
    return _origins.guards(packages, "removes" if verb in ("remove", "rm", "uninstall") else "replaces")


def dashless(args: list[Arg]) -> list[Arg]:
    return [arg for place, arg in enumerate(args) if arg.text != "--" or "--" in [a.text for a in args[:place]]]


def program(words: list[Arg], *, fetches: bool) -> Iterator[Finding]:
    """A program of a package: what goes by its name is judged by that name."""
    if not words:
        return
    package = words[0]
    name = package.text
    if fetches:
        yield care("run", "It runs a program of a package, and downloads that if it is not there.", name)
    else:
        yield care("project", "It runs a program that the project brought along.", name)
    if address(package) is not None:
        yield danger("run", "It runs what lies at an address, unseen.", name, _origins.SAFER)
        return
    bare = name[:1] + name[1:].partition("@")[0] if package.known else name
    yield Run(args=(Arg(_PROGRAMS.get(bare, bare.rpartition("/")[2] if bare.startswith("@") else bare)), *words[1:]))


def executes(it: Invocation) -> Iterator[Finding]:
    """``npx``, ``npm exec``, ``pnpm dlx``, ``bunx``, ``yarn dlx``."""
    yield from steered(it)
    for line in it.all_values("-c", "--call"):
        yield Run(line=line)
    for package in it.all_values("-p", "--package"):
        yield care("install", "It downloads a package for one run.", package.text)
        if (from_address := address(package)) is not None:
            yield from_address
    words = it.operands
    if not words and not it.has("-c", "--call"):
        yield care("run", "It starts a shell that waits for input.")
    yield from program([word for word in words if word.text != "--"][:1] + words[1:] if words else [], fetches=True)


EXEC_OPTIONS = (
    "-y -q --yes --no --no-install --quiet --silent --prefer-offline --offline --ignore-existing -c:none --call=none"
    " -p:none --package=none -w: --workspace= -ws? --workspaces --include-workspace-root --bun -s --verbose"
    f" --shell-mode -r --recursive --parallel --filter= -F: --allow-build= --reporter= -h {STEERING}"
)
EXEC = Spec("It runs a program of a package.", EXEC_OPTIONS, "none*", also=executes, wraps=True)
INSTALL = Spec(
    "It installs packages, and their scripts run then.", f"* -g --global --location= {STEERING}", "none*", also=installs
)
REMOVE = Spec("It removes packages.", f"* -g --global --location= {STEERING}", "none*", also=removes)
PUBLISH, ACCOUNT, LOGIN, SETTINGS = _origins.PUBLISH, _origins.ACCOUNT, _origins.LOGIN, _origins.SETTINGS
