"""Linters, type checkers and formatters. Those that only read programs look; those whose settings or plugins are
programs of the project run the project; those that rewrite change it."""

from collections.abc import Callable, Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import ITSELF
from assent.policy.commands.spec import Code, Finding, Invocation, RunsFile, Spec, careful, changes, each, known, reads
from assent.policy.effects import Effect, care, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

Also = Callable[[Invocation], Iterator[Finding]]

_PLUGINS = care("project", "Its settings and plugins are code of the project, and run.")
_REWRITES = "It rewrites programs of the project."


def _rewrites(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands or [Arg(".")]:
        effect = it.path("write", arg)
        # All of the project is still the project: git can undo it.
        yield (
            effect
            if effect.risk > Risk.CHANGE and not it.is_project(arg)
            else Effect("write", Risk.CHANGE, _REWRITES, arg.text)
        )


def _reads(it: Invocation) -> Iterator[Finding]:
    yield nothing("It reads programs and says what is wrong with them.")
    for arg in it.operands:
        yield it.path("read", arg)


def _checks(*flags: str) -> Also:
    """Rewrites unless one of these says that it only checks."""

    def found(it: Invocation) -> Iterator[Finding]:
        yield from _reads(it) if it.has(*flags) else _rewrites(it)

    return found


def _fixes(*flags: str) -> Also:
    """Only reads unless one of these says that it rewrites."""

    def found(it: Invocation) -> Iterator[Finding]:
        yield from _rewrites(it) if it.has(*flags) else _reads(it)

    return found


def _loads(*fixing: str) -> Also:
    """Runs code of the project, and rewrites if it is told to."""

    def found(it: Invocation) -> Iterator[Finding]:
        yield _PLUGINS
        if it.has(*fixing):
            yield from _rewrites(it)
        else:
            yield from (it.path("read", arg) for arg in it.operands)

    return found


# --- Python

_RUFF = (
    "-qsenvhE --quiet --silent --verbose --select= --ignore= --extend-select= --extend-ignore= --fixable= --unfixable="
    " --output-format= --statistics --diff --show-source --show-fixes --show-files --show-settings --no-cache"
    " --isolated"
    " --config=none --target-version= --line-length= --preview --no-preview --exclude= --extend-exclude="
    " --force-exclude"
    " --respect-gitignore --stdin-filename= --exit-zero --exit-non-zero-on-fix --per-file-ignores= --select-all"
    " --watch -w"
    " --add-noqa --fix --fix-only --unsafe-fixes --no-fix --no-unsafe-fixes -o:write --output-file=write"
    " --cache-dir=write"
    " --check --range= --all --format= --explain --extension= --ignore-noqa --color= --no-respect-gitignore"
)


def _ruff(it: Invocation) -> Iterator[Finding]:
    for file in it.all_values("--config"):
        if "=" not in file.text:
            yield it.path("read", file)
    yield from _fixes("--fix", "--fix-only", "--add-noqa")(it)


_RUFF_VERBS: dict[str, Spec] = {
    "": ITSELF,
    "check": Spec("It reads programs; its settings are no programs.", _RUFF, "none*", also=_ruff),
    "format": Spec(_REWRITES, _RUFF, "none*", also=_checks("--check", "--diff")),
    **each("rule config linter version help analyze", known("It only tells about itself.", "* --output-format= --all")),
    "clean": changes("delete", "It removes its cache, which is made again."),
    "server": careful("run", "It waits for an editor."),
}

# --- JavaScript

_NODE_LINT = (
    "* -o:write --output-file=write -c:none --config=none --rulesdir=file --resolve-plugins-relative-to=config -f:none"
    " --format=none --formatter=none --custom-formatter=file --plugin=none --parser=none --cache-location=write --ext="
    " --ignore-path=read --ignore-pattern= --rule= --max-warnings= --fix --fix-dry-run --fix-type= --write -w -l"
    " --check"
)


def _settings(it: Invocation) -> Iterator[Finding]:
    for file in it.all_values("-c", "--config", "-f", "--format", "--formatter", "--plugin", "--parser"):
        if "/" in file.text or not file.known:
            yield RunsFile(file, "javascript")


def _eslint(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help", "--env-info") and len(it.values) == 1 and not it.operands:
        yield nothing("It only tells about itself.")
        return
    yield from _settings(it)
    yield from _loads("--fix", "--write", "-w")(it)


_ESLINT = Spec("Its settings and plugins are code of the project.", _NODE_LINT, "none*", also=_eslint)


def _tsc(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help", "--all", "--showConfig", "--listFilesOnly") and not it.has(
        "-b", "--build"
    ):
        yield nothing("It only tells about itself.")
    elif it.has("--noEmit") and not it.has("--build", "-b", "--noEmitOnError-"):
        yield care("project", "It checks the project, with the plugins its settings name.")
    elif it.has("--init"):
        yield Effect("write", Risk.CHANGE, "It writes tsconfig.json.")
    else:
        yield care("project", "It builds the project.")


_BIOME = Spec(
    "It checks and puts programs in order.",
    "--version --help --colors= --config-path=read --use-server --verbose --max-diagnostics= --log-level=",
    verbs={
        "": ITSELF,
        **each(
            "check lint format ci",
            Spec(
                "It reads programs, and rewrites if it is told to.",
                "* --write --fix --apply --apply-unsafe --unsafe --config-path=read",
                "none*",
                also=_fixes("--write", "--fix", "--apply", "--apply-unsafe"),
            ),
        ),
        **each("version rage explain search", known("It only tells about itself.")),
        **each("init migrate", changes("write", "It writes its settings.")),
        **each("start stop lsp-proxy", careful("process", "It starts or ends a helper of its own.")),
    },
)


def _pylint(it: Invocation) -> Iterator[Finding]:
    yield _PLUGINS
    for code in it.all_values("--init-hook"):
        yield Code("python", code)
    for arg in it.operands:
        yield it.path("read", arg)


def _in_place(it: Invocation) -> Iterator[Finding]:
    is_check = it.has("--check", "-c", "--check-diff") and not it.has("-i", "--in-place")
    yield from _reads(it) if is_check else _rewrites(it)


def _perhaps_fixes(it: Invocation) -> Iterator[Finding]:
    for file in it.all_values("-c", "--config"):
        if file.text.endswith((".js", ".cjs", ".mjs", ".ts", ".py", ".rb")):
            yield RunsFile(file)
    if it.has("--fix", "-w", "--write", "--write-changes", "-i", "--in-place"):
        yield Effect("write", Risk.CHANGE, _REWRITES)


def _clang_format(it: Invocation) -> Iterator[Finding]:
    for style in it.all_values("--style", "-style"):
        if style.text.startswith("file:"):
            yield it.path("read", Arg(style.text.removeprefix("file:")))
    yield from _fixes("-i")(it)


_PLAIN = "It reads files and says what is wrong with them; its settings are no programs."
_FORMATTED = "It puts programs in order; its settings are no programs."
_CHECK = "* --config=read -c:read --check --diff -d --check-only --quiet -q --verbose -v"

COMMANDS: dict[str, Spec] = {
    "ruff": Spec(
        "It checks programs of Python.",
        "-hqvsV --version --help --config=read --isolated --color= --quiet --verbose --silent",
        verbs=_RUFF_VERBS,
    ),
    **each(
        "black",
        Spec(
            _FORMATTED,
            "-qvhlStCW --check --diff --color --no-color --fast --safe --quiet --verbose --version --help -l:"
            " --line-length= -t: --target-version= --pyi --ipynb --preview --unstable -S"
            " --skip-string-normalization -C --skip-magic-trailing-comma --include= --exclude= --extend-exclude="
            " --force-exclude= --stdin-filename= -W: --workers= --config=read --required-version= -c:none"
            " --code=none --line-ranges= --enable-unstable-feature= -x --skip-source-first-line"
            " --python-cell-magics= --no-cache",
            "none*",
            also=_checks("--check", "--diff", "--code", "-c", "--version"),
        ),
    ),
    "isort": Spec(
        _FORMATTED,
        "* -c --check --check-only -d --diff --settings-path=read --sp=read --settings-file=read -l: -w: -m:"
        " --profile= -p: -o: -s: --skip= --stdout",
        "none*",
        also=_checks(
            "-c", "--check", "--check-only", "-d", "--diff", "--version", "--show-settings", "--show-files", "--stdout"
        ),
    ),
    **each(
        "autopep8 yapf",
        Spec(_FORMATTED, "* -i --in-place -d --diff --style= -r --recursive", "none*", also=_fixes("-i", "--in-place")),
    ),
    **each(
        "autoflake pyupgrade docformatter add-trailing-comma reorder-python-imports unify",
        Spec(_REWRITES, "* --check -c --check-diff -i --in-place", "none*", also=_in_place),
    ),
    **each(
        "mypy dmypy pytype",
        careful(
            "project",
            "It checks types, with the plugins its settings name.",
            "* --config-file=read --python-executable=run --cache-dir=write --junit-xml=write"
            " --html-report=write --txt-report=write --xml-report=write --any-exprs-report=write"
            " --cobertura-xml-report=write --linecount-report=write --install-types?care"
            " --custom-typeshed-dir=read",
            "read*",
        ),
    ),
    **each(
        "pyright basedpyright",
        careful(
            "project",
            "It checks types of the project, and asks its Python where modules lie.",
            "* --pythonpath=run --venvpath=read -v:read --createstub=write --writebaseline?care",
            "read*",
        ),
    ),
    **each("ty pyrefly pyre", careful("project", "It checks types of the project.")),
    **each(
        "flake8 pylint prospector pylama",
        Spec(
            "Its plugins are code of the project.",
            "* --output-file=write --output=write --config=read --append-config=read --rcfile=read"
            " --load-plugins=none --init-hook=none --tee",
            "none*",
            also=_pylint,
        ),
    ),
    **each(
        "pyflakes pycodestyle pydocstyle vulture radon xenon mccabe bandit interrogate deadcode eradicate",
        Spec(
            _PLAIN,
            "* -o:write --output=write --output-file=write -O:write -w --write-changes -i: --interactive="
            " --config=read -c:read --ini=read -f: -x: -s: -b: -n: -a: -k: --format= --exclude= --min-confidence="
            " --skip= -S: -L: --ignore-words-list= -I:read --fail-under=",
            "read*",
            also=_perhaps_fixes,
        ),
    ),
    "codespell": Spec(
        _PLAIN,
        "* -w --write-changes -i: --interactive= -D:read --dictionary=read --builtin= --ignore-regex="
        " --ignore-multiline-regex= -I:read --ignore-words=read -L: --ignore-words-list= --uri-ignore-words-list= -r:"
        " --regex= --uri-regex= -x:read --exclude-file=read -q: --quiet-level= -S: --skip= -A: --after-context= -B:"
        " --before-context= -C: --context= --config=read --toml=read",
        "read*",
        also=_perhaps_fixes,
    ),
    "prettier": _ESLINT,
    **each(
        "eslint standard xo tslint jshint stylelint solhint semistandard ember-template-lint commitlint"
        " markdownlint-cli2 textlint cspell",
        _ESLINT,
    ),
    "oxlint": Spec(
        _PLAIN,
        "* -c:read --config=read --fix --fix-suggestions --fix-dangerously --js-plugins?care",
        "none*",
        also=_fixes("--fix", "--fix-suggestions", "--fix-dangerously"),
    ),
    **each(
        "tsc vue-tsc svelte-check tsgo glint",
        Spec(
            "It checks and builds the project.",
            "* -p: --project= -b --build --noEmit --outDir=write --outFile=write --declarationDir=write"
            " --tsBuildInfoFile=write --generateTrace=write --generateCpuProfile=write --init -w --watch"
            " --showConfig --listFilesOnly -v -h --all -t: --target= -m: --module=",
            "none*",
            also=_tsc,
        ),
    ),
    **each("biome rome", _BIOME),
    **each(
        "dprint",
        either(
            r"(?:check|output-file-paths|output-resolved-config|--version)\b.*",
            "It only reads.",
            care("write", _REWRITES),
        ),
    ),
    **each(
        "rubocop standardrb rubocop-daemon erb_lint haml-lint slim-lint reek brakeman",
        Spec(
            "Its settings and plugins are code of the project.",
            "* -a -A -x --auto-correct --autocorrect --autocorrect-all --auto-correct-all --fix -r:file"
            " --require=file -o:write --out=write -c:read --config=read -f: --format=",
            "none*",
            also=_loads(
                "-a", "-A", "-x", "--auto-correct", "--autocorrect", "--autocorrect-all", "--auto-correct-all", "--fix"
            ),
        ),
    ),
    **each(
        "phpstan psalm phpcs phpmd php-cs-fixer phpcbf pint rector ecs deptrac phan larastan",
        careful(
            "project",
            "Its settings are code of the project, and it may rewrite programs.",
            "* --bootstrap=file -c:config --configuration=config --report-file=write",
        ),
    ),
    "shellcheck": reads(
        _PLAIN,
        "-aCV -x?care -e: --exclude= -i: --include= -f: --format= -s: --shell= -S: --severity= -o: --enable= -P:"
        " --source-path= --color? --list-optional --norc --rcfile=read -W: --wiki-link-count= --check-sourced"
        " --external-sources?care --extended-analysis= --version --help",
    ),
    "shfmt": Spec(
        _FORMATTED,
        "-l -d -s -w -f -i: -ln: -p -bn -ci? -sr -kp -fn -mn -filename: -tojson? --list --diff --write --simplify"
        " --find --version -version? --apply-ignore",
        "none*",
        also=_fixes("-w", "--write"),
    ),
    **each(
        "hadolint yamllint jsonlint markdownlint editorconfig-checker ec"
        " luacheck checkmake vint vale alex write-good proselint typos zizmor"
        " dotenv-linter"
        "",
        Spec(
            _PLAIN,
            "* -f --fix -w --write --write-changes -i --in-place -c:read --config=read -o:write --output=write"
            " -r:file --rules=file --custom-rules=file",
            "read*",
            also=_perhaps_fixes,
        ),
    ),
    "actionlint": Spec(
        _PLAIN,
        "- -shellcheck:run -pyflakes:run -config-file:read -ignore: -format: -color? -no-color? -oneline? -verbose?"
        " -debug? -version? -init-config:care -stdin-filename: -help? -h?",
        "read*",
    ),
    **each(
        "sqlfluff djlint",
        either(
            r"(?:lint|parse|version|rules|dialects)\b.*",
            "It reads and says what is wrong.",
            care("project", "It rewrites, or runs plugins."),
        ),
    ),
    **each(
        "golangci-lint",
        Spec(
            "It compiles the project to say what is wrong with it.",
            "--version --help -v --color=",
            verbs={
                "": ITSELF,
                **each("linters help version config formatters cache", known("It only tells about itself.", "*")),
                **each(
                    "run custom",
                    careful(
                        "project",
                        "It compiles the project to say what is wrong with it.",
                        "* --out-format= -c:config --config=config",
                    ),
                ),
                **each("fmt migrate", changes("write", _REWRITES)),
            },
        ),
    ),
    **each(
        "ktlint detekt swiftlint swiftformat swift-format google-java-format scalafmt scalafix checkstyle pmd spotbugs",
        careful(
            "project",
            "It checks the project, and rewrites programs if it is told to.",
            "* -R:file --ruleset=file -p:file --plugins=file -o:write --report=",
        ),
    ),
    **each(
        "clang-format",
        Spec(
            _FORMATTED,
            "-i -n --dry-run --Werror --style?none -style?none --assume-filename= -assume-filename: --lines="
            " --sort-includes --verbose --dump-config --fallback-style= --version --files=read",
            "none*",
            also=_clang_format,
        ),
    ),
    **each(
        "clang-tidy cppcheck cpplint iwyu include-what-you-use oclint",
        careful(
            "project",
            "It compiles the project to say what is wrong with it.",
            "* -load:danger --load=danger --fix --export-fixes=write --addon=file --output-file=write"
            " --plist-output=write",
        ),
    ),
    **each(
        "rustywind cmake-format gersemi stylua ormolu fourmolu nixfmt alejandra nixpkgs-fmt buildifier taplo"
        " mdformat beautysh css-beautify html-beautify js-beautify sql-formatter pg_format"
        " elm-format ocamlformat scalariform dfmt dartfmt",
        Spec(_FORMATTED, _CHECK, "none*", also=_checks("--check", "-c", "--diff", "-d", "--version", "--check-only")),
    ),
    **each("hlint credo dialyzer statix deadnix", careful("project", "It checks the project.")),
    **each(
        "semgrep cfn_nag kics infer",
        careful(
            "send",
            "It checks the project, with rules from the network, and may report to a service.",
            "* -o:write --output=write --config=config -c:config --external-checks-dir=file",
        ),
    ),
    **each(
        "gitleaks trufflehog detect-secrets",
        careful("secret", "It looks for secrets, and may print them.", "* -r:write --report-path=write"),
    ),
    **each("lint-staged nano-staged", careful("project", "It runs checks of the project on what would be committed.")),
    "npm-check-updates": careful("install", "It tells newer versions, or writes them down."),
    **each(
        "ncu depcheck knip madge dependency-cruiser depcruise license-checker size-limit bundlesize publint attw",
        careful("project", "It reads the project, with settings that are code."),
    ),
    **each(
        "loc",
        reads(
            "It counts lines.",
            "* --out=write -o:write --output=write --report-file=write --extract-with=run --config=read --by-file"
            " --sql=write --write-lang-def=write --match-f= --not-match-f= --diff --git --sum-reports"
            " --ignored=write --counted=write --found=write --categorized=write",
        ),
    ),
}
