"""Lasting permissions: what a harness suggests, and what an allow may grant.

Spelt as Claude Code spells them. One entry that fails its validation voids a whole answer, so everything sent is built
from these structs and checked by the codec first.
"""

from typing import Literal

from msgspec import Struct

Destination = Literal["session", "localSettings", "projectSettings", "userSettings", "cliArg"]
Behavior = Literal["allow", "deny", "ask"]


class PermissionRule(Struct, frozen=True, rename="camel", omit_defaults=True):
    """One rule in the harness's own pattern language, for example ``Bash(git push *)``."""

    tool_name: str
    rule_content: str | None = None

    def __str__(self) -> str:
        return self.tool_name if self.rule_content is None else f"{self.tool_name}({self.rule_content})"


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
