"""How much somebody may do at the hub."""

from enum import IntEnum


class Scope(IntEnum):
    """Each includes the ones before it."""

    NONE = 0
    # Report events, nothing else.
    POST = 1
    WATCH = 2
    DENY = 3
    # Say yes, once.
    ANSWER = 4
    # In words of one's own: edit what runs, queue instructions, tell the agent something.
    INSTRUCT = 5
    # Say yes for longer: always allow, rules, trust.
    GRANT = 6
    # Let others in, connect surfaces, pause.
    ADMIN = 7

    @property
    def word(self) -> str:
        return self.name.lower()
