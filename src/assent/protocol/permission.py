"""Lasting permissions: what a harness suggests, and what an allow may grant.

Each harness says which of them its client takes, and writes them as the client spells them.
"""

import re
from typing import Literal

from msgspec import Struct

from assent.expressions import later

Destination = Literal["session", "localSettings", "projectSettings", "userSettings", "cliArg"]
Behavior = Literal["allow", "deny", "ask"]


class PermissionRule(Struct, frozen=True, rename="camel", omit_defaults=True):
    """One rule in the harness's own pattern language, for example ``Bash(git push *)``."""

    tool_name: str
    rule_content: str | None = None

    def __str__(self) -> str:
        return self.tool_name if self.rule_content is None else f"{self.tool_name}({self.rule_content})"

    @property
    def written(self) -> str:
        """As it stands in a settings file, where parentheses and backslashes of the content are escaped."""
        if self.rule_content is None:
            return self.tool_name
        return f"{self.tool_name}({_SPECIAL.sub(_escaped, self.rule_content)})"

    @classmethod
    def read(cls, text: str) -> "PermissionRule":
        """From a settings file. Raises ValueError where it is no rule."""
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise ValueError('A rule is written like "Bash(npm test *)", "Read(//srv/data/**)" or "WebSearch".')
        tool, content = match.groups()
        return cls(tool, None if content is None else _ESCAPED.sub(r"\1", content))

    @classmethod
    def read_all(cls, text: str) -> "tuple[PermissionRule, ...]":
        """One rule or several with commas between them. Raises ValueError where it is none."""
        # Who writes one rule by hand need not escape what stands in it, so only what can be nothing else is a list.
        each = [match[0] for match in _LISTED.finditer(text)] if _LIST.fullmatch(text.strip()) else [text]
        return tuple(map(cls.read, each))


_SPECIAL = later(r"[\\()]")
_ESCAPED = later(r"\\([\\()])")
_WRITTEN = later(r"([A-Za-z][\w-]*)(?:\((.+)\))?", re.DOTALL | re.ASCII)
_LISTED = later(r"[A-Za-z][\w-]*+(?:\((?:\\.|[^\\()])++\))?+", re.DOTALL | re.ASCII)
_LIST = later(rf"{_LISTED.pattern}(?:,\s*+{_LISTED.pattern})*+", re.DOTALL | re.ASCII)


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


class _Update(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type"):
    pass


class AddRules(_Update, frozen=True, kw_only=True, tag="addRules"):
    rules: tuple[PermissionRule, ...]
    behavior: Behavior
    destination: Destination


class ReplaceRules(_Update, frozen=True, kw_only=True, tag="replaceRules"):
    rules: tuple[PermissionRule, ...]
    behavior: Behavior
    destination: Destination


class RemoveRules(_Update, frozen=True, kw_only=True, tag="removeRules"):
    rules: tuple[PermissionRule, ...]
    behavior: Behavior
    destination: Destination


class SetMode(_Update, frozen=True, kw_only=True, tag="setMode"):
    mode: str
    destination: Destination


class AddDirectories(_Update, frozen=True, kw_only=True, tag="addDirectories"):
    directories: tuple[str, ...]
    destination: Destination


class RemoveDirectories(_Update, frozen=True, kw_only=True, tag="removeDirectories"):
    directories: tuple[str, ...]
    destination: Destination


class ToolAlwaysAllow(_Update, frozen=True, kw_only=True, tag="toolAlwaysAllow"):
    """The form older clients suggested. Understood on input; sending it back voids the answer."""

    tool: str


Grant = AddRules | ReplaceRules | RemoveRules | SetMode | AddDirectories | RemoveDirectories
PermissionUpdate = Grant | ToolAlwaysAllow
