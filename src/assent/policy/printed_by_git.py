"""What git prints, where that can be told without starting it: some commit, or the folder it works in."""

# ruff: noqa: PTH120 - paths here are text that an agent wrote

import os
import re

from assent.policy import world

# Which commit it is does not matter to what is done with it: it is a number, no option, no path, no program.
SOME_COMMIT = "0" * 40
_REVISION = re.compile(r"[\w@][\w@^~{}./-]*")
_CHOOSES = re.compile(
    r"-\d+|-n\d*|--(?:max-count|skip|since|until|after|before|author|committer|grep)=.*|--(?:all|reverse|merges|no-merges"
    r"|first-parent|tags|branches|remotes|topo-order|date-order|ancestry-path)"
)
_ONLY_COMMITS = re.compile(r"--(?:format|pretty)=(?:format:|tformat:)?%[Hh]")


def printed(rest: list[str], cwd: str | None) -> str | None:
    match rest:
        case ["rev-parse", "--show-toplevel"]:
            return _folder(cwd)
        case ["rev-parse", *words]:
            revisions = [word for word in words if word not in ("--verify", "--short", "-q", "--quiet")]
            is_commit = bool(revisions) and all(_REVISION.fullmatch(word) for word in revisions)
        case ["merge-base", *words]:
            is_commit = all(_REVISION.fullmatch(word) or word in ("-a", "--all", "--fork-point") for word in words)
        case ["rev-list", *words]:
            is_commit = _are_commits(words)
        case ["log", *words]:
            formats = [word for word in words if _ONLY_COMMITS.fullmatch(word)]
            is_commit = len(formats) == 1 and _are_commits([word for word in words if word not in formats])
        case _:
            return None
    return f"{SOME_COMMIT}\n" if is_commit else None


def _are_commits(words: list[str]) -> bool:
    """Only revisions, and options that choose among them."""
    before = words[: words.index("--")] if "--" in words else words
    return all(_CHOOSES.fullmatch(word) if word.startswith("-") else _REVISION.fullmatch(word) for word in before)


def _folder(cwd: str | None) -> str | None:
    git = world.git_folder(cwd) if cwd is not None else None
    return f"{os.path.dirname(git)}\n" if git and git.endswith("/.git") else None
