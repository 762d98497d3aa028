"""Names of commands that test, build or lint a project, for "Agents may run tests here"."""

import re
from collections.abc import Sequence


def names(text: str) -> frozenset[str]:
    """Words as a set, so that a long list stays readable."""
    return frozenset(text.split())


# Programs that only test, check, format or build the project they stand in.
_RUNNERS = names(
    "pytest py.test jest vitest mocha ava tap jasmine karma qunit tape uvu c8 nyc web-test-runner rspec minitest"
    " cucumber phpunit pest paratest codecept behat phpspec behave robot nose2 nosetests trial stestr busted bats"
    " prove ctest tox nox mypy pyright basedpyright ty ruff black isort flake8 pylint pyflakes pycodestyle pydocstyle"
    " bandit vulture mutmut eslint oxlint prettier biome stylelint tslint standard xo tsc vue-tsc svelte-check tsup"
    " tsdown unbuild rollup webpack esbuild swc parcel sass tailwindcss postcss babel knip depcheck ts-prune"
    " lint-staged golangci-lint staticcheck govulncheck revive rubocop standardrb shellcheck shfmt hadolint yamllint"
    " markdownlint markdownlint-cli2 ktlint detekt checkstyle phpstan psalm phpcs php-cs-fixer clang-tidy clang-format"
    " cppcheck swiftlint swiftformat ninja meson cmake elm-test pre-commit sphinx-build typedoc doxygen cargo-nextest"
    " cargo-clippy sqlfluff actionlint commitlint cspell codespell djlint erb_lint haml-lint scss-lint luacheck selene"
    " stylua credo dialyzer"
)
# Programs of which some sub-commands do; the rest runs, publishes or installs.
_WITH_VERBS: dict[str, frozenset[str]] = {
    program: frozenset(verbs.split())
    for programs, verbs in (
        ("cargo", "test build check clippy fmt doc bench nextest t b c"),
        ("go", "test build vet fmt"),
        ("dotnet", "test build format"),
        ("swift", "build test"),
        ("mix", "test compile format credo dialyzer"),
        ("stack cabal", "build test check"),
        ("zig", "build test fmt"),
        ("bazel bazelisk buck buck2", "build test"),
        ("flutter dart", "test analyze build format"),
        ("deno", "test lint fmt check bench"),
        ("bun", "test build"),
        ("vite", "build dev"),
        ("next nuxt astro gatsby remix svelte-kit", "build lint dev check"),
        ("ng", "build test lint"),
        ("vue-cli-service react-scripts craco", "build test lint"),
        ("sbt", "test compile Test/compile test:compile"),
        ("mvn mvnw mvnd", "test compile verify package test-compile"),
        (
            "gradle gradlew",
            "test build check assemble compileJava compileKotlin compileTestJava classes testClasses lint",
        ),
        ("rails", "test spec"),
        ("manage.py", "test check"),
        ("playwright", "test"),
        ("cypress", "run"),
        ("dune", "build test runtest fmt"),
        ("lein", "test check compile"),
        ("rebar3", "compile eunit ct dialyzer"),
        ("terraform tofu", "fmt validate"),
        ("coverage", "report html xml json combine erase"),
        ("turbo", "build test lint check typecheck"),
        ("hatch", "test fmt check build"),
        ("wasm-pack", "build test"),
    )
    for program in programs.split()
}
# These are told which task of the project to run: its name decides.
TASK_RUNNERS = names("make gmake just task rake invoke inv poe nx lerna mage grunt gulp thor xtask")
# ``npm run build``: the name of a script stands behind these.
SCRIPT_RUNNERS = names("npm pnpm yarn bun deno composer turbo")
# They start another command, and that one decides.
LAUNCHERS = names(
    "npx bunx pnpx npm pnpm yarn bun uv poetry pipenv pdm rye hatch bundle bundler cross-env env-cmd dotenv xvfb-run"
    " coverage c8 nyc python python3 mise direnv dotenvx"
)
# Of these only where the program is there already: else it would be downloaded.
FETCHING_LAUNCHERS = frozenset({"npx", "bunx", "pnpx"})

_NAMES = names(
    "build builds test tests testing lint lints linting check checks typecheck types typing tsc format formatting fmt"
    " prettier eslint compile dev unit e2e integration spec specs coverage cov verify vet style stylecheck"
)
# Names that say that something leaves the project, whatever else they say.
_NOT = names(
    "deploy deploys deployment prod production release releases publish sync secret secrets migrate migration"
    " migrations push upload ship promote rollback destroy drop wipe seed staging live install uninstall login token"
    " tokens credential credentials key keys db database remote"
)
_PARTS = re.compile(r"[:._/\s-]+|(?<=[a-z])(?=[A-Z])")
_INSTALLS: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {
    "npm": (frozenset({"ci", "install", "i", "clean-install"}), ("package-lock.json", "npm-shrinkwrap.json")),
    "pnpm": (frozenset({"install", "i"}), ("pnpm-lock.yaml",)),
    "yarn": (frozenset({"install", ""}), ("yarn.lock",)),
    "bun": (frozenset({"install", "i"}), ("bun.lockb", "bun.lock")),
    "uv": (frozenset({"sync"}), ("uv.lock",)),
    "poetry": (frozenset({"install", "sync"}), ("poetry.lock",)),
    "pdm": (frozenset({"install", "sync"}), ("pdm.lock",)),
    "pipenv": (frozenset({"sync", "install"}), ("Pipfile.lock",)),
    "bundle": (frozenset({"install", ""}), ("Gemfile.lock",)),
    "composer": (frozenset({"install"}), ("composer.lock",)),
    "cargo": (frozenset({"fetch"}), ("Cargo.lock",)),
    "go": (frozenset({"mod"}), ("go.sum",)),
    "mix": (frozenset({"deps.get"}), ("mix.lock",)),
}


def is_runner(words: Sequence[str]) -> bool:
    """Whether the command, given as program and sub-command, only tests, checks or builds."""
    program = words[0].rpartition("/")[2]
    if program in _RUNNERS:
        return True
    return len(words) > 1 and words[1] in _WITH_VERBS.get(program, ())


def is_allowed_name(name: str) -> bool:
    """Whether a script or target of this name tests, checks or builds, and says nothing of leaving the project."""
    words = [word.lower() for word in _PARTS.split(name) if word]
    return any(word in _NAMES for word in words) and not any(word in _NOT for word in words)


def leaves_the_project(name: str) -> bool:
    """Whether a name says deploy, production, release and their like."""
    return any(word.lower() in _NOT for word in _PARTS.split(name))


def lock_files(program: str, verb: str) -> tuple[str, ...]:
    """The files that an install by this command takes its versions from; none where it is no such install."""
    verbs, files = _INSTALLS.get(program, (frozenset(), ()))
    return files if verb in verbs else ()


# --- files that decide what runs when a project is tested or built

_DECIDES = re.compile(
    r"(?:^|/)(?:"
    r"package\.json|package-lock\.json|npm-shrinkwrap\.json|[\w.-]*\.lock|[\w.-]*\.lockb|pnpm-(?:lock|workspace)\.yaml|\.npmrc"
    r"|\.yarnrc(?:\.yml)?|bunfig\.toml|deno\.jsonc?|import_map\.json|nx\.json|turbo\.json|lerna\.json|project\.json|angular\.json"
    r"|(?:GNU)?[Mm]akefile|[\w.-]+\.mk|\.?[Jj]ustfile|Taskfile[\w.-]*\.ya?ml|Rakefile|[\w.-]+\.rake|Procfile|Brewfile"
    r"|CMakeLists\.txt|[\w.-]+\.cmake|meson\.build|meson_options\.txt|configure(?:\.ac)?|build\.ninja|SConstruct|wscript"
    r"|(?:build|settings|init)\.gradle(?:\.kts)?|gradle\.properties|gradle-wrapper\.properties|pom\.xml|build\.(?:xml|sbt|sc|zig)"
    r"|plugins\.sbt|project\.clj|BUILD(?:\.bazel)?|WORKSPACE|MODULE\.bazel|\.bazelrc|[\w.-]+\.bzl"
    r"|Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|\.cargo/config(?:\.toml)?|go\.(?:mod|sum|work)|magefile\.go|mix\.exs"
    r"|rebar\.config|[\w.-]+\.(?:cs|fs|vb)proj|[\w.-]+\.sln|Directory\.[\w.]+|nuget\.config|global\.json|Package\.swift"
    r"|Gemfile(?:\.lock)?|[\w.-]+\.gemspec|\.rspec|(?:spec|rails|test)_helper\.rb|composer\.json|phpunit[\w.]*\.xml(?:\.dist)?"
    r"|conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|setup\.(?:py|cfg)|pyproject\.toml|noxfile\.py|tasks\.py|fabfile\.py|Pipfile"
    r"|(?:dev-)?requirements[\w.-]*\.(?:txt|in)|constraints\.txt|(?:site|user)customize\.py|[\w.-]+\.pth|\.coveragerc|mypy\.ini"
    r"|\.mypy\.ini|\.pylintrc|\.flake8|ruff\.toml|\.ruff\.toml|pyrightconfig\.json|\.pre-commit-config\.yaml"
    r"|lefthook\.ya?ml|\.lefthook\.ya?ml|\.husky/[^/]+|\.githooks/[^/]+|\.lintstagedrc[\w.]*|\.env[\w.-]*|\.envrc|\.tool-versions"
    r"|mise\.toml|\.nvmrc|[\w.-]+\.config\.(?:js|ts|cjs|mjs|cts|mts|json)|\.(?:eslint|prettier|babel|mocha|stylelint|nyc|swc)rc[\w.]*"
    r"|(?:jest|vitest|karma|webpack|rollup|vite|playwright|cypress|protractor|wdio|gulpfile|Gruntfile|gruntfile)[\w.-]*\.[cm]?[jt]s"
    r"|[\w.-]*(?:setup|global[-_.]?setup|globalSetup|setupTests)\.[cm]?[jt]sx?|tsconfig[\w.-]*\.json|jsconfig\.json"
    r"|codegen\.(?:ya?ml|ts)|\.terraform\.lock\.hcl|Dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml"
    r")$"
)


def decides(path: str) -> bool:
    """Whether a file says what runs when the project is tested or built."""
    return _DECIDES.search(path) is not None
