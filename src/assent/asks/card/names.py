"""Names of files and hosts on a card: short, without hiding where they are."""

import posixpath
from urllib.parse import urlsplit

LONGEST = 60


def whole(path: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join(folder or "/", path)) if path else ""


def is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def short(path: str, project: str = "", home: str = "") -> str:
    """A file as people of the project call it."""
    if path.endswith("/**"):
        return f"{short(path[:-3], project, home)} with everything in it"
    if project and path == project:
        return "the project's folder"
    if project and is_below(path, project):
        return cut(path.removeprefix(project.rstrip("/") + "/"))
    if home and path == home:
        return "your home folder"
    if home and is_below(path, home):
        return cut("~" + path.removeprefix(home.rstrip("/")))
    return cut(path)


def cut(text: str, longest: int = LONGEST) -> str:
    """One line; of what is too long the end, which tells more of a path, and a little of the beginning."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    kept = longest - 1
    return f"{line[: kept // 3]}…{line[len(line) - (kept - kept // 3) :]}"


def host(url: str) -> str:
    """The machine an address names, with its port; the address itself where that cannot be told."""
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.hostname}{port}" if parts.hostname else cut(url)
    except ValueError:
        return cut(url)


def listed(names: list[str], most: int = 3) -> str:
    """``a``, ``a and b``, ``a, b and c``, ``a, b and 4 more``."""
    if len(names) > most:
        rest = len(names) - most + 1
        return f"{', '.join(names[: most - 1])} and {rest} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
