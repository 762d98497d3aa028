"""Python programs, by Python's own grammar: what is imported, what is called with what, and what cannot be told.

Look is only for programs of which every name is known to calculate, to print, or to read a file that may be read."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote

import ast
import os
import re
import sys
import warnings
from collections import Counter

from assent.policy import pids, sensitive, world
from assent.policy.commands.spec import Finding, Run, RunsFile
from assent.policy.effects import Effect, Kind, care, danger, nothing
from assent.policy.guarded import guarded
from assent.policy.inline import python_names as names
from assent.policy.inline.python_names import Loops, changes_search_path
from assent.policy.inline.python_values import Values
from assent.policy.own import FLOOR, LINKS, TAKES_ALONG
from assent.policy.paths import moved_away, on_path
from assent.policy.shell import variables
from assent.policy.shell.shadows import shadow
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

DEEPEST = 4
_ON_PROCESSES = frozenset({"os.kill", "os.killpg", "signal.pidfd_send_signal"})
_THROWS = re.compile(r"\b(?:drop|truncate|delete|alter|grant|revoke|attach)\b", re.IGNORECASE)
_SHELL_LINE = re.compile(r"^\s*(?:\w+\s*=\s*)?(?:!+|%(?:sx|system)\s|%%(?:ba)?sh\s)(.+)$", re.MULTILINE)
_IN_TABLE = re.compile(r"\.objects\b|\.query\(|\bquery\b")
_UNKNOWN = "\ue000"  # stands for a hole inside a program's text
_INSIDES = names.INSIDES


def findings(text: str, setting: Setting, cwd: str | None, depth: int = 0) -> list[Finding]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.replace(HOLE, _UNKNOWN))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Interactive Pythons run a line behind an exclamation mark in a shell.
        lines = [Run(line=Arg(line)) for line in _SHELL_LINE.findall(text)]
        return [care("dynamic", "It runs a Python program that cannot be read."), *lines]
    program = _Program(setting, cwd, depth)
    try:
        return program.read(tree)
    except RecursionError:
        return [care("dynamic", "It runs a Python program that is nested too deeply.")]


class _Program:
    def __init__(self, setting: Setting, cwd: str | None, depth: int) -> None:
        self._setting = setting
        self._cwd = cwd
        self._depth = depth
        self._found: list[Finding] = []
        self._aliases: dict[str, str] = {}
        self._assigned: dict[str, ast.expr | None] = {}
        self._local: set[str] = set()
        self._stores: Counter[str] = Counter()
        self._star: list[str] = []
        self._values = Values(self._assigned, self.dotted, setting.home)
        self._loops = Loops(self._values, self.dotted)
        self._paths: set[tuple[Kind, str | None]] = set()
        self._is_pure = True
        self._imports_any = False
        self._reads = False
        self._network = ""
        self._sends = False

    def read(self, tree: ast.Module) -> list[Finding]:
        nodes = list(ast.walk(tree))
        for node in nodes:
            self._bind(node)
            self._loops.bind(node)
        for name, count in self._stores.items():
            if count > 1:
                # Which of its values holds where is not followed.
                self._assigned[name] = None
        self._values.start_anew()
        called: set[int] = set()
        for node in nodes:
            match node:
                case ast.Call():
                    called.add(id(node.func))
                    self._call(node)
                case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole]):
                    # Whether a name is in it tells nothing else of it.
                    called.add(id(whole))
                case ast.Attribute(value=base) | ast.Subscript(value=base):
                    # What a name is part of is looked at as a whole.
                    called.add(id(base))
                case ast.Constant(value=str() as text) if text in names.INSIDES:
                    self._found.append(danger("dynamic", "It reaches into Python's insides."))
        for node in nodes:
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                self._reference(node, is_called=id(node) in called)
        self._connections()
        if changes_search_path(nodes, self.dotted):
            self._found.append(care("project", "It changes where Python finds modules."))
        if self._imports_any and self._cwd is not None and (name := shadow(self._cwd)):
            self._found.append(care("project", f"{name} of the working folder takes the place of a library.", name))
        if not self._is_pure and not any(isinstance(each, Effect) and each.risk >= Risk.CARE for each in self._found):
            self._found.append(care("run", "It runs a Python program given in the line."))
        return self._found or [nothing("It only calculates and prints.")]

    # --- names

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=imported):
                for each in imported:
                    self._import(each.name)
                    root = each.name.partition(".")[0]
                    self._aliases[each.asname or root] = each.name if each.asname else root
            case ast.ImportFrom(module=module, names=imported, level=level):
                self._import(module or "", relative=level > 0)
                if _is_in(module or "", names.NETWORK):
                    self._network = module or ""
                for each in imported:
                    if each.name == "*":
                        self._star.append(module or "")
                    else:
                        self._aliases[each.asname or each.name] = f"{module}.{each.name}"
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                self._assigned[name] = value
                if not isinstance(value, ast.Constant) and (function := self.dotted(value)):
                    self._aliases[name] = function
                self._local.add(name)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                self._stores[name] += 1
                self._assigned.setdefault(name, None)
                self._local.add(name)
            case ast.AugAssign(target=ast.Name(id=name)):
                self._stores[name] += 2
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self._local.add(name)
                self._assigned[name] = None

    def _import(self, module: str, *, relative: bool = False) -> None:
        root = module.partition(".")[0]
        self._imports_any |= root not in sys.builtin_module_names
        if root in names.DANGEROUS_MODULES or module in names.DANGEROUS_MODULES:
            self._found.append(
                danger("run", f"Python's {root} can do anything to the system or to other machines.", root)
            )
        if relative or (root not in sys.builtin_module_names and self._is_of_project(root)):
            self._found.append(care("project", "It runs a module of the project.", module))

    def _is_of_project(self, root: str) -> bool:
        """Python looks into the working folder first, whatever the name."""
        if self._cwd is None:
            return True
        places = (self._cwd, os.path.join(self._cwd, "src"))
        return any(world.exists(os.path.join(place, name)) for place in places for name in (root, f"{root}.py"))

    def dotted(self, node: ast.expr) -> str:
        """The full name of what an expression stands for, "" if that cannot be told."""
        match node:
            case ast.Name(id=name):
                if name in self._aliases:
                    return self._aliases[name]
                return "" if name in self._local else self._starred(name)
            case ast.Attribute(value=value, attr=attr):
                base = self.dotted(value)
                if not base:
                    return ""
                # What a module has imported is not its own.
                is_foreign = base in sys.stdlib_module_names and attr in sys.stdlib_module_names and attr != base
                is_own = f"{base}.{attr}" in _SUBMODULES or any(f"{base}.{attr}" in table for table in _TABLES)
                return attr if is_foreign and not is_own else f"{base}.{attr}"
            case ast.Call(func=func, args=[first, *rest]):
                name = self.dotted(func)
                if name in ("__import__", "importlib.import_module", "builtins.__import__"):
                    return self._values.text(first) or ""
                if name in ("getattr", "builtins.getattr") and rest:
                    base, attr_ = self.dotted(first), self._values.text(rest[0])
                    return f"{base}.{attr_}" if base and attr_ else ""
                return name if name.startswith(("pathlib.", "socket.")) else ""
            case ast.Call(func=func):
                name = self.dotted(func)
                return name if name.startswith(("pathlib.", "socket.")) else ""
            case ast.Subscript(value=ast.Attribute(value=value, attr="__dict__") | ast.Call(args=[value]), slice=where):
                base, key = self.dotted(value), self._values.text(where)
                return f"{base}.{key}" if base and key else ""
            case ast.Subscript(value=value, slice=where):
                return (self._values.text(where) or "") if self.dotted(value) == "sys.modules" else ""
            case _:
                return ""

    def _starred(self, name: str) -> str:
        for module in self._star:
            if any(f"{module}.{name}" in table for table in _TABLES):
                return f"{module}.{name}"
        return name.removeprefix("builtins.")

    # --- what is called

    def _call(self, node: ast.Call) -> None:
        name = self.dotted(node.func).removeprefix("builtins.")
        first = node.args[0] if node.args else next((each.value for each in node.keywords), None)
        if name in names.RUN_LINE or name in names.RUN_ARGS:
            self._hidden(first)
        if name in names.RUN_LINE:
            self._runs_line(self._values.text(first))
        elif name in names.RUN_ARGS:
            self._runs_args(node, first)
        elif name in names.RUN_WORDS:
            self._runs_words([self._values.text(arg) for arg in node.args[1:]] or [None])
        elif name in names.EVALUATE:
            self._evaluates(name, first)
        elif name in names.OPEN:
            self._opens(name, node, first)
        elif name in names.DELETE:
            self._path("delete", first, recursive=name == "shutil.rmtree")
        elif name in names.COPY or name in names.MOVE:
            is_tree = name == "shutil.copytree"
            self._path("read" if name in names.COPY else "delete", first, recursive=is_tree, moves=True)
            self._path("write", node.args[1] if len(node.args) > 1 else None, recursive=is_tree)
        elif (kind := _kind(name)) is not None:
            self._path(kind, first)
            if name in ("os.symlink", "os.link"):
                self._links(first, node.args[1] if len(node.args) > 1 else None)
        elif name in names.DANGEROUS:
            self._found.append(danger("privilege", f"Python's {name} changes what the process is.", name))
        elif name in names.CAREFUL:
            number = self._values.of(first)
            if name in _ON_PROCESSES and isinstance(number, int) and (kill := pids.effect(f"{number}", self._setting)):
                self._found.append(kill)
            self._found.append(care("process", f"Python's {name} acts on the process or others.", name))
        elif name in ("__import__", "importlib.import_module"):
            self._imports(first)
        elif name in ("getattr", "setattr", "delattr", "globals", "locals", "vars", "breakpoint"):
            self._reflects(name, node)
        elif name in ("os.getenv", "os.environ.get"):
            self._variable(self._values.text(first))
        elif _is_in(name, names.NETWORK):
            self._network = self._network or name
            self._sends |= names.SENDING.search(name) is not None
        elif name == "site.addsitedir":
            # Lines of the .pth files there are run.
            self._is_pure = False
        elif isinstance(node.func, ast.Attribute) and node.func.attr in names.TAKE_FILES and self._names_file(first):
            for file in first.elts if isinstance(first, ast.List | ast.Tuple) else [first]:
                self._path("read", file)
        elif not self._is_harmless(name):
            self._method(node, name)
            self._given_secrets(node, name)

    def _given_secrets(self, node: ast.Call, name: str) -> None:
        """A function of a library gets the name of a file of secrets: it reads that, whatever it is called."""
        for arg in (*node.args, *(each.value for each in node.keywords)) if name else ():
            text = self._values.text(arg)
            if text is not None and " " not in text and sensitive.is_secret(text):
                self._path("read", arg)

    def _names_file(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.List | ast.Tuple) or self._values.text(node) is not None

    def _is_harmless(self, name: str) -> bool:
        if name in names.BUILTINS:
            return True
        module, _, function = name.rpartition(".")
        if module == "os":
            return function in names.OS
        if module in ("sys", "sys.stdin", "sys.stdout", "sys.stderr"):
            return module != "sys" or function in names.SYS
        if name in names.IMPURE or any(part.startswith("_") for part in name.split(".")):
            return False
        if module.startswith("pathlib."):
            return function in names.PATH_TEXT
        # A module itself cannot be called: what goes by its name is something else.
        return (name not in names.PURE and _is_in(name, names.PURE)) or name in (
            "pathlib.Path",
            "pathlib.PurePath",
            "tempfile.gettempdir",
        )

    def _method(self, node: ast.Call, name: str) -> None:
        if not isinstance(node.func, ast.Attribute):
            if not (isinstance(node.func, ast.Name) and node.func.id in self._local and not name):
                self._is_pure = False
            return
        method = node.func.attr
        if method in ("extractall", "extract"):
            where = node.args[0] if node.args else next((each.value for each in node.keywords), ast.Constant("."))
            self._path("write", where, recursive=True)
        elif method in names.METHODS:
            self._path(names.METHODS[method], node.func.value)  # type: ignore[arg-type]
            if method in ("symlink_to", "hardlink_to"):
                self._links(node.args[0] if node.args else None, node.func.value)
        elif method == "rename" or (method == "replace" and len(node.args) == 1):
            # A text's method takes two arguments; a path's takes one.
            self._path("delete", node.func.value, moves=True)
            self._path("write", node.args[0] if node.args else None)
        elif method == "open":
            self._opens(name, node, node.func.value, place=0)
        elif method in ("execute", "executemany", "executescript"):
            self._queries(self._values.text(node.args[0] if node.args else None))
        elif method == "drop_all" or (
            method == "delete" and not node.args and _IN_TABLE.search(ast.unparse(node.func))
        ):
            self._found.append(danger("remote", "It deletes rows or tables of a database at once.", method))
        elif method in ("system", "popen"):
            self._found.append(danger("dynamic", f"It runs something through {method}()."))
        elif name:
            # A function of an unknown module.
            self._is_pure = False

    def _hidden(self, node: ast.expr | None) -> None:
        if node is None:
            return
        parts = [*ast.walk(node)]
        parts += [part for name in parts if isinstance(name, ast.Name) for part in ast.walk(self._held(name.id))]
        if any(isinstance(part, ast.Call) and self.dotted(part.func) in names.DECODERS for part in parts):
            self._found.append(danger("run", "It runs hidden text: decoded first, then run."))

    def _held(self, name: str) -> ast.expr:
        return self._assigned.get(name) or ast.Constant("")

    def _queries(self, text: str | None) -> None:
        if text is not None and not _THROWS.search(text):
            self._found.append(care("remote", "It asks or changes a database."))
        else:
            self._found.append(
                danger("remote", "It changes a database in a way that cannot be undone, or cannot be told.")
            )

    def _runs_line(self, line: str | None) -> None:
        self._found.append(care("run", "It starts a command from a Python program."))
        self._found.append(Run(line=_arg(line)))

    def _runs_args(self, node: ast.Call, first: ast.expr | None) -> None:
        keywords = {each.arg: each.value for each in node.keywords}
        line = self._values.text(first)
        if self.dotted(node.func).startswith("os."):
            given = self._values.texts(node.args[1] if len(node.args) > 1 else None) or [None, None]
            self._runs_words([line, *given[1:]])
            return
        if "executable" in keywords or None in keywords:
            self._found.append(danger("dynamic", "Which program it starts is known only when it runs."))
        cwd = _arg(self._values.text(keywords["cwd"])) if "cwd" in keywords else None
        self._found.append(care("run", "It starts a command from a Python program."))
        if line is not None:
            self._found.append(Run(line=_arg(line), cwd=cwd))
            return
        words = self._values.texts(first)
        if words is None:
            self._found.append(danger("dynamic", "Which program it starts is known only when it runs."))
            return
        is_line = self._values.of(keywords.get("shell")) not in (None, False, 0)
        args = tuple(_arg(word) for word in words)
        is_fed = "input" in keywords or "stdin" in keywords
        self._found.append(
            Run(line=args[0] if args else None, cwd=cwd) if is_line else Run(args=args, cwd=cwd, fed=is_fed)
        )

    def _runs_words(self, words: list[str | None]) -> None:
        self._found.append(care("run", "It starts a command from a Python program."))
        self._found.append(Run(args=tuple(_arg(word) for word in words)))

    def _evaluates(self, name: str, first: ast.expr | None) -> None:
        text = self._values.text(first)
        if name == "runpy.run_path":
            self._found.append(RunsFile(_arg(text), "python"))
        elif text is None or self._depth >= DEEPEST or name.startswith(("code.", "runpy.")):
            self._found.append(danger("dynamic", "It runs text as a program that is known only when it runs."))
        else:
            self._hidden(first)
            self._found.append(care("dynamic", "It runs text as a program."))
            self._found += findings(text, self._setting, self._cwd, self._depth + 1)

    def _imports(self, first: ast.expr | None) -> None:
        module = self._values.text(first)
        if module is None:
            self._found.append(danger("dynamic", "Which module it loads is known only when it runs."))
        else:
            self._import(module)

    def _reflects(self, name: str, node: ast.Call) -> None:
        if name in ("getattr", "setattr", "delattr") and len(node.args) > 1:
            attribute = self._values.text(node.args[1])
            if name == "getattr" and attribute is not None and attribute not in _INSIDES:
                return
        base = self.dotted(node.args[0]) if node.args else ""
        risky = base.partition(".")[0] in ("os", "subprocess", "shutil", "builtins", "sys", "posix", "__builtins__")
        self._found.append(
            (danger if risky else care)("dynamic", "It looks names up that are known only when it runs.")
        )

    def _opens(self, name: str, node: ast.Call, path: ast.expr | None, place: int = 1) -> None:
        given = node.args[place] if len(node.args) > place else None
        given = next((each.value for each in node.keywords if each.arg == "mode"), given)
        mode = "r" if given is None else self._values.text(given)
        if name == "os.open" and given is not None:
            mode = "r" if self.dotted(given) == "os.O_RDONLY" else None
        how = None if mode is None else mode.split(":")[0].split("|")[0]
        is_writing = how is None or bool(set(how) & set("wax+"))
        self._path("write" if is_writing else "read", path)

    def _path(self, kind: Kind, node: ast.expr | None, *, recursive: bool = False, moves: bool = False) -> None:
        if isinstance(self._values.of(node), int):
            # A descriptor, not a name.
            return
        self._reads |= kind == "read"
        text = self._values.text(node)
        files = self._loops.files(node, self._stores.__getitem__) if text is None and kind == "read" else []
        for file in files:
            self._found.append(on_path("read", Arg(file, glob="*" in file), self._setting, self._cwd))
        if not files and (kind, text) not in self._paths:
            self._paths.add((kind, text))
            effect = on_path(kind, _arg(text), self._setting, self._cwd, recursive=recursive)
            self._found.append(moved_away(effect) if moves else effect)

    def _links(self, source: ast.expr | None, link: ast.expr | None) -> None:
        """A link to the guard's own files is another way to them."""
        effect = guarded("delete", _arg(self._values.text(source)), self._setting, self._cwd)
        if effect is not None:
            self._found.append(effect if effect.why in FLOOR and effect.why != TAKES_ALONG else danger("tamper", LINKS))
        self._path("write", link)

    def _variable(self, name: str | None) -> None:
        if name is None or variables.is_secret(name):
            self._found.append(danger("secret", "It reads a secret from the environment.", name or "…"))

    # --- what is merely named

    def _reference(self, node: ast.Name | ast.Attribute | ast.Subscript, *, is_called: bool) -> None:
        if isinstance(node, ast.Subscript):
            if self.dotted(node.value) == "os.environ":
                key = self._values.text(node.slice)
                if isinstance(node.ctx, ast.Store):
                    self._found += variables.assigned(key or "PATH", [""])
                else:
                    self._variable(key)
            return
        own = node.attr if isinstance(node, ast.Attribute) else node.id
        if own in _INSIDES and own != "__import__":
            self._found.append(danger("dynamic", "It reaches into Python's insides."))
        elif own.startswith("__") and own.endswith("__") and own not in names.TELLING and own != "__import__":
            self._found.append(care("dynamic", "It reaches into Python's insides."))
        name = self.dotted(node).removeprefix("builtins.")
        if isinstance(node, ast.Attribute) and own not in names.TELLING and _is_in(name, names.NETWORK):
            self._network = self._network or name
        if is_called or isinstance(node.ctx, ast.Store):
            return
        if name == "os.environ":
            self._reads = True
            # What starts a program mostly hands them on to that.
            hands_on = any(isinstance(each, Run) for each in self._found)
            how = care if hands_on else danger
            self._found.append(how("secret", "It takes all variables, and secrets may be among them."))
        elif any(name in table for table in _DOING):
            self._found.append(
                danger("dynamic", f"It hands {name} on, and calls it with what is known only when it runs.")
            )
        elif name in names.OPEN or name in ("getattr", "globals", "vars", "sys.modules", "builtins"):
            self._is_pure = False

    def _connections(self) -> None:
        if not self._network:
            return
        if any(isinstance(each, RunsFile) for each in self._found):
            self._found.append(danger("run", "It runs a file that it may have downloaded.", self._network))
        if self._sends or self._reads:
            self._found.append(danger("send", "It carries something out to the network.", self._network))
        else:
            self._found.append(care("fetch", "It opens connections to the network.", self._network))


def _is_in(name: str, modules: frozenset[str]) -> bool:
    """Whether it is one of the modules, or something inside of one."""
    while name:
        if name in modules:
            return True
        name = name.rpartition(".")[0]
    return False


def _kind(name: str) -> Kind | None:
    return "read" if name in names.READ else "write" if name in names.WRITE else "mode" if name in names.MODE else None


def _arg(text: str | None) -> Arg:
    return Arg(HOLE) if text is None else Arg(text.replace(_UNKNOWN, HOLE))


_DOING = (names.RUN_LINE, names.RUN_ARGS, names.RUN_WORDS, names.EVALUATE, names.DELETE, names.MOVE, names.DANGEROUS)
_TABLES = (*_DOING, names.OPEN, names.READ, names.WRITE, names.MODE, names.COPY)
_SUBMODULES = frozenset(
    {"os.path", "xml.etree", "concurrent.futures", "collections.abc", "urllib.parse", "html.parser", "datetime.time"}
    | {"importlib.metadata", "email.utils", "http.client", "http.server"}
)
