"""Python: programs in the line are read by its grammar; modules that come with it are known by name."""

from collections.abc import Iterator

from assent.policy.commands._sed import pours
from assent.policy.commands.interpreters import interprets, names
from assent.policy.commands.spec import Code, Finding, Invocation, Run, RunsFile, Spec, findings, known
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.shadows import shadow
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_PROGRAM = interprets("python", "-c", tells="-V -VV --version --help -h --help-all --help-env --help-xoptions")

# Modules that are commands by another name.
_COMMANDS = names(
    "alembic ansible autopep8 awscli bandit black build celery coverage cython django flake8 flask"
    " flit gunicorn hatch httpie ipython isort jupyter mkdocs mypy notebook nox pdm pip pipenv"
    " piptools pipx poetry pre_commit pycodestyle pydocstyle pyflakes pylint pyright pytest radon ruff"
    " sphinx tox twine uv uvicorn virtualenv vulture yapf yt_dlp"
)

COMPILES = "It writes compiled files, which are made again."
_SHADOWED = "A file of the working folder may run in its place; -I or -P keeps that out."
_SCRIPTS = ("manage.py", "setup.py")


def _python(it: Invocation) -> Iterator[Finding]:
    for option in it.all_values("-X"):
        if option.text.startswith(("presite", "pycache_prefix", "importtime=")):
            yield care("unknown", "This option of python can do more than look.", option.text)
    module = it.value("-m")
    if module is None or it.has("-c"):
        if it.has("-i") and it.has("-c"):
            yield care("run", "It starts an interpreter that waits for input.")
        yield from _PROGRAM(it)
        if not it.has("-c") and it.operands and it.operands[0].text.rpartition("/")[2] in _SCRIPTS:
            # Files that nearly every project has, with well-known verbs.
            yield Run(args=(Arg(it.operands[0].text.rpartition("/")[2]), *it.operands[1:]))
    else:
        if not it.has("-I", "-P") and (it.cwd is None or not _is_of_others(module.text) or shadow(it.cwd, module.text)):
            # The working folder comes first where modules are looked for, so a file there takes the module's place.
            yield care("project", _SHADOWED, module.text)
        yield from _module(it, module)


def _is_of_others(module: str) -> bool:
    """Whether it is known to come with Python or from a package."""
    return module in _COMMANDS or module in _MODULES


def _module(it: Invocation, module: Arg) -> Iterator[Finding]:
    if module.text in _COMMANDS:
        yield Run(args=(Arg(module.text.replace("_", "-")), *it.operands))
    elif (spec := _MODULES.get(module.text)) is not None:
        yield from findings(f"python -m {module.text}", tuple(it.operands), spec, it.setting, it.cwd)
    else:
        yield care("project", "It runs a module: one of the project, or one that was installed.", module.text)


def _json_tool(it: Invocation) -> Iterator[Finding]:
    if len(it.operands) > 1:
        yield it.path("write", it.operands[1])


def _script(it: Invocation) -> Iterator[Finding]:
    if it.has("-m"):
        yield care("project", "It runs a module of the project.")
    elif it.operands:
        yield RunsFile(it.operands[0], "python")


def _timeit(it: Invocation) -> Iterator[Finding]:
    texts = [*it.all_values("-s", "--setup"), *it.operands]
    if texts:
        yield Code("python", Arg("\n".join(text.text for text in texts)))


def _serves(it: Invocation) -> Iterator[Finding]:
    yield care("send", "It serves files of a folder to others.")
    folder = it.value("-d", "--directory") or Arg(".")
    effect = it.path("read", folder, recursive=True)
    if effect.risk > Risk.LOOK or effect.target.startswith("/"):
        yield danger("send", "It serves files from outside the project to others.", folder.text)


def _archive(it: Invocation) -> Iterator[Finding]:
    for arg in it.all_values("-l", "--list", "-t", "--test"):
        yield it.path("read", arg)
    for arg in it.all_values("-c", "--create"):
        yield it.path("write", arg)
    for arg in it.all_values("-e", "--extract"):
        yield it.path("read", arg)
        yield pours(it, it.operands[0] if it.operands else Arg("."))


def _venv(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        effect = it.path("write", arg)
        yield (
            effect
            if effect.risk > Risk.CHANGE
            else Effect("install", Risk.CHANGE, "It makes an environment.", arg.text)
        )


def _compiles(it: Invocation) -> Iterator[Finding]:
    is_near = all(it.place(arg) in ("project", "temp") or it.is_project(arg) for arg in it.operands)
    is_named = (
        bool(it.operands) and not it.has("-i", "-o", "--hardlink-dupes") and all(arg.known for arg in it.operands)
    )
    yield Effect("write", Risk.LOOK if is_named and is_near else Risk.CHANGE, COMPILES)


_READS_FILES = "It reads files and prints what is in them."
_COMPILES = Spec(
    COMPILES,
    "-lfqb -r: -j: -d: -x: -i:read -o: -s: -p: -e: --invalidation-mode= --hardlink-dupes",
    "read*",
    also=_compiles,
)
_MODULES: dict[str, Spec] = {
    "json.tool": Spec(
        "It prints JSON.",
        "--sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent --compact -h --help",
        "read none*",
        also=_json_tool,
    ),
    "json": Spec("It prints JSON.", "* --indent=", "read none*", also=_json_tool),
    "site": known("It tells where modules lie.", "--user-base --user-site"),
    "this": known("It prints a poem."),
    "platform": known("It names the system."),
    "sysconfig": known("It tells how Python was built.", "* --generate-posix-vars:care"),
    "calendar": known("It prints a calendar."),
    "tokenize": Spec(_READS_FILES, "-e --exact", "read"),
    "ast": Spec(_READS_FILES, "-a -m: --mode= -i: --indent= --no-type-comments --include-attributes", "read"),
    "dis": Spec(_READS_FILES, "-COPS", "read"),
    "tabnanny": Spec(_READS_FILES, "-qv", "read*"),
    "pyclbr": Spec(_READS_FILES, "", "read"),
    "textwrap": known("It prints text."),
    "uuid": known("It prints a unique number."),
    "random": known("It prints a random number."),
    "zoneinfo": known("It tells about time zones."),
    "mimetypes": known("It names types of files."),
    "base64": Spec("It prints text in another form.", "-deuth", "read"),
    "quopri": Spec("It prints text in another form.", "-dt", "read*"),
    "gzip": Spec("It packs or unpacks files.", "-d --fast --best --decompress", "write*"),
    "zipfile": Spec(
        "It packs, lists or unpacks.",
        "-l:none --list=none -t:none --test=none -c:none --create=none -e:none --extract=none --metadata-encoding=",
        "none*",
        also=_archive,
    ),
    "tarfile": Spec(
        "It packs, lists or unpacks.",
        "-v -l:none --list=none -t:none --test=none -c:none --create=none -e:none --extract=none --filter=",
        "none*",
        also=_archive,
    ),
    "compileall": _COMPILES,
    "py_compile": _COMPILES,
    "timeit": Spec(
        "It measures a program.",
        "-pvh -n: -r: -s:none --setup=none -u: --unit= --number= --repeat=",
        "none*",
        also=_timeit,
    ),
    "venv": Spec(
        "It makes an environment.",
        "--system-site-packages --symlinks --copies --clear --upgrade --without-pip --prompt= --upgrade-deps"
        " --without-scm-ignore-files",
        "none*",
        also=_venv,
    ),
    "ensurepip": Spec("It installs pip.", "*", does=(care("install", "It installs pip."),)),
    "http.server": Spec(
        "It serves files of a folder.",
        "--cgi:danger -b: --bind= -d:none --directory=none -p: --protocol= --tls-cert=read --tls-key=read",
        "none*",
        also=_serves,
    ),
    "unittest": Spec("It runs tests.", "*", does=(care("project", "It runs tests of the project."),)),
    "doctest": Spec("It runs tests.", "*", does=(care("project", "It runs tests of the project."),)),
    **dict.fromkeys(
        ("cProfile", "profile", "trace", "pdb", "runpy", "tracemalloc"),
        Spec("It runs a program and watches it.", "* -o:write -s: -m -c:care", "none*", also=_script, wraps=True),
    ),
    "pydoc": Spec(
        "It shows documentation.",
        "* -w:care -p:care -b:care -n:care",
        does=(care("project", "It loads what it documents."),),
    ),
    "webbrowser": Spec("It opens a page.", "-nt", does=(care("fetch", "It opens a page in the browser."),)),
    "asyncio": Spec("It waits for input.", "", does=(care("run", "It starts an interpreter that waits for input."),)),
    "idlelib": Spec("It opens an editor.", "*", does=(care("run", "It opens an editor that runs programs."),)),
    "smtpd": Spec("It receives mail.", "*", does=(care("fetch", "It waits for connections."),)),
    "pickle": Spec("It loads objects.", "*", does=(danger("run", "What it loads can run anything."),)),
    "sqlite3": Spec("It opens a database.", "*", "write*"),
    "inspect": Spec("It shows a module.", "*", does=(care("project", "It loads what it shows."),)),
}

_PYTHON = Spec(
    "It does what the program it is given says.",
    "-bBdEhiIOPqsSuvVx -c:none -m:none -W: -X:none --version --help --help-all --help-env --help-xoptions"
    " --check-hash-based-pycs=",
    "none*",
    also=_python,
    wraps=True,
    last="-c -m",
)

COMMANDS: dict[str, Spec] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "pythonw", "py", "micropython"), _PYTHON),
    "pydoc": _MODULES["pydoc"],
    "pydoc3": _MODULES["pydoc"],
    **dict.fromkeys(
        ("ipython", "ipython3", "bpython", "ptpython"),
        Spec(
            "It does what the program it is given says.",
            "* -c:none -m:care -i",
            "none*",
            also=interprets("python", "-c", tells="-V --version --help -h"),
            wraps=True,
            last="-c -m",
        ),
    ),
}
