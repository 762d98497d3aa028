"""What runs tests, and what serves or renders a project: code of the project runs, whatever is asked for."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import BUILD, PROJECT, TESTS
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    Spec,
    careful,
    dangerous,
    each,
    known,
    starts,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk


def _pytest(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version") and len(it.values) == 1 and not it.operands:
        yield nothing("It only tells about itself.")
        return
    yield care("project", "It runs tests of the project.")
    for folder in it.all_values("--basetemp"):
        # It empties the folder before it begins.
        yield it.path("delete", folder, recursive=True)
    for arg in it.operands:
        if it.place(Arg(arg.text.partition("::")[0])) not in ("project", "whole"):
            yield care("run", "It runs tests from outside the project.", arg.text)


_PYTEST = Spec(
    "It runs tests of the project.",
    "* --help?project -h --basetemp=none -p: -c:config --config-file=config --rootdir= --confcutdir= -o:"
    " --junitxml=write"
    " --junit-xml=write --log-file=write --cov-report= --debug? --pastebin=send -k: -m: -n: -W: -r? --ignore= --tb= -V"
    " --version --html=write --resultlog=write --report-log=write",
    "none*",
    also=_pytest,
)
_JS = Spec(
    "It runs tests of the project.",
    "* -c:config --config=config --outputFile=write --output=write --coverage"
    " --coverageDirectory=write --reporters= -t: --globalSetup=file"
    " --setupFiles=file --require=file -r:file --import=file --loader=file",
    does=TESTS.does,
)


def _coverage(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if it.has("-m", "--module") and words:
        yield Run(args=(Arg("python"), Arg("-m"), *words))
    elif words:
        yield RunsFile(words[0], "python")


_COVERAGE = Spec(
    "It tells what tests covered.",
    "--version --help -h",
    verbs={
        **each("report debug help version", known("It tells what tests covered.", "* --rcfile=config")),
        **each(
            "html xml json lcov combine annotate",
            careful("write", "It writes what tests covered.", "* -o:write -d:write"),
        ),
        "erase": Spec(
            "It forgets what tests covered.",
            "*",
            does=(Effect("delete", Risk.CHANGE, "It removes what is made again."),),
        ),
        "run": Spec(
            "It runs a program and watches it.",
            "* -m --module --rcfile=config --source= --omit= --include= -p",
            "none*",
            does=(care("project", "It runs code of the project."),),
            also=_coverage,
            wraps=True,
        ),
    },
)
_SERVES = careful("project", "It runs the project as a server.", "* --host= --bind=")


def _rimraf(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield it.path("delete", arg, recursive=True)


def _concurrently(it: Invocation) -> Iterator[Finding]:
    for line in it.operands:
        yield Run(line=line)


def _line(it: Invocation) -> Iterator[Finding]:
    """``cross-env A=1 cmd``, ``dotenv -- cmd``"""
    words = [word for word in it.operands if word.text != "--"]
    yield Run(args=(Arg("env"), *words)) if words else nothing("It runs nothing.")


def _shell_line(it: Invocation) -> Iterator[Finding]:
    yield Run(line=Arg(" ".join(arg.text for arg in it.operands)))


def _nodemon(it: Invocation) -> Iterator[Finding]:
    lines = it.all_values("-x", "--exec")
    for line in lines:
        yield from starts(line)
    yield care("project", "It runs the project again whenever it changes.")
    if it.operands and not lines:
        yield RunsFile(it.operands[0], "javascript")


def _playwright(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb in ("install", "install-deps", "uninstall"):
        yield care("install", "It installs browsers.")
    elif verb in ("open", "codegen", "screenshot", "pdf", "show-report", "show-trace"):
        yield care("fetch", "It opens pages in a browser.")
    else:
        yield care("project", "It runs tests of the project.")


def _shx(it: Invocation) -> Iterator[Finding]:
    yield Run(args=tuple(it.operands)) if it.operands else nothing("It runs nothing.")


COMMANDS: dict[str, Spec] = {
    **each("pytest py.test", _PYTEST),
    **each(
        "jest vitest mocha ava tap jasmine karma cypress testcafe wdio web-test-runner qunit tape c8 nyc uvu japa", _JS
    ),
    "playwright": Spec("It runs tests in a browser.", "* -c:config --config=config", "none*", also=_playwright),
    **each("coverage coverage3", _COVERAGE),
    **each(
        "rspec cucumber minitest phpunit pest paratest codecept behat phpspec behave robot nose2 nosetests trial"
        " stestr zope-testrunner busted bats shunit2 sharness prove",
        Spec(
            "It runs tests of the project.",
            "* --require=file -r:file --bootstrap=file -c:config --configuration=config --init-file=file -o:write"
            " --out=write",
            does=TESTS.does,
        ),
    ),
    **each("locust artillery gatling autocannon", careful("send", "It sends very many requests to a server.")),
    **each("mutmut cosmic-ray stryker infection hypothesis", TESTS),
    # Building and serving what a browser shows.
    **each(
        "vite webpack rollup parcel esbuild swc tsup tsdown rspack rsbuild next nuxt astro gatsby remix"
        " svelte-kit ng vue-cli-service react-scripts craco webpack-dev-server storybook start-storybook eleventy"
        " docusaurus vitepress hexo metro react-native ionic unbuild microbundle babel postcss sass"
        " tailwindcss lessc pug vue nest quasar preconstruct snowpack wmr ember elm elm-test spago purs",
        either(
            r"(?:--version|-v|version|info|telemetry status)",
            "It only tells about itself.",
            care("project", "It builds or serves the project, with settings and plugins that are code."),
        ),
    ),
    **each(
        "hugo jekyll zola mkdocs sphinx-build sphinx-quickstart mdbook pelican quarto bookdown"
        " asciidoctor typedoc jsdoc doxygen pdoc godoc yardoc",
        Spec(
            "It makes pages from the project.",
            "* -d:write --destination=write --site-dir=write --output=write -o:write",
            does=(care("project", "It makes pages from the project, with settings and plugins that are code."),),
        ),
    ),
    **each(
        "uvicorn gunicorn hypercorn daphne waitress-serve streamlit gradio chainlit puma unicorn rackup"
        " thin passenger json-server http-server serve live-server browser-sync",
        _SERVES,
    ),
    **each(
        "rq dramatiq huey arq",
        either(
            r"(?:--version|inspect \w+|report|status|-A \S+ (?:inspect|status|report)\b.*)",
            "It tells about workers.",
            care("project", "It runs the project's workers."),
        ),
    ),
    **each("scrapy", careful("fetch", "It runs the project, which fetches pages.", "* --help?project")),
    **each(
        "jupyter ipykernel papermill nbconvert voila marimo",
        either(
            r"--version|(?:kernelspec|lab|notebook|server|nbextension|labextension) list|--paths|--(?:config|data)-dir",
            "It only tells about itself.",
            care("run", "It runs notebooks, or serves them to a browser."),
        ),
    ),
    # Helpers that scripts of packages are made of.
    **each("rimraf del-cli", Spec("It deletes files and folders.", "* -g --glob", "none*", also=_rimraf)),
    **each("mkdirp", Spec("It makes folders.", "*", "write*")),
    **each("cpx ncp copyfiles cpy cpy-cli", Spec("It copies files.", "* -u: --up=", "read* write")),
    **each(
        "concurrently npm-run-all run-p run-s",
        Spec("It runs lines.", "* -n: --names= -c: --prefix-colors= -p: --prefix= -k", "none*", also=_concurrently),
    ),
    **each(
        "cross-env env-cmd",
        Spec(
            "It sets variables for a command.",
            "-f:read --file=read -e: --fallback --verbose --silent",
            "none*",
            also=_line,
            wraps=True,
        ),
    ),
    **each(
        "nodemon ts-node-dev node-dev onchange",
        Spec(
            "It runs the project again and again.",
            "* -x:none --exec=none -w: --watch= -e: --ext= -i: --ignore= -r:file --require=file --config=config",
            "none*",
            also=_nodemon,
            wraps=True,
        ),
    ),
    "shx": Spec("It runs a small command that works everywhere.", "", "none*", also=_shx, wraps=True),
    "cross-env-shell": Spec("It runs a line.", "", "none*", also=_shell_line, wraps=True),
    "gh-pages": dangerous("publish", "It publishes pages."),
    "wait-on": careful("fetch", "It waits until a server answers."),
    "changeset": Spec(
        "It looks after releases.",
        "--version --help",
        verbs={
            "": careful("write", "It asks what changed and writes that down."),
            "status": known("It tells what would be released.", "* --output=write -o:write"),
            **each("add init pre", careful("write", "It writes what changed.")),
            "version": careful("write", "It raises versions."),
            **each("publish tag", dangerous("publish", "It publishes packages.")),
        },
    ),
    **each(
        "semantic-release release-it standard-version np auto",
        either(
            r".*(?:--dry-run|--version|--help).*",
            "It tells what it would release.",
            danger("publish", "It publishes a release."),
        ),
    ),
    **each(
        "vsce ovsx web-ext",
        either(
            r"(?:ls|show|search|--version|ls-publishers)\b.*",
            "It tells about extensions.",
            danger("publish", "It packs or publishes an extension."),
            less=(r"package\b.*|build\b.*|lint\b.*", care("project", "It packs the project.")),
        ),
    ),
    **each(
        "msw graphql-codegen openapi-generator openapi-generator-cli orval swagger-codegen quicktype"
        " datamodel-codegen sqlc wire mockgen stringer plop hygen yo",
        BUILD,
    ),
    **each("appium detox maestro", TESTS),
    **each("ts-prune ts-unused-exports", PROJECT),
}
