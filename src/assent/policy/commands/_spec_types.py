"""The table of a command's options, from the small language it is written in (see ``spec``)."""

import re

from msgspec import Struct

# No command has more options of one letter than there are letters.
MOST_LETTERS = 64


class OptionTable(Struct, frozen=True):
    takes: dict[str, str]
    any: bool
    # No option can do more than look.
    is_tame: bool
    # Names are whole words, with one dash or two.
    is_long: bool
    # Names whose value is always attached, the longest first.
    prefixes: tuple[str, ...]
    # Names of several letters behind one dash that do more than look: they may stand among bundled letters.
    several: tuple[str, ...]
    # With what an option begins.
    signs: str
    bundles: bool
    any_case: bool

    def prefix(self, text: str) -> str | None:
        text = text.lower() if self.any_case else text
        return next((each for each in self.prefixes if text.startswith(each)), None)

    def named(self, typed: str) -> str | None:
        """The option that is meant by a word, which may be the beginning of a long one's name."""
        typed = typed.lower() if self.any_case else typed
        if typed in self.takes and typed not in self.prefixes:
            return typed
        if typed.startswith("--"):
            return typed[1:] if len(typed) > 3 and typed[1:] in self.takes else self._abbreviated(typed)
        return f"-{typed}" if self.is_long and f"-{typed}" in self.takes else None

    def acts(self, text: str) -> bool:
        """Whether a word would be an option that does more than look."""
        name = self.named(text.partition("=")[0])
        if name is not None:
            return _weight(self.takes[name]) > 1
        takes = [self.takes.get(f"-{letter}", "flag") for letter in text[1:MOST_LETTERS]]
        return not self.is_long and text[1] != "-" and any(_weight(each) > 1 for each in takes)

    def _abbreviated(self, typed: str) -> str | None:
        """GNU programs take the beginning of a long option for the whole. What fits several is the worst of them."""
        fitting = [option for option in self.takes if option.startswith(typed) and option.startswith("--")]
        return max(fitting, key=lambda option: _weight(self.takes[option]), default=None)


_tables: dict[str, OptionTable] = {}
_ENTRY = re.compile(r"(--?[^:=?~;\s]+|\+)(?:(::|[:=?~;])(\S*))?")
_WORDS = frozenset({"*", "-", "letters", "nocase"})
_MARKS = {"?": "?", ";": ";", "::": "2"}
_TAME = frozenset({"flag", "text", "read", "none", "readall", "names"})


def _weight(takes: str) -> int:
    """How much an option may do; what is left to a function may be anything."""
    use = takes.lstrip("?;2")
    return 2 if use not in _TAME else 1 if use == "none" else 0


def option_table(options: str) -> OptionTable:
    if (known := _tables.get(options)) is not None:
        return known
    takes: dict[str, str] = {}
    prefixes: list[str] = []
    entries = options.split()
    is_long = "-" in entries
    for entry in entries:
        if entry in _WORDS:
            continue
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise ValueError(f"no such entry in a table of options: {entry}")
        name, mark, use = found.groups()
        if mark is None and not name.startswith("--") and len(name) > 2 and not is_long:
            # What an entry of its own says about a letter counts more.
            for letter in name[1:]:
                takes.setdefault(f"-{letter}", "flag")
        elif mark is None:
            takes[name] = "flag"
        else:
            takes[name] = _MARKS.get(mark, "") + (use or "text")
            if mark == "~":
                prefixes.append(name)
    made = OptionTable(
        takes=takes,
        any="*" in entries,
        is_tame="*" in entries and all(use.lstrip("?;2") in _TAME for use in takes.values()),
        is_long=is_long,
        prefixes=tuple(sorted(prefixes, key=len, reverse=True)),
        several=tuple(n for n, use in takes.items() if len(n) > 2 and n[1] != "-" and _weight(use)),
        signs="-+" if "+" in prefixes else "-",
        bundles="letters" in entries,
        any_case="nocase" in entries,
    )
    return _tables.setdefault(options, made)
