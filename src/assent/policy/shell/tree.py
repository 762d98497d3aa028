"""Syntax tree of a shell line: words and their parts, commands, redirections, compounds."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct


class Lit(Struct, frozen=True, gc=False):
    """Text as it is. Quoted text is never a pattern, a home folder or several words."""

    text: str
    quoted: bool = False


class Param(Struct, frozen=True):
    """``$x``, ``${x:-word}``, ``${!x}``, ``${#x}``: the value of a variable, perhaps changed on the way."""

    name: str
    # "" for the plain value; "!" looks up the variable that x names; "length"; "[" a part of an array; else as written.
    op: str = ""
    word: "Word | None" = None
    quoted: bool = False
    # Substitutions inside a subscript or an offset, which run, too.
    inner: "tuple[ScriptTree, ...]" = ()
    # What stands between the brackets of ``${x[…]}``.
    subscript: str = ""


class Subst(Struct, frozen=True):
    """``$(…)``: what a command prints."""

    script: "ScriptTree"
    quoted: bool = False


class Proc(Struct, frozen=True):
    """``<(…)``, ``>(…)``: a command behind the name of a file."""

    script: "ScriptTree"
    reads: bool


class Arith(Struct, frozen=True):
    """``$((…))``: a number. The values of variables in it are worked out as well, substitutions in them included."""

    names: tuple[str, ...] = ()
    inner: "tuple[ScriptTree, ...]" = ()


Part = Lit | Param | Subst | Proc | Arith


class Word(Struct, frozen=True):
    parts: tuple[Part, ...]
    # As written.
    raw: str

    @property
    def plain(self) -> str | None:
        """The text, where nothing in it has to be worked out first."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Lit):
            return self.parts[0].text
        if all(isinstance(part, Lit) for part in self.parts):
            return "".join(part.text for part in self.parts if isinstance(part, Lit))
        return None


class Redirect(Struct):
    """The only part that is completed later: a here-document's body begins after the end of the line."""

    # Without the descriptor: ``<`` ``>`` ``>>`` ``<>`` ``>|`` ``<&`` ``>&`` ``&>`` ``&>>`` ``<<`` ``<<<``
    op: str
    fd: str
    target: Word
    # A here-document's text; of one with a quoted delimiter a single literal.
    body: Word | None = None


class Assign(Struct, frozen=True):
    name: str
    value: Word | None
    # ``x=(a b)``
    items: tuple[Word, ...] | None = None
    append: bool = False
    # ``x[…]=``: one place of an array; substitutions in the subscript run.
    inner: "tuple[ScriptTree, ...]" = ()
    indexed: bool = False
    # Names in the subscript, which is a number.
    names: tuple[str, ...] = ()


class Simple(Struct, frozen=True):
    """One command with its words. Assignments alone are one, too."""

    assigns: tuple[Assign, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    raw: str
    # Arguments of ``declare x=(…)``, by their place among the words.
    arrays: tuple[Assign, ...] = ()

    @property
    def written(self) -> str:
        """Its words without redirections, one blank between them; as it stands where variables are set before it."""
        return self.raw if self.assigns else " ".join([word.raw for word in self.words])


class Pipeline(Struct, frozen=True):
    stages: "tuple[Command, ...]"


class List(Struct, frozen=True):
    """Pipelines joined by ``&&`` and ``||``: those after the first may not run."""

    first: Pipeline
    rest: tuple[tuple[Literal["&&", "||"], Pipeline], ...] = ()
    background: bool = False


class ScriptTree(Struct, frozen=True):
    items: tuple[List, ...]
    text: str = ""


class Group(Struct, frozen=True):
    """``{ …; }`` and ``( … )``."""

    body: ScriptTree
    redirects: tuple[Redirect, ...]
    subshell: bool


class If(Struct, frozen=True):
    """Conditions and what follows them; the last may have no condition."""

    branches: tuple[tuple[ScriptTree | None, ScriptTree], ...]
    redirects: tuple[Redirect, ...]


class While(Struct, frozen=True):
    condition: ScriptTree
    body: ScriptTree
    redirects: tuple[Redirect, ...]


class For(Struct, frozen=True):
    """``for x in a b``; without words over the arguments. ``select`` is the same, by a person's choice."""

    name: str
    words: tuple[Word, ...] | None
    body: ScriptTree
    redirects: tuple[Redirect, ...]


class Counting(Struct, frozen=True):
    """``for ((…; …; …))`` and ``((…))``."""

    arith: Arith
    body: ScriptTree | None
    redirects: tuple[Redirect, ...]


class Case(Struct, frozen=True):
    word: Word
    branches: tuple[tuple[tuple[Word, ...], ScriptTree], ...]
    redirects: tuple[Redirect, ...]


class Test(Struct, frozen=True):
    """``[[ … ]]``."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


class Function(Struct, frozen=True):
    name: str
    body: "Command"


Command = Simple | Group | If | While | For | Counting | Case | Test | Function


def is_quiet(redirect: Redirect) -> bool:
    """Only complaints go elsewhere."""
    return redirect.fd == "2" and redirect.op in (">", ">>")


def names_in(parts: Iterable[Part]) -> Iterator[str]:
    """The variables whose values parts of a word show."""
    for part in parts:
        if isinstance(part, Param) and part.op not in ("length", "+", ":+"):
            yield part.name
