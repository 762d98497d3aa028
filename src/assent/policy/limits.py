"""How much of a line is read. What goes beyond is not looked at, and nobody calls it harmless."""

LONGEST = 64 * 1024
DEEPEST = 40
MOST_HEREDOCS = 32
MOST_COMMANDS = 400
# Nobody reads a line of so many words; whoever writes one wants it to be passed over.
MOST_WORDS = 1_500
MOST_PARTS = 3_000
# Some things can be told apart only by trying; so much text is tried twice, and no more.
MOST_TRIED = LONGEST // 2


class UnreadableError(Exception):
    """The line cannot be read the way a shell would read it, so nobody can say what it does."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class TooMuchError(UnreadableError):
    """More than is looked at; no other way of reading it is tried."""


class Budget:
    """Shared by a line and all that is nested in it: text inside text multiplies."""

    def __init__(self) -> None:
        self.commands = MOST_COMMANDS
        self.heredocs = MOST_HEREDOCS
        self.words = MOST_WORDS
        self.parts = MOST_PARTS
        self.tried = MOST_TRIED
