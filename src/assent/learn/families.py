"""Which commands may share a rule with a wildcard: a program and its subcommand, where more words only say more.

A table of what must not. Everything in it can run another program, fetch and run code, overwrite or lose something, or
reach another machine by nothing more than the words after the subcommand. The exact command is always left to offer.
"""

import re

from assent.harness.claude_code_grants import fault
from assent.protocol.permission import AddRules, PermissionRule

_PLAIN = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_NEVER = (
    # Their words are files, and the files change or are gone.
    _set("rm rmdir mv cp ln chmod chown chgrp tee sed dd truncate touch mkdir shred install rsync tar unzip zip patch")
    # They stop or change the machine.
    | _set("kill killall pkill systemctl service launchctl mount umount iptables sysctl useradd usermod passwd crontab")
    # They send, fetch, or act elsewhere.
    | _set("curl wget http https xh aria2c scp sftp ftp gh glab aws gcloud az doctl heroku flyctl vercel netlify")
    | _set("docker podman nerdctl kubectl oc helm terraform tofu pulumi vagrant packer")
    # They run what they download, or a program that an option names.
    | _set("pip pip3 npm pnpm yarn bun gem cargo go uv poetry pdm brew apt apt-get dnf yum pacman apk snap conda mamba")
    | _set("nix bundle composer dotnet swift sbt stack cabal mix rebar3 pre-commit")
)
# Without an option that runs a program, writes a file of any name, reaches another machine or loses work.
_OF_GIT = _set("add commit status switch blame describe rev-parse ls-files shortlog merge cherry-pick revert")


def family(command: str) -> str | None:
    """``git commit`` for a command that may share ``Bash(git commit *)`` with its like."""
    program, verb, *_ = *command.split(maxsplit=2), "", ""
    if not _PLAIN.fullmatch(program) or not _PLAIN.fullmatch(verb) or program in _NEVER:
        return None
    if program == "git" and verb not in _OF_GIT:
        return None
    together = f"{program} {verb}"
    return together if may_be_granted("Bash", f"{together} *") else None


def may_be_granted(tool: str, content: str | None) -> bool:
    """Whether such a rule is ever granted to an agent: the same test as for an answer that says *always*."""
    rule = PermissionRule(tool, content)
    return fault(AddRules(rules=(rule,), behavior="allow", destination="userSettings")) is None
