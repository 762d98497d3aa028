"""What the readers of single commands may ask of the walk through the whole line."""

from collections.abc import Iterable
from typing import Protocol

from assent.policy.commands.spec import Run, RunsFile
from assent.policy.shell.acts import Act
from assent.policy.shell.env import Scope
from assent.policy.shell.spelling import Setting
from assent.policy.shell.streams import Stream
from assent.policy.shell.tree import ScriptTree
from assent.policy.shell.words import Arg


class Runner(Protocol):
    """Follows commands into what they start. Acts are added to the lists that are handed over."""

    setting: Setting
    # Scripts around the one that is read, and how much text of scripts may still be read.
    inside: tuple[str, ...]
    script_text: list[int]
    # So many words around this one are read as lines though nothing says that they are.
    trials: int

    def aside(self) -> "Runner":
        """Another walk from the same setting, for a text that is only tried."""

    def invoke(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act, secrets: list[str]) -> Stream: ...

    def script(self, script: ScriptTree, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream: ...

    def text(self, text: str, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream: ...

    def code(self, language: str, text: str, scope: Scope, stdin: Stream, act: Act) -> Stream: ...

    def run(self, run: Run, scope: Scope, stdin: Stream, act: Act, secrets: list[str] | None = None) -> Stream: ...

    def runs_input(self, language: str, scope: Scope, stdin: Stream, act: Act) -> Stream: ...

    def runs_file(self, file: RunsFile, scope: Scope, act: Act) -> None: ...

    def moved(self, scope: Scope, to: Arg) -> str | None: ...

    def worked_out(self, texts: Iterable[str], scope: Scope, acts: list[Act]) -> None: ...
