"""The agent's own pattern language: ``Tool``, ``Tool(specifier)``, ``mcp__server__*``.

A pattern is used in two ways that are not each other's opposite. A rule that restricts looks for the slightest
resemblance (``restricts``); a rule that allows must account for everything the call would do (``covers``).
"""

# ruff: noqa: ARG002 - one signature for all patterns

import re
from dataclasses import dataclass
from functools import cached_property

from assent.policy import cover, world
from assent.policy.call import EDITS, READS, SHELL_TOOLS, SUB_AGENTS, Call
from assent.policy.cover import Cover
from assent.policy.globs import PathGlob, TextGlob

_FORM = re.compile(r"([^()\s]+)(?:\((.*)\))?", re.DOTALL)
_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_MCP = re.compile(r"mcp__[A-Za-z0-9_.-]*\*?")
_DOMAIN = re.compile(r"domain:((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\*)", re.IGNORECASE)

# A rule for one of these also holds for the tools that do the same under another name.
_FAMILIES = {"Read": READS, "Edit": EDITS, "Bash": SHELL_TOOLS, "Agent": SUB_AGENTS, "Task": SUB_AGENTS}
_NAME_FIELDS = {"Agent": ("subagent_type",), "Task": ("subagent_type",), "Skill": ("skill", "command")}
_SPECIFIABLE = READS | EDITS | SUB_AGENTS | {"WebFetch", "Skill"}
_DEFAULT_AGENT = "general-purpose"


@dataclass(frozen=True)
class Pattern:
    """What a rule names: here a whole tool, in the classes below something more exact."""

    text: str
    tools: frozenset[str]

    @property
    def is_boundless(self) -> bool:
        """Names no tool and no server: fit to restrict, never to allow."""
        return False

    def concerns(self, tool: str) -> bool:
        """Whether it can name a call of this tool at all."""
        return tool in self.tools

    def restricts(self, call: Call, base: str) -> bool:
        """Whether some part of the call is, or may be, what this names. ``base`` is where relative paths begin."""
        return call.tool in self.tools

    def covers(self, call: Call, base: str) -> Cover:
        """Whether all of the call is what this names."""
        if call.tool not in self.tools:
            return Cover.NO
        # A tool that takes a specifier is named as a whole here; of any other there is nothing narrower to name.
        takes_more = call.tool in _SPECIFIABLE
        return Cover.WIDE if takes_more else Cover.EXACT


@dataclass(frozen=True)
class ManyTools(Pattern):
    """``*``, ``mcp__server`` and ``mcp__server__*``."""

    @property
    def is_boundless(self) -> bool:
        return self.text in ("*", "mcp__*")

    @cached_property
    def _prefix(self) -> str:
        return self.text.removesuffix("*") if self.text.endswith("*") else f"{self.text}__"

    def concerns(self, tool: str) -> bool:
        return tool == self.text or tool.startswith(self._prefix)

    def restricts(self, call: Call, base: str) -> bool:
        return self.concerns(call.tool)

    def covers(self, call: Call, base: str) -> Cover:
        if call.tool == self.text:
            return Cover.EXACT
        return Cover.WIDE if self.concerns(call.tool) else Cover.NO


@dataclass(frozen=True)
class CommandPattern(Pattern):
    """``Bash(git push *)``; ``Bash`` alone is ``Bash(*)``."""

    glob: TextGlob

    def restricts(self, call: Call, base: str) -> bool:
        if call.tool not in self.tools:
            return False
        if call.command is None:  # there is no command to be read in it
            return self.glob.fits("")
        return any(map(self.glob.fits, call.forms))

    def covers(self, call: Call, base: str) -> Cover:
        return covers_line(call, [self])

    def covers_command(self, text: str) -> Cover:
        if not self.glob.fits(text):
            return Cover.NO
        return Cover.WIDE if self.glob.is_wild else Cover.EXACT


@dataclass(frozen=True)
class PathPattern(Pattern):
    """``Edit(src/**)``, ``Read(~/.ssh/**)``, ``Read(//etc/**)``."""

    anchor: str
    glob: PathGlob

    def restricts(self, call: Call, base: str) -> bool:
        if call.tool not in self.tools or call.path is None or call.real_path is None:
            return False
        root = self._root(base)
        return self._fits(call.path, root) or self._fits(call.real_path, call.real_root(root))

    def covers(self, call: Call, base: str) -> Cover:
        if call.tool not in self.tools or call.path is None or call.real_path is None:
            return Cover.NO
        root = self._root(base)
        # A link inside an allowed folder must not lead out of it.
        if not (self._fits(call.path, root) and self._fits(call.real_path, call.real_root(root))):
            return Cover.NO
        relative = below(call.path, root)
        is_exact = not self.glob.is_wild and relative is not None and self.glob.fits_whole(relative)
        return Cover.EXACT if is_exact else Cover.WIDE

    def _root(self, base: str) -> str:
        return {"/": "/", "~": world.home()}.get(self.anchor, base)

    def _fits(self, path: str, root: str) -> bool:
        relative = below(path, root)
        return relative is not None and self.glob.fits(relative)


@dataclass(frozen=True)
class DomainPattern(Pattern):
    """``WebFetch(domain:example.com)``, ``WebFetch(domain:*.example.com)``."""

    host: str

    def restricts(self, call: Call, base: str) -> bool:
        if call.tool not in self.tools:
            return False
        if call.host is None:  # programs could disagree about the host, so its name anywhere is enough
            return self.host.lstrip("*.") in (call.url or "").lower()
        return self._fits(call.host)

    def covers(self, call: Call, base: str) -> Cover:
        if call.tool not in self.tools or call.host is None or not self._fits(call.host):
            return Cover.NO
        return Cover.WIDE if "*" in self.host else Cover.EXACT

    def _fits(self, host: str) -> bool:
        return host.endswith(self.host[1:]) if self.host.startswith("*") else host == self.host


@dataclass(frozen=True)
class NamePattern(Pattern):
    """``Agent(Explore)``, ``Skill(deploy *)``."""

    fields: tuple[str, ...]
    glob: TextGlob

    def restricts(self, call: Call, base: str) -> bool:
        return call.tool in self.tools and any(self.glob.fits(name) for name in self._names(call))

    def covers(self, call: Call, base: str) -> Cover:
        names = self._names(call)
        if call.tool not in self.tools or not names or not all(self.glob.fits(name) for name in names):
            return Cover.NO
        return Cover.WIDE if self.glob.is_wild else Cover.EXACT

    def _names(self, call: Call) -> list[str]:
        names = [name for field in self.fields if (name := call.text(field)) is not None]
        return names or ([_DEFAULT_AGENT] if call.tool in SUB_AGENTS else [])


def covers_line(call: Call, patterns: list[CommandPattern]) -> Cover:
    """Whether these patterns together account for every command of the line, and nothing else happens in it."""
    patterns = [pattern for pattern in patterns if call.tool in pattern.tools]
    if call.command is None or not patterns or call.input.get("dangerouslyDisableSandbox"):
        return Cover.NO
    if not any(pattern.restricts(call, "") for pattern in patterns):  # the quick way to most answers
        return Cover.NO
    return cover.of_line(call.command, call.line, lambda form: max([p.covers_command(form) for p in patterns]))


def parse(text: str) -> Pattern:
    """Raises ValueError with what is wrong."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError('a pattern is written like "Bash(git push *)", "Edit(src/**)" or "mcp__github__*"')
    tool, specifier = form.groups()
    if tool == "*" or tool.startswith("mcp__"):
        return _many_tools(text, tool, specifier)
    if not _TOOL.fullmatch(tool):
        raise ValueError(f'"{tool}" is not the name of a tool')
    tools = _FAMILIES.get(tool, frozenset({tool}))
    if specifier is None and tool in SHELL_TOOLS:
        specifier = "*"
    if specifier is None:
        return Pattern(text, tools)
    if not specifier.strip():
        raise ValueError(f'nothing stands in the parentheses; write "{tool}" for every use of the tool')
    return _specified(text, tool, tools, specifier)


def _many_tools(text: str, tool: str, specifier: str | None) -> Pattern:
    if specifier is not None:
        raise ValueError(f'"{tool}" takes nothing in parentheses')
    if tool != "*" and not _MCP.fullmatch(tool):
        raise ValueError(
            'tools of a server are written like "mcp__github", "mcp__github__*" or "mcp__github__get_issue"'
        )
    return ManyTools(text, frozenset({tool}))


def _specified(text: str, tool: str, tools: frozenset[str], specifier: str) -> Pattern:
    if tool in SHELL_TOOLS:
        return CommandPattern(text, tools, TextGlob(specifier.strip()))
    if tool in READS | EDITS:
        return PathPattern(text, tools, *anchored(specifier.strip()))
    if tool == "WebFetch":
        domain = _DOMAIN.fullmatch(specifier.strip())
        if domain is None:
            raise ValueError(
                'a fetch is written like "WebFetch(domain:example.com)" or "WebFetch(domain:*.example.com)"'
            )
        return DomainPattern(text, tools, domain[1].lower())
    if tool in _NAME_FIELDS:
        return NamePattern(text, tools, _NAME_FIELDS[tool], TextGlob(specifier.strip()))
    raise ValueError(f'"{tool}" takes nothing in parentheses; write "{tool}"')


def anchored(specifier: str) -> tuple[str, PathGlob]:
    """Where the path begins ("/" the root, "~" the home, "" the project), and the rest of it."""
    if specifier.startswith("!"):
        raise ValueError("a path cannot be negated; write a rule of its own")
    if ".." in specifier.split("/"):
        raise ValueError('a path cannot go up with ".."; write the whole path with "//" in front')
    if specifier.startswith("//"):
        return "/", PathGlob(specifier[2:])
    if specifier == "~" or specifier.startswith("~/"):
        return "~", PathGlob(specifier[2:])
    # As in .gitignore: a name without a slash is meant in every folder.
    is_anywhere = "/" not in specifier.rstrip("/")
    return "", PathGlob(f"**/{specifier}" if is_anywhere else specifier)


def below(path: str, root: str) -> str | None:
    if path == root:
        return ""
    prefix = root if root.endswith("/") else f"{root}/"
    return path.removeprefix(prefix) if path.startswith(prefix) else None
