"""Commands that evaluate files of the project even where they only list or check.

A build file, a manifest or a settings file that is code runs before anything is printed: ``gradle tasks`` evaluates
build.gradle, ``bundle list`` the Gemfile, ``yarn --version`` whatever ``yarnPath`` names. Such a command runs code of
the project, whatever its table says about its verbs.
"""

# ruff: noqa: PTH118, PTH120 - paths here are text that an agent wrote

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from assent.policy import world
from assent.policy.effects import Effect, care
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import Arg

LARGEST = 256 * 1024
DEEPEST = 40


class EvaluatedRule(NamedTuple):
    """What a command evaluates."""

    # Names of files, looked for in the working folder and the folders around it up to the project's.
    files: tuple[str, ...]
    # What has to stand in such a file for it to be run; "" where its being there is enough.
    holding: str = ""
    # Evaluated whether or not the file is seen: the command is of no use without it.
    always: bool = False
    # First words, or only words, with which nothing is evaluated.
    but: frozenset[str] = frozenset()


_TELLS = frozenset({"--version", "-V", "-v", "version", "--help", "-h", "help"})


def _always(files: str, but: str = "", tells: frozenset[str] = _TELLS) -> EvaluatedRule:
    return EvaluatedRule(tuple(files.split()), "", always=True, but=tells | set(but.split()))


def _where(files: str, holding: str = "", but: str = "") -> EvaluatedRule:
    return EvaluatedRule(tuple(files.split()), holding, but=frozenset(but.split()))


_GRADLE = _always("build.gradle", "--status --stop", tells=frozenset({"-v", "--version", "-h", "--help", "-?"}))
_MAVEN = (
    _always("pom.xml", tells=frozenset({"-v", "--version", "-h", "--help"})),
    _where(".mvn/jvm.config .mvn/maven.config .mvn/extensions.xml"),
)
_RUBY = _always("Gemfile gems.rb", but="init gem")
_YARN = _where(".yarnrc.yml .yarnrc", r"(?m)^\s*[\"']?(?:yarn-?path|yarnPath|plugins|preferReuse)[\"']?\s*[:\s]")
_CARGO = (
    _where(
        ".cargo/config.toml .cargo/config",
        r"rustc|rustdoc|wrapper|runner|linker|credential|include|\[\s*env|paths|\[\s*alias",
    ),
    _where("rust-toolchain.toml rust-toolchain", r"(?m)^\s*path\s*="),
)
_TOOLCHAIN = (_where("rust-toolchain.toml rust-toolchain", r"(?m)^\s*path\s*="),)
_BAZEL = (_always("MODULE.bazel WORKSPACE"), _where(".bazelrc tools/bazel"))
_PYTHON_BUILD = _where("pyproject.toml", r"requires-plugins|hatch\.\w+\.hooks|source\s*=\s*[\"'](?:code|env|script)")
_R = (_where(".Rprofile .Renviron"),)
_DOTNET = (_where("global.json", r"\"paths\""), _where("Directory.Build.rsp"))

RULES: dict[str, tuple[EvaluatedRule, ...]] = {
    **dict.fromkeys(("gradle", "gradlew", "gradlew.bat"), (_GRADLE,)),
    **dict.fromkeys(("mvn", "mvnw", "mvnd", "mvnDebug"), _MAVEN),
    **dict.fromkeys(("sbt", "sbtn", "sbtx"), (_always("build.sbt", tells=frozenset()),)),
    "lein": (_always("project.clj", tells=frozenset()),),
    **dict.fromkeys(("boot", "mill", "ant", "bleep"), (_always("build.sc build.xml"),)),
    "bundle": (_RUBY,),
    "bundler": (_RUBY,),
    "rake": (_always("Rakefile"),),
    "rails": (_always("Gemfile Rakefile"), _where("bin/rails script/rails")),
    **dict.fromkeys(("jekyll", "middleman", "fastlane", "cap", "guard"), (_always("Gemfile Rakefile"),)),
    "pod": (_always("Podfile"),),
    "vagrant": (_always("Vagrantfile"),),
    "mix": (_always("mix.exs", tells=frozenset({"--version", "-v"})),),
    "iex": (_where(".iex.exs mix.exs"),),
    "rebar3": (_always("rebar.config"),),
    "composer": (_where("composer.json", r"allow-plugins|\"type\"\s*:\s*\"path\"|\"scripts\""),),
    **dict.fromkeys(("yarn", "yarnpkg"), (_YARN,)),
    **dict.fromkeys(
        ("pnpm", "pnpx"),
        (
            _where(".pnpmfile.cjs .pnpmfile.mjs pnpmfile.js"),
            _where("pnpm-workspace.yaml .npmrc", r"(?i)(?:pnpm-?file|config-?dependencies)\s*[:=]"),
        ),
    ),
    # Installed for all, these hand over to the copy that the project has.
    **{
        name: (_where(f"node_modules/{package}"),)
        for name, package in (
            *(("jest", "jest"), ("webpack", "webpack"), ("lerna", "lerna"), ("grunt", "grunt"), ("turbo", "turbo")),
            *(("ava", "ava"), ("gatsby", "gatsby"), ("expo", "expo"), ("eslint_d", "eslint"), ("ionic", "@ionic/cli")),
        )
    },
    "gulp": (_always("gulpfile.js"), _where("node_modules/gulp")),
    "deno": (_where("deno.json deno.jsonc", r"\"plugins\""),),
    **dict.fromkeys(
        ("pytest", "py.test"),
        (
            _where("conftest.py tests/conftest.py test/conftest.py"),
            _where("pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg", r"addopts[^\[]*-p\b"),
        ),
    ),
    "sqlfluff": (
        _where(".sqlfluff pyproject.toml setup.cfg tox.ini pep8.ini", r"library_path|templater\s*=\s*[\"']?dbt"),
    ),
    "shellcheck": (_where(".shellcheckrc shellcheckrc", r"external-sources\s*=\s*true"),),
    **dict.fromkeys(("bun", "bunx"), (_where("bunfig.toml", r"(?m)^\s*preload\s*="),)),
    **dict.fromkeys(("cargo",), _CARGO),
    **dict.fromkeys(("rustc", "rustdoc", "rustfmt", "clippy-driver"), _TOOLCHAIN),
    **dict.fromkeys(("bazel", "bazelisk"), _BAZEL),
    **dict.fromkeys(("buck", "buck2", "pants", "please", "plz"), (_always("BUCK pants.toml"),)),
    "nox": (_always("noxfile.py"),),
    "tox": (_where("toxfile.py"), _where("tox.ini", r"(?m)^\s*(?:requires|provision_tox_env)\s*=")),
    "alembic": (_always("alembic.ini"),),
    **dict.fromkeys(("invoke", "inv", "fab"), (_always("tasks.py fabfile.py"),)),
    **dict.fromkeys(("poetry", "hatch"), (_PYTHON_BUILD,)),
    **dict.fromkeys(("sls", "serverless"), (_always("serverless.yml serverless.ts"),)),
    **dict.fromkeys(("cdk", "cdktf"), (_always("cdk.json"),)),
    "nx": (_always("nx.json"),),
    "ng": (_where("angular.json"),),
    "dune": (_always("dune-project"),),
    "stack": (_where("stack.yaml", r"shell-file|pre-?build|custom-preprocessor"),),
    **dict.fromkeys(("waf", "scons"), (_always("wscript SConstruct", tells=frozenset({"--version"})),)),
    **dict.fromkeys(("Rscript", "R", "littler"), _R),
    "dotnet": _DOTNET,
    **dict.fromkeys(
        ("ansible", "ansible-doc", "ansible-config", "ansible-inventory", "ansible-playbook", "ansible-galaxy"),
        (_where("ansible.cfg"),),
    ),
    **dict.fromkeys(("mise", "rtx"), (_where("mise.toml .mise.toml mise.local.toml", r"exec\(|_\.source|read_file"),)),
    "xcodebuild": (_where("Package.swift"),),
}
# Verbs of programs that evaluate something under these alone.
_VERBS: dict[tuple[str, str], EvaluatedRule] = {
    ("swift", "package"): _always("Package.swift"),
    ("zig", "build"): _always("build.zig"),
    # Providers are programs that lie in the project.
    **{
        (name, verb): _where(".terraform/providers")
        for name in ("terraform", "tofu")
        for verb in ("validate", "show", "providers", "state", "test", "refresh")
    },
    # Metadata that is not written down is asked of the project's build.
    ("uv", "tree"): _where("pyproject.toml", r"(?m)^\s*dynamic\s*=|\bpath\s*="),
    ("uv", "export"): _where("pyproject.toml", r"(?m)^\s*dynamic\s*=|\bpath\s*="),
}
# By these names files are evaluated in whatever folder a program is started.
FILES = frozenset(
    file.rpartition("/")[2]
    for rules in (*RULES.values(), tuple(_VERBS.values()))
    for rule in rules
    for file in rule.files
)
_HAVE_VERBS = frozenset(name for name, _ in _VERBS)
# Options that make it work in another folder, whose files are not looked for.
_MOVES = re.compile(
    r"-C|--(?:cwd|dir|directory|prefix|project(?:-dir|-directory)?|manifest-path|chdir|root|workspace-root|working-dir)(?:=|$)"
)
# With these the lock file is taken as it is.
_FROZEN = frozenset({"--frozen", "--locked"})


def concerns(name: str) -> bool:
    """Whether anything is known of what the command evaluates."""
    return name in RULES or name in _HAVE_VERBS


def effects(name: str, args: tuple[Arg, ...], setting: Setting, cwd: str | None) -> Iterator[Effect]:
    """That the command runs code of the project, where it does so before anything else."""
    rules = RULES.get(name, ())
    words = [arg.text for arg in args] if rules or name in _HAVE_VERBS else []
    if words and (rule := _VERBS.get((name, words[0]))) and not _FROZEN.intersection(words):
        rules = (*rules, rule)
    for rule in rules:
        if words and words[0] in rule.but and (len(words) == 1 or not words[0].startswith("-")):
            continue
        if rule.always:
            yield _runs(rule.files[0])
        elif (program := _found(rule, setting, None if any(map(_MOVES.match, words)) else cwd)) is not None:
            yield _runs(program)


def _runs(file: str) -> Effect:
    return care("project", f"It evaluates {file}, which is code of the project.", file)


def _found(rule: EvaluatedRule, setting: Setting, cwd: str | None) -> str | None:
    """The first file of the rule that is there and holds what it must. Where the folder is not known, it may be."""
    if cwd is None:
        return rule.files[0]
    folder = cwd
    for _ in range(DEEPEST):
        for name in rule.files:
            if _holds(os.path.join(folder, name), rule.holding):
                return name
        if folder in (setting.project, setting.home, "/"):
            return None
        folder = os.path.dirname(folder)
    return None


def _holds(path: str, holding: str) -> bool:
    if not world.is_there(path):
        return False
    if not holding:
        return True
    text = world.read_small(path, LARGEST)
    # What cannot be read may hold anything.
    return text is None or re.search(holding, text) is not None
