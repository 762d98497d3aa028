"""Programs in other languages that stand in a line: ``python -c``, ``node -e``, a here-document for an interpreter.

Python is read by its own grammar. Other languages are looked through for what matters, and what is not
understood is Care."""

import re

from assent.policy.commands._recipes import Makefile
from assent.policy.commands.spec import Finding, Run
from assent.policy.effects import care, danger
from assent.policy.inline import python, scan
from assent.policy.inline.literals import overwrites_many
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg

LONGEST_PROGRAM = 20_000
_CONNECTS = re.compile(
    r"\bsocket\s*[.(]|\bsocket\b.{0,40}\b(?:PF_INET|AF_INET|SOCK_STREAM)|create_connection|\bTCPSocket\b|\bIO::Socket\b"
    r"|\bp?fsockopen\b|\bstream_socket_client\b|\bsocket_(?:connect|create)\b|['\"`](?:node:)?(?:net|tls)['\"`]"
    r"|\b(?:Deno|Bun)\.connect\b|\bgen_tcp\b|\bnew\s+(?:java\.net\.)?Socket\b|\bTCPClient\b|\bnet\.Dial\b|\bTcpStream\b"
    r"|\bsocketConnection\b|\busing\s+Sockets\b|require\s*\(?\s*['\"]socket['\"]|/inet/tcp/|\[\s*socket\s+\S+\s+\d",
    re.DOTALL,
)
_SHELL = re.compile(
    r"['\"`{\s(](?:/usr)?(?:/bin/)?(?:env\s+)?(?:ba|z|da|k|c|tc|fi|a)?sh(?:\s+-\w+)*(?:\s*[<>&\d]|['\"`\s]*[,\])}\"'`])"
    r"|['\"`](?:cmd|powershell|pwsh)(?:\.exe)?\b|\bpty\.spawn\b|\bPTY\.spawn\b",
    re.IGNORECASE,
)
# A command that is whatever came in through the connection.
_OBEYS = re.compile(
    r"\b(?:popen|system|exec\w*|check_output|getoutput|run|Popen|eval|iex|shell_exec|passthru|spawn\w*)\b\s*[({\[]?"
    r"[^;\n]{0,120}\b(?:recv|gets|receive|readline|readLine|readLines|fgets|fread|socket_read|GetString)\b"
)


def is_remote_shell(text: str) -> bool:
    shortened = text[:LONGEST_PROGRAM]
    if _CONNECTS.search(shortened) is None:
        return False
    return _SHELL.search(shortened) is not None or _OBEYS.search(shortened) is not None


LONGEST = 20_000


def findings(language: str, text: str, setting: Setting, cwd: str | None) -> list[Finding]:
    """What the program would do, as far as it can be read. Never empty."""
    if not text.strip(f"{HOLE} \n\t"):
        if HOLE in text:
            return [danger("dynamic", f"It runs a {language} program that is known only when it runs.")]
        return [care("run", f"The {language} program on the line is empty.")]
    if len(text) > LONGEST:
        return [care("run", f"It runs a long {language} program given in the line.")]
    result: list[Finding] = []
    if HOLE in text:
        result.append(care("dynamic", f"Part of the {language} program is known only when it runs."))
    if is_remote_shell(text):
        result.append(danger("run", "It opens a connection and lets the other side run commands here."))
    if overwrites_many(text):
        result.append(danger("delete", "It writes over every file it finds, unread.", safer="name the files"))
    if language == "python":
        result += python.findings(text, setting, cwd)
    elif language == "makefile":
        result += [care("run", "It runs recipes that stand in the line.")]
        result += [Run(line=Arg(line)) for line in Makefile(text).all_lines()]
    else:
        result += scan.findings(language, text, setting, cwd)
    return result
