"""Interpreters of JavaScript: Node, and Deno with what it is allowed to do."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands.interpreters import interprets
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import Code, Finding, Invocation, Spec, careful, changes, dangerous, known
from assent.policy.effects import care, danger
from assent.policy.shell.words import Arg

_NODE = interprets(
    "javascript",
    "-e --eval -p --print -pe -ep",
    tells="-v --version -h --help --v8-options --completion-bash",
    checks="-c --check",
    loads="-r --require --import --loader --experimental-loader",
)


def _node(it: Invocation) -> Iterator[Finding]:
    if any(option.startswith("--inspect") for option, _ in it.values):
        yield danger("run", "It lets others run code in this program through a port.")
    for file in it.all_values("--env-file", "--env-file-if-exists"):
        yield it.path("read", file)
        yield care("run", "Variables from a file may name programs that run first.", file.text)
    if it.has("--cpu-prof", "--heap-prof", "--prof"):
        yield it.path("write", Arg("node.prof"))
    if it.has("--test", "--run", "--watch") and not it.has("-e", "--eval", "-p", "--print"):
        yield care("project", "It runs code of the project.")
    elif it.operands and it.operands[0].text == "inspect":
        yield care("run", "A debugger can make a program do anything.")
    else:
        yield from _NODE(it)


def _deno_runs(it: Invocation) -> Iterator[Finding]:
    if not it.operands:
        return
    program = it.operands[0]
    is_remote = program.text.startswith(("npm:", "jsr:"))
    is_free = it.has("-A", "--allow-all", "--allow-run", "--allow-ffi")
    if is_remote and is_free:
        yield danger("run", "It runs a program from the network, unseen, and lets it do anything.", program.text)
    elif is_remote:
        yield care("run", "It runs a program from the network.", program.text)
    else:
        yield runs_script(program, "javascript")


def _deno_eval(it: Invocation) -> Iterator[Finding]:
    if it.operands:
        yield Code("javascript", it.operands[0])


_DENO_OPTIONS = (
    "* -c:config --config=config --import-map=config -r? --reload? -L: --log-level= --env-file? --preload=file"
)
_DENO_RUN = Spec("It runs a program.", _DENO_OPTIONS, "none*", also=_deno_runs, wraps=True)


def _deno_installs(it: Invocation) -> Iterator[Finding]:
    yield care("install", "It installs a program.")
    is_free = it.has("-A", "--allow-all", "--allow-run", "--allow-ffi")
    if is_free and any(arg.text.startswith(("http:", "https:")) for arg in it.operands):
        yield danger("install", "It installs a program from the network, unseen, and lets it do anything.")


_INSTALL = Spec("It installs a program.", _DENO_OPTIONS, "none*", also=_deno_installs)

COMMANDS: dict[str, Spec] = {
    **dict.fromkeys(
        ("node", "nodejs"),
        Spec(
            "It does what the program it is given says.",
            "-e:none --eval=none -p:none --print=none -pe:none -ep:none -r:none --require=none --import=none"
            " --loader=none"
            " --experimental-loader=none -c -i -v -h --check --interactive --version --help --test --watch --run="
            " --env-file=none --env-file-if-exists=none --input-type= -C: --conditions= --inspect? --inspect-brk?"
            " --inspect-wait? --inspect-port= --v8-options --completion-bash --test-name-pattern= --test-reporter="
            " --test-reporter-destination=write --cpu-prof --heap-prof --prof --diagnostic-dir=write"
            " --redirect-warnings=write"
            " --trace-event-file-pattern=write --report-dir=write --openssl-config=config --icu-data-dir=config"
            " --snapshot-blob=file --build-snapshot --experimental-sea-config=config --cpu-prof-dir=write"
            " --heap-prof-dir=write --max-old-space-size="
            " --max_old_space_size= --max-semi-space-size= --stack-size= --stack_size= --stack-trace-limit="
            " --no-warnings"
            " --disable-warning= --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation"
            " --pending-deprecation"
            " --trace-uncaught --trace-exit --unhandled-rejections= --enable-source-maps --expose-gc --expose_gc"
            " --harmony"
            " --experimental-vm-modules --experimental-strip-types --experimental-transform-types"
            " --no-experimental-strip-types"
            " --experimental-modules --experimental-json-modules --experimental-fetch --no-experimental-fetch"
            " --experimental-websocket --experimental-sqlite --experimental-permission --permission"
            " --experimental-default-type="
            " --experimental-specifier-resolution= --experimental-import-meta-resolve --experimental-global-webcrypto"
            " --experimental-test-coverage --experimental-wasm-modules --experimental-require-module"
            " --experimental-webstorage"
            " --preserve-symlinks --preserve-symlinks-main --title= --dns-result-order="
            " --no-network-family-autoselection"
            " --tls-min-v1.2 --tls-min-v1.3 --use-system-ca --use-bundled-ca --use-openssl-ca --openssl-legacy-provider"
            " --zero-fill-buffers --frozen-intrinsics --icu-data-dir=config --abort-on-uncaught-exception"
            " --interpreted-frames-native-stack"
            " --test-only --test-timeout= --test-concurrency= --test-shard= --test-skip-pattern= --test-force-exit"
            " --test-isolation="
            " --watch-path= --watch-preserve-output --force-color",
            "none*",
            also=_node,
            wraps=True,
            last="-e --eval -p --print -pe -ep",
        ),
    ),
    **dict.fromkeys(
        ("ts-node", "tsx", "esno", "babel-node", "coffee"),
        Spec(
            "It does what the program it is given says.",
            "* -e:none --eval=none -p:none --print=none -pe:none -r:none --require=none -P:config"
            " --project=config -O: -v",
            "none*",
            also=_node,
            wraps=True,
            last="-e --eval -p --print -pe",
        ),
    ),
    "deno": Spec(
        "It runs programs, within what it is allowed to do.",
        "-qhV --quiet --help --version -L: --log-level=",
        verbs={
            "": known("It only tells about itself."),
            "run": _DENO_RUN,
            "serve": _DENO_RUN,
            "eval": Spec(
                "It runs the program in the line.", f"{_DENO_OPTIONS} -p --print", "none*", also=_deno_eval, wraps=True
            ),
            "test": careful("project", "It runs tests of the project."),
            "bench": careful("project", "It runs benchmarks of the project."),
            "task": careful("project", "It runs a task of the project."),
            "check": careful("fetch", "It checks types, and downloads what is missing."),
            "lint": known("It reads programs and says what is wrong with them.", "--fix:care *"),
            "fmt": changes("write", "It rewrites programs of the project."),
            "info": either(
                r"(?:--json)?",
                "It tells where it keeps what it downloads.",
                care("fetch", "It tells what a program needs, and downloads what is missing."),
            ),
            "doc": careful("fetch", "It shows documentation, and downloads what is missing."),
            "types": known("It prints types."),
            "completions": known("It prints a script."),
            "repl": careful("run", "It starts an interpreter that waits for input."),
            "install": _INSTALL,
            "add": _INSTALL,
            "cache": careful("fetch", "It downloads programs."),
            "compile": changes("write", "It makes a program of the project."),
            "upgrade": careful("install", "It replaces itself by another version."),
            "publish": dangerous("publish", "It publishes the project."),
        },
    ),
}
