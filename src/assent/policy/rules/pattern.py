"""The agent's own pattern language: ``Tool``, ``Tool(specifier)``, ``mcp__server__*``.

A pattern is used in two ways that are not each other's opposite. A rule that restricts looks for the slightest
resemblance (``restricts``); a rule that allows must account for everything the call would do (``covers``).
"""

# ruff: noqa: ARG002 - one signature for all patterns

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assent.policy import world
from assent.policy.call import Call
from assent.policy.lazy import lazy
from assent.policy.rules import coverage
from assent.policy.rules.coverage import Cover
from assent.policy.rules.globs import PathGlob, TextGlob
from assent.policy.shell.acts import Act
from assent.protocol import rule_words
from assent.protocol.operations import Other, Shell, Subagent

_FORM = re.compile(r"([^()\s]+)(?:\((.*)\))?", re.DOTALL)
_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_MCP = re.compile(r"mcp__[A-Za-z0-9_.-]*\*?")
_DOMAIN = re.compile(r"domain:((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\*)", re.IGNORECASE)


@dataclass(frozen=True)
class Pattern:
    """What a rule names: here a whole tool, in the classes below something more exact."""

    text: str
    # The tool it names, as rules spell it.
    word: str

    @property
    def is_boundless(self) -> bool:
        """Names no tool and no server: fit to restrict, never to allow."""
        return False

    def concerns(self, words: frozenset[str]) -> bool:
        """Whether it can name a call that has these words at all."""
        return self.word in words

    def restricts(self, call: Call, base: str) -> bool:
        """Whether some part of the call is, or may be, what this names. ``base`` is where relative paths begin."""
        return self.word in call.words

    def covers(self, call: Call, base: str) -> Cover:
        """Whether all of the call is what this names."""
        if self.word not in call.words:
            return Cover.NO
        # A tool that takes a specifier is named as a whole here; of any other there is nothing narrower to name.
        takes_more = not call.words.isdisjoint(rule_words.SPECIFIABLE)
        return Cover.WIDE if takes_more else Cover.EXACT


@dataclass(frozen=True)
class ManyTools(Pattern):
    """``*``, ``mcp__server`` and ``mcp__server__*``."""

    @property
    def is_boundless(self) -> bool:
        return self.text in ("*", "mcp__*")

    @lazy
    def prefix(self) -> str:
        """How every other tool that it names begins."""
        return self.text.removesuffix("*") if self.text.endswith("*") else f"{self.text}__"

    def concerns(self, words: frozenset[str]) -> bool:
        return self.text in words or any(word.startswith(self.prefix) for word in words)

    def restricts(self, call: Call, base: str) -> bool:
        return self.concerns(call.words)

    def covers(self, call: Call, base: str) -> Cover:
        if self.text in call.words:
            return Cover.EXACT
        return Cover.WIDE if self.concerns(call.words) else Cover.NO


@dataclass(frozen=True)
class CommandPattern(Pattern):
    """``Bash(git push *)``; ``Bash`` alone is ``Bash(*)``."""

    glob: TextGlob

    def restricts(self, call: Call, base: str) -> bool:
        if self.word not in call.words:
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
        if self.word not in call.words or not call.paths:
            return self.word in call.words and call.may_touch_any
        root = root_of(self.anchor, base)
        real_root = call.real_root(root)
        return any(self._fits(path, root) for path in call.paths) or any(
            self._fits(path, real_root) for path in call.real_paths
        )

    def covers(self, call: Call, base: str) -> Cover:
        if self.word not in call.words or not call.paths:
            return Cover.NO
        return min(self.covers_file(call, base, *file) for file in zip(call.paths, call.real_paths, strict=True))

    def covers_file(self, call: Call, base: str, path: str, real: str) -> Cover:
        """The same for one file of it, by its path and by where that leads."""
        root = root_of(self.anchor, base)
        # A link inside an allowed folder must not lead out of it.
        if not self._fits(path, root) or not self._fits(real, call.real_root(root)):
            return Cover.NO
        return Cover.EXACT if not self.glob.is_wild and self._is_whole(path, root) else Cover.WIDE

    def _is_whole(self, path: str, root: str) -> bool:
        relative = below(path, root)
        return relative is not None and self.glob.fits_whole(relative)

    def _fits(self, path: str, root: str) -> bool:
        relative = below(path, root)
        return relative is not None and self.glob.fits(relative)


@dataclass(frozen=True)
class DomainPattern(Pattern):
    """``WebFetch(domain:example.com)``, ``WebFetch(domain:*.example.com)``."""

    host: str

    def restricts(self, call: Call, base: str) -> bool:
        if self.word not in call.words:
            return False
        if call.host is None:  # programs could disagree about the host, so its name anywhere is enough
            return self.host.lstrip("*.") in (call.url or "").lower()
        return self._fits(call.host)

    def covers(self, call: Call, base: str) -> Cover:
        if self.word not in call.words or call.host is None or not self._fits(call.host):
            return Cover.NO
        return Cover.WIDE if "*" in self.host else Cover.EXACT

    def _fits(self, host: str) -> bool:
        return host.endswith(self.host[1:]) if self.host.startswith("*") else host == self.host


@dataclass(frozen=True)
class NamePattern(Pattern):
    """``Agent(Explore)``, ``Skill(deploy *)``."""

    glob: TextGlob

    def restricts(self, call: Call, base: str) -> bool:
        return self.word in call.words and any(self.glob.fits(name) for name in self._names(call))

    def covers(self, call: Call, base: str) -> Cover:
        names = self._names(call)
        if self.word not in call.words or not names or not all(self.glob.fits(name) for name in names):
            return Cover.NO
        return Cover.WIDE if self.glob.is_wild else Cover.EXACT

    def _names(self, call: Call) -> tuple[str, ...]:
        match call.operation:
            case Subagent(kind=kind):
                return (kind or rule_words.DEFAULT_AGENT,)
            case Other(names=names):
                return names
        return ()


def covers_line(call: Call, patterns: list[CommandPattern]) -> Cover:
    """Whether these patterns together account for every command of the line, and nothing else happens in it."""
    patterns = [pattern for pattern in patterns if pattern.word in call.words]
    shell = call.operation
    if not isinstance(shell, Shell) or shell.command is None or not patterns or shell.unsandboxed:
        return Cover.NO
    if not any(pattern.restricts(call, "") for pattern in patterns):  # the quick way to most answers
        return Cover.NO
    return coverage.of_line(shell.command, call.line, lambda form: max([p.covers_command(form) for p in patterns]))


def covers_call(call: Call, base: str, patterns: Sequence[Pattern]) -> Cover:
    """Whether these patterns together account for all of a call that is no line of commands."""
    files = covers_files(call, base, [pattern for pattern in patterns if isinstance(pattern, PathPattern)])
    return max([files, *(pattern.covers(call, base) for pattern in patterns)])


def covers_files(call: Call, base: str, patterns: Sequence[PathPattern]) -> Cover:
    """Whether these patterns together name every file of the call: each file by one of them."""
    patterns = [pattern for pattern in patterns if pattern.word in call.words]
    if not patterns or not call.paths:
        return Cover.NO
    files = zip(call.paths, call.real_paths, strict=True)
    return min(max(pattern.covers_file(call, base, *file) for pattern in patterns) for file in files)


def covers_act(act: Act, patterns: Sequence[CommandPattern]) -> Cover:
    """The same for one command of a line."""
    if not patterns:
        return Cover.NO
    return coverage.of_line(act.text, [act], lambda form: max([p.covers_command(form) for p in patterns]))


def parse(text: str) -> Pattern:
    """Raises ValueError with what is wrong."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError('a pattern is written like "Bash(git push *)", "Edit(src/**)" or "mcp__github__*"')
    tool, specifier = form.groups()
    if tool == "*" or tool.startswith(rule_words.MCP):
        return _many_tools(text, tool, specifier)
    if not _TOOL.fullmatch(tool):
        raise ValueError(f'"{tool}" is not the name of a tool')
    if specifier is None and tool in rule_words.COMMANDS:
        specifier = "*"
    if specifier is None:
        return Pattern(text, tool)
    if not specifier.strip():
        raise ValueError(f'nothing stands in the parentheses; write "{tool}" for every use of the tool')
    return _specified(text, tool, specifier)


def _many_tools(text: str, tool: str, specifier: str | None) -> Pattern:
    if specifier is not None:
        raise ValueError(f'"{tool}" takes nothing in parentheses')
    if tool != "*" and not _MCP.fullmatch(tool):
        raise ValueError(
            'tools of a server are written like "mcp__github", "mcp__github__*" or "mcp__github__get_issue"'
        )
    return ManyTools(text, tool)


def _specified(text: str, tool: str, specifier: str) -> Pattern:
    if tool in rule_words.COMMANDS:
        return CommandPattern(text, tool, TextGlob(specifier.strip()))
    if tool in rule_words.READS | rule_words.EDITS:
        return PathPattern(text, tool, *anchored(specifier.strip()))
    if tool == rule_words.FETCH:
        domain = _DOMAIN.fullmatch(specifier.strip())
        if domain is None:
            raise ValueError(
                'a fetch is written like "WebFetch(domain:example.com)" or "WebFetch(domain:*.example.com)"'
            )
        return DomainPattern(text, tool, domain[1].lower())
    if tool in rule_words.NAMES:
        return NamePattern(text, tool, TextGlob(specifier.strip()))
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


def root_of(anchor: str, base: str) -> str:
    """Where paths begin that are written with this anchor."""
    return "/" if anchor == "/" else world.home() if anchor == "~" else base


def below(path: str, root: str) -> str | None:
    if path == root:
        return ""
    prefix = root if root.endswith("/") else f"{root}/"
    return path.removeprefix(prefix) if path.startswith(prefix) else None
