"""What stands below a card. No comes first, and never beside yes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, Way
from assent.surfaces.links import is_button_address
from assent.surfaces.seal import Seal
from assent.surfaces.slack.blocks import Block, plain

LONGEST_LABEL = 60

# What each button does, by the letter it carries.
NO: dict[str, Choice] = {"d": "deny", "c": "decline", "s": "let_stop", "x": "deny_and_stop"}
NO_WORDS = {"d": "Deny", "c": "Decline", "s": "Let it stop", "x": "Stop the turn"}
# Each opens a window that waits for words.
TELLING: dict[str, Choice] = {"t": "deny", "n": "revise", "k": "keep_going"}
TELLING_WORDS = {"t": "Deny + tell…", "n": "Send notes…", "k": "Keep going…"}
ALLOW, ANSWER, QUEUE = "a", "o", "q"
# Only a window carries this: the second step of a yes.
YES = "y"


@dataclass(frozen=True, slots=True)
class Buttons:
    seal: Seal
    link: Callable[[str], str]
    # Words of one's own are more than an answer, and not everybody may say them.
    can_tell: bool = True

    def of(self, channel: str, ask: ShownAsk, ways: Sequence[Way]) -> list[Block]:
        needs = {way.choice: way.needs for way in ways}
        no = [self._one(channel, act, NO_WORDS[act], ask) for act in "dcs" if NO[act] in needs]
        if self.can_tell:
            no += [self._one(channel, act, TELLING_WORDS[act], ask) for act in "tnk" if TELLING[act] in needs]
        yes = []
        if "answer" in needs:
            yes.append(self._one(channel, ANSWER, "Answer…", ask))
        if "allow" in needs:
            yes.append(self._one(channel, ALLOW, "Allow once" if needs["allow"] == "press" else "Allow…", ask))
        return _rows([*no, *self._opening(ask)], yes)

    def of_many(self, channel: str, ask: ShownAsk, ways: Sequence[Way]) -> list[Block]:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        stop = [self._one(channel, "x", NO_WORDS["x"], ask)] if can_stop else []
        return _rows([*stop, *self._opening(ask)])

    def afterwards(self, channel: str, session: str) -> list[Block]:
        """A turn that ended can be told what to do next, also when nobody waits for that any more."""
        if not self.can_tell or not session or ":" in session:
            return []
        button = _button(QUEUE, "Tell it what to do next…", self.seal.data(channel, QUEUE, None, session))
        return _rows([button])

    def _opening(self, ask: ShownAsk) -> list[Block]:
        url = self.link(ask.id)
        return [{**_button("open", "Open to review"), "url": url}] if is_button_address(url) else []

    def _one(self, channel: str, act: str, words: str, ask: ShownAsk) -> Block:
        return _button(act, words, self.seal.data(channel, act, ask))


def _button(act: str, words: str, value: str = "") -> Block:
    made = {"type": "button", "action_id": act, "text": plain(words, LONGEST_LABEL)}
    return {**made, "value": value} if value else made


def _rows(*rows: list[Block]) -> list[Block]:
    return [{"type": "actions", "elements": row} for row in rows if row]
