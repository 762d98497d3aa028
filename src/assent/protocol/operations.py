"""Operations: what a tool call is, whatever the harness calls its tool and the fields of its input.

Each harness makes them at decode. What does not fit stays open: a path or a command that cannot be read is None or "",
and a tool that the harness does not describe is ``Other``. They are never recorded: the record keeps the client's own
tool name and input, of which its harness makes the operation again.
"""

import re
from typing import Literal

from msgspec import Struct


class Operation(Struct, frozen=True, kw_only=True):
    """What one call asks for."""


class Shell(Operation, frozen=True, kw_only=True):
    """Run a command line. ``command`` is None where the input holds none that can be read."""

    command: str | None
    # It asks to run outside the client's sandbox.
    unsandboxed: bool = False
    # What is typed into it while it runs comes with no event of its own.
    typed_unseen: bool = False
    # The tool can also follow what runs already, and then names no command.
    may_follow: bool = False


class Replacement(Struct, frozen=True, kw_only=True):
    """A text in a file that another one replaces; ``old`` is None where the input does not say it."""

    old: str | None
    new: str
    everywhere: bool = False


class Cell(Struct, frozen=True, kw_only=True):
    """A cell of a notebook, and what becomes of it."""

    id: str | None
    source: str
    change: Literal["replace", "insert", "delete"] = "replace"


class Edit(Operation, frozen=True, kw_only=True):
    """Change parts of one file."""

    path: str | None
    replacements: tuple[Replacement, ...] = ()
    # Set instead of replacements for a notebook.
    cell: Cell | None = None

    @property
    def is_whole(self) -> bool:
        """Whether everything is known that the edit would change."""
        has_change = self.cell is not None or bool(self.replacements)
        return self.path is not None and has_change and all(each.old is not None for each in self.replacements)


class Write(Operation, frozen=True, kw_only=True):
    """Write one file anew; ``content`` is None where the input does not say it."""

    path: str | None
    content: str | None = None


class Part(Struct, frozen=True, kw_only=True):
    """One place of a file in a patch: whole lines, looked for behind the line ``after`` and behind the part before it.
    Without old lines the new ones go to the end."""

    old: str
    new: str
    after: str = ""


class FileChange(Struct, frozen=True, kw_only=True):
    """One file of a patch: ``old`` is None for a file that is made, ``new`` is None for one that is deleted. Of a file
    that is changed both are what is known of it."""

    path: str
    old: str | None = None
    new: str | None = None
    # Where it is changed, as far as the patch names places.
    parts: tuple[Part, ...] = ()
    # What stood there under this name is changed and written to ``path``.
    moved_from: str | None = None


class Patch(Operation, frozen=True, kw_only=True):
    """Change several files in one call."""

    files: tuple[FileChange, ...]


class Read(Operation, frozen=True, kw_only=True):
    """Read one file."""

    path: str | None
    is_notebook: bool = False


class Search(Operation, frozen=True, kw_only=True):
    """Look for files by content or by name, or list a folder. Without a path it is the working directory."""

    kind: Literal["content", "names", "list"]
    # "" where the input names something that is no path.
    path: str | None = None
    pattern: str = ""
    # Which files a search for content reads.
    files: str = ""


class Fetch(Operation, frozen=True, kw_only=True):
    """Fetch a page, or with ``query`` ask a search engine."""

    url: str | None = None
    query: str | None = None


_WORD = r"(?:[A-Za-z]{1,24}\d{0,2}|\d{1,3})"
_PLAIN_NAME = re.compile(rf"(?=.{{1,40}}$){_WORD}(?:[-_. ]{_WORD}){{0,6}}")


class Mcp(Operation, frozen=True, kw_only=True):
    """Use a tool of an MCP server. Either name may be empty."""

    server: str
    tool: str

    @property
    def has_plain_names(self) -> bool:
        """Whether server and tool are named by words. What else stands there may be a secret, which is found only in
        one piece and as it was written."""
        return all(_PLAIN_NAME.fullmatch(name) for name in (self.server, self.tool))


class Subagent(Operation, frozen=True, kw_only=True):
    """Start a sub-agent."""

    prompt: str = ""
    kind: str = ""
    description: str = ""
    # The permission mode it starts in, in Assent's words.
    mode: str | None = None


class Choice(Struct, frozen=True, kw_only=True):
    """One answer that a question offers; ``preview`` is shown beside it."""

    label: str
    description: str = ""
    preview: str = ""


class Asked(Struct, frozen=True, kw_only=True):
    """One question to the user."""

    question: str
    header: str = ""
    choices: tuple[Choice, ...] = ()
    takes_several: bool = False


class Question(Operation, frozen=True, kw_only=True):
    """Ask the user; without questions where the input cannot be read."""

    questions: tuple[Asked, ...] = ()


class Plan(Operation, frozen=True, kw_only=True):
    """Ask the user to approve a plan."""

    text: str | None = None
    file: str | None = None
    # What the plan would allow beside itself, in words.
    allows: tuple[str, ...] = ()


class Other(Operation, frozen=True, kw_only=True):
    """A tool with none of the meanings above."""

    # What its harness knows about it: it keeps the session's own books, ends what the session started, reads from a
    # server, or makes the agent act later.
    does: Literal["unknown", "bookkeeping", "ends", "resource", "later"] = "unknown"
    # Its harness knows the tool, and that its input holds no shell command.
    is_described: bool = False
    # What a rule may name in parentheses, such as the name of a skill.
    names: tuple[str, ...] = ()
    # What it does, for a heading.
    words: str = ""


# Calls that wait for a person, whatever else decides.
FOR_PEOPLE = (Question, Plan)
# Calls that change files.
CHANGES_FILES = (Edit, Write, Patch)
# Calls that read or list files.
READS_FILES = (Read, Search)
