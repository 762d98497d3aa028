"""Patterns by what they begin with: those that may fit a call are found without trying the others.

What is found is never less than what fits. Whether a pattern fits is for the pattern to say."""

from collections.abc import Iterable, Sequence

from assent.policy.call import Call
from assent.policy.rules.globs import PathGlob, TextGlob
from assent.policy.rules.pattern import CommandPattern, DomainPattern, ManyTools, PathPattern, Pattern, below, root_of
from assent.policy.rules.rule import Rule

Places = list[int]


class _Tree:
    """Places by words, and by how the word after them begins."""

    __slots__ = ("begun", "below", "depth", "here")

    def __init__(self) -> None:
        self.here: Places = []
        # By length, so that a word is looked up once for each.
        self.begun: dict[int, dict[str, Places]] = {}
        self.below: dict[str, _Tree] = {}
        # How many words are looked at.
        self.depth = 1

    def add(self, words: Sequence[str], begun: str, place: int) -> None:
        self.depth = max(self.depth, len(words) + 1)
        node = self
        for word in words:
            if word not in node.below:
                node.below[word] = _Tree()
            node = node.below[word]
        if begun:
            node.begun.setdefault(len(begun), {}).setdefault(begun, []).append(place)
        else:
            node.here.append(place)

    def find(self, words: Iterable[str], found: set[int]) -> None:
        node = self
        found.update(node.here)
        for word in words:
            for length, places in node.begun.items():
                found.update(places.get(word[:length], ()))
            below = node.below.get(word)
            if below is None:
                return
            node = below
            found.update(node.here)


class _Paths:
    """Places of path patterns that begin in the same folder."""

    def __init__(self) -> None:
        self._tree = _Tree()
        # Of patterns for every folder, by a name that has to be in the path.
        self._named: dict[str, Places] = {}

    def add(self, glob: PathGlob, place: int) -> None:
        if glob.anywhere:
            self._named.setdefault(glob.anywhere, []).append(place)
        else:
            self._tree.add(glob.folders, glob.begun, place)

    def find(self, path: str, root: str, found: set[int]) -> None:
        if (relative := below(path, root)) is None:
            return
        names = relative.split("/")
        self._tree.find(names, found)
        if self._named:
            for name in names:
                found.update(self._named.get(name, ()))


class _OfTool:
    """Places of the patterns that name one tool."""

    def __init__(self) -> None:
        self._plain: Places = []
        self._commands: _Tree | None = None
        # By where they begin: an anchor, and the folder that a rule's paths begin in.
        self._paths: dict[tuple[str, str | None], _Paths] = {}
        self._all_paths: Places = []
        self._hosts: dict[str, Places] = {}
        self._all_hosts: Places = []

    def add(self, pattern: Pattern, base: str | None, place: int) -> None:
        match pattern:
            case CommandPattern(glob=glob):
                self._commands = self._commands or _Tree()
                self._commands.add(*_words(glob), place)
            case PathPattern(anchor=anchor, glob=glob):
                self._all_paths.append(place)
                self._paths.setdefault((anchor, base), _Paths()).add(glob, place)
            case DomainPattern(host=host):
                self._all_hosts.append(place)
                self._hosts.setdefault(host.removeprefix("*"), []).append(place)
            case _:
                self._plain.append(place)

    def find(self, call: Call, project: str, found: set[int]) -> None:
        found.update(self._plain)
        if self._commands is not None:
            for form in ("",) if call.command is None else call.forms:
                self._commands.find(form.split(" ", self._commands.depth), found)
        if self._paths:
            self._find_paths(call, project, found)
        if self._hosts:
            host = call.host
            found.update(self._all_hosts if host is None else ())
            for ending in _endings(host or ""):
                found.update(self._hosts.get(ending, ()))

    def _find_paths(self, call: Call, project: str, found: set[int]) -> None:
        if not call.paths:
            found.update(self._all_paths)
        for (anchor, base), paths in self._paths.items():
            root = root_of(anchor, base or project)
            for path in call.paths:
                paths.find(path, root, found)
            for real in call.real_paths:
                paths.find(real, call.real_root(root), found)


def _words(glob: TextGlob) -> tuple[Sequence[str], str]:
    """The words with which every text begins that it fits, and how the next one begins."""
    words = glob.start.split(" ")
    return (words[:-1], words[-1]) if glob.is_wild else (words, "")


def _endings(host: str) -> Iterable[str]:
    yield host
    yield ""
    yield from (host[at:] for at, letter in enumerate(host) if letter == ".")


class PatternIndex:
    """Patterns with the folders that their paths begin in, None for the project's, and the places they stand at."""

    def __init__(self, patterns: Iterable[tuple[Pattern, str | None, int]]) -> None:
        self._tools: dict[str, _OfTool] = {}
        self._many: _Tree | None = None
        for pattern, base, place in patterns:
            if isinstance(pattern, ManyTools):
                self._many = self._many or _Tree()
                self._many.add((), pattern.prefix, place)
                self._many.add((pattern.text,), "", place)
            else:
                if pattern.word not in self._tools:
                    self._tools[pattern.word] = _OfTool()
                self._tools[pattern.word].add(pattern, base, place)

    def concerns(self, words: frozenset[str]) -> bool:
        """Whether any pattern can name a tool that has these words."""
        return self._many is not None or not words.isdisjoint(self._tools)

    def near(self, call: Call, project: str) -> list[int]:
        """The places of those that may fit the call, in order."""
        found: set[int] = set()
        for word in call.words:
            if (tool := self._tools.get(word)) is not None:
                tool.find(call, project, found)
            if self._many is not None:
                self._many.find((word,), found)
        return sorted(found)


class RuleIndex:
    """Rules, and those of them that may have something to say about a call."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._patterns = PatternIndex(
            (pattern, rule.base, place) for place, rule in enumerate(self.rules) for pattern in rule.patterns
        )

    def concerns(self, words: frozenset[str]) -> bool:
        """Whether any of them can name a tool that has these words."""
        return bool(self.rules) and self._patterns.concerns(words)

    def near(self, call: Call, project: str) -> list[Rule]:
        return [self.rules[place] for place in self._patterns.near(call, project)]
