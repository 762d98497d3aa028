"""Reach of code that a session wrote, when a test runs it: processes, the network, the home, secrets.

The readers for inline programs read whole files here. Code that git already had is no news: only what the session
added to it counts.
"""

# ruff: noqa: PTH120, PTH122 - paths here are text that an agent wrote

import os
import re
from functools import lru_cache

from assent.policy import git_objects, world
from assent.policy.commands.spec import Finding, Run
from assent.policy.effects import Effect
from assent.policy.inline import python, scan
from assent.policy.permissions.run_names import names
from assent.policy.shell.spelling import Setting
from assent.protocol.decision import Risk

LARGEST = 256 * 1024

_LANGUAGES = {
    "python": ".py .pyi .pyw",
    "javascript": ".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte",
    "ruby": ".rb .rake",
    "php": ".php",
    "perl": ".pl .pm .t",
    "lua": ".lua",
}
_BY_ENDING = {ending: language for language, endings in _LANGUAGES.items() for ending in endings.split()}
# Loaded as data or read by people.
_HARMLESS = names(
    ".md .txt .rst .adoc .csv .tsv .png .jpg .jpeg .svg .gif .ico .pdf .log .css .scss .less .html .snap .po .json"
    " .jsonl .yaml .yml .xml .ini .toml .sql .graphql .proto .woff .woff2 .ttf"
)
_SCRIPTS = names(".sh .bash .zsh .fish .ksh .bat .cmd .ps1 .command") | {""}
_REACHING = names("fetch send secret privilege persist tamper device agent typing install remote publish process")
# Said of every program that is not understood to its end, so it counts only where it is said to be dangerous.
_VAGUE = frozenset({"run", "dynamic"})
_FILES = frozenset({"write", "delete", "mode", "read"})
# Where nothing else reads the language: names by which its programs reach out.
_CALLS = re.compile(
    r"os/exec|exec\.Command|std::process|process::Command|Command::new|ProcessBuilder|getRuntime\(\)|posix_spawn|\bsystem\s*\("
    r"|\bpopen\s*\(|\bfork\s*\(|execv[ep]*\s*\(|Process\.(?:Start|run)|NSTask|Port\.open|System\.cmd|:os\.cmd"
    r"|net/http|net\.Dial|reqwest|hyper::|TcpStream|UdpSocket|URLSession|HttpClient|java\.net|WebSocket|libcurl|curl_easy"
    r"|\bsocket\s*\(|HTTPoison|Req\.(?:get|post)|okhttp|WebClient"
    r"|os\.UserHomeDir|home_dir\(|user\.home|NSHomeDirectory|\.ssh/|\.aws/|id_rsa|os\.RemoveAll|remove_dir_all|FileUtils\.rm"
    r"|deleteRecursively|unsafe\s*\{"
)


def reaches(path: str, setting: Setting) -> str:
    """What the file newly reaches, as the end of a sentence; "" where that is nothing."""
    ending = os.path.splitext(path)[1].lower()
    if ending in _HARMLESS:
        return ""
    if ending in _SCRIPTS and world.stamp(path) is not None:
        return "is a script for a shell, or a program"
    stamp = world.stamp(path)
    if stamp is None:
        return ""
    return _reaches(path, stamp, ending, setting.project, setting.home)


@lru_cache(maxsize=512)
def _reaches(path: str, _stamp: str, ending: str, project: str, home: str) -> str:
    text = world.read_small(path, LARGEST)
    if text is None:
        return "cannot be read"
    setting = Setting(project, home, project)
    new = _of_text(text, ending, setting)
    if new:
        before = _committed(path)
        new -= _of_text(before, ending, setting) if before is not None else set()
    return min(new, default="")


def _of_text(text: str, ending: str, setting: Setting) -> set[str]:
    language = _BY_ENDING.get(ending)
    if language is None:
        return {f"names {name}" for name in set(_CALLS.findall(text))}
    sentences = set()
    for finding in _findings(language, text, setting):
        if isinstance(finding, Run):
            sentences.add("starts processes")
        elif isinstance(finding, Effect) and finding.risk >= Risk.CARE and _counts(finding):
            sentences.add(_SENTENCES.get(finding.kind, f"does this: {finding.why}"))
    return sentences


def _findings(language: str, text: str, setting: Setting) -> list[Finding]:
    if language == "python":
        return list(python.findings(text, setting, setting.project))
    return scan.findings(language, text, setting, setting.project)


def _counts(effect: Effect) -> bool:
    if effect.kind in _FILES:
        # A path that is made up while it runs is what tests do all day.
        return bool(effect.target) and "…" not in effect.target
    return effect.kind in _REACHING or (effect.kind in _VAGUE and effect.risk is Risk.DANGER)


_SENTENCES = {
    "run": "runs what cannot be told",
    "dynamic": "runs what cannot be told",
    "process": "starts or ends processes",
    "fetch": "reaches the network",
    "send": "reaches the network",
    "remote": "reaches other machines",
    "secret": "reads secrets",
    "write": "writes outside the project",
    "delete": "deletes outside the project",
    "read": "reads outside the project",
}


def _committed(path: str) -> str | None:
    """The file as the last commit has it; None for a new one, or where git cannot be read."""
    git = world.git_folder(os.path.dirname(path))
    if not git or not git.endswith("/.git"):
        return None
    repository = git_objects.Repository(git)
    commit = repository.commit("HEAD")
    sha = repository.tree_of(commit) if commit else None
    *folders, name = os.path.relpath(path, os.path.dirname(git)).split("/")
    for folder in folders:
        entry = repository.tree(sha).get(folder) if sha else None
        sha = entry[0] if entry else None
    entry = repository.tree(sha).get(name) if sha else None
    content = repository.blob(entry[0]) if entry else None
    try:
        return content.decode() if content is not None else None
    except UnicodeDecodeError:
        return None
