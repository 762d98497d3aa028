"""Options are read in one place: no command takes its words apart by hand."""

import ast
from collections.abc import Iterator
from pathlib import Path

from assent.policy import commands

FOLDER = Path(commands.__file__).parent
# Languages that are no options, and words of programs without a table.
OWN_LANGUAGES = {
    ("_found.py", "__init__"): "the expression of find",
    ("_found.py", "_folders"): "the expression of find",
    ("_found.py", "_one"): "the expression of find",
    ("_clients.py", "_dotted"): "commands typed into a database client",
    ("_git_config.py", "from_address"): "an address that looks like an option of ssh",
    ("_either.py", "either"): "a pattern for the whole line, not for options",
    ("_either.py", "found"): "a pattern for the whole line, not for options",
    ("_services.py", "_judged"): "patterns for the words of many tools",
    ("_services.py", "is_help"): "patterns for the words of many tools",
    ("_services.py", "readings"): "reads unknown options both ways",
    ("_services.py", "in_production"): "any word may name production",
    ("_sql.py", "calmed"): "any word may name production",
    ("_sed.py", "veiled_reads"): "the few spellings that show no value, word by word",
    ("privileges.py", "_sg"): "a pattern for the whole line tells two tools apart",
    ("search.py", "_greps"): "the few spellings that show no value, word by word",
    ("text.py", "_awks"): "the few spellings that show no value, word by word",
    ("text.py", "_seds"): "the few spellings that show no value, word by word",
    ("__init__.py", "unknown"): "an unknown command has no table",
    ("agents.py", "_agent"): "patterns for the words of many agents",
    ("agents.py", "switches"): "patterns for the words of many agents",
    ("agents.py", "_assent"): "a pattern for the whole line",
    ("devices.py", "_dd"): "the operands of dd",
    ("processes.py", "_kill"): "signals are spelled like options",
    ("shells.py", "_powershell"): "PowerShell shortens names, and a command takes the rest of the line",
    ("wrappers.py", "_env"): "a word behind a variable that env takes for the command",
    ("network.py", "_mails"): "a value that is the next option",
    ("clouds_aws.py", "_more"): "any word may name a file or make something public",
    ("clouds_aws.py", "_operation"): "any word may ask for user data; the last one may be a file",
    ("clouds_azure.py", "_az"): "any word may name a file",
    ("containers.py", "_inspects"): "any word may ask for variables",
    ("migrations.py", "_rails"): "any word may name production",
    ("rust.py", "_cargo"): "all words but a version are handed on",
}
# What all words may be handed on to.
HANDS_ON = frozenset({"Run", "findings", "Invocation", "script"})


def _by_hand(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Functions that look at dashes or at all words, and where."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        handed = {id(inner) for call in ast.walk(function) if _hands_on(call) for inner in ast.walk(call)}
        for node in ast.walk(function):
            if isinstance(node, ast.FunctionDef) and node is not function:
                continue
            if _looks_at_dashes(node) or (_is_all_words(node) and id(node) not in handed):
                yield function.name, getattr(node, "lineno", 0)


def _hands_on(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name in HANDS_ON


def _is_all_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("handed_on", "_args")


def _looks_at_dashes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
        # The names of options, as the parser found them, may be compared.
        is_name = isinstance(node.func.value, ast.Name) and node.func.value.id == "option"
        return not is_name and any(_is_dash(each) for each in ast.walk(node.args[0]))
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript):
        return any(isinstance(each, ast.Constant) and each.value in ("-", "--") for each in node.comparators)
    return False


def _is_dash(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1] == "-"


def test_command_leaves_options_to_the_parser() -> None:
    """A parser written by hand misses a spelling."""
    lines = {
        (path.name, function): line
        for path in sorted(FOLDER.glob("*.py"))
        if path.name not in ("spec.py", "_spec_types.py")
        for function, line in _by_hand(ast.parse(path.read_text()))
    }
    assert {place: line for place, line in lines.items() if place not in OWN_LANGUAGES} == {}
    assert sorted(OWN_LANGUAGES.keys() - lines.keys()) == []
