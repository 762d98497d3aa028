"""What a person said with their yes: it reaches the model with the call's result, where the harness takes a note."""

from collections import OrderedDict
from dataclasses import dataclass, field

from assent.asks.held import Case
from assent.policy.voice import Opinion, Scene
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Proceed
from assent.protocol.events import Event, PostToolUse, PostToolUseFailure, PreToolUse

MOST = 200
_EDITED = "Your user changed the input of this call before allowing it; what ran is what they wrote."


@dataclass(slots=True)
class Notes:
    """A voice."""

    # By the harness's id of the call; the newest last.
    _waiting: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def allowed(self, case: Case, said: AnswerRequest) -> None:
        words = [_EDITED] if said.choice == "allow_edited" else []
        # On PreToolUse the note went out with the allow.
        if said.message.strip() and (said.choice == "allow_edited" or not isinstance(case.event, PreToolUse)):
            words.append(f"Your user says: {said.message.strip()}")
        if words and case.tool_use_id:
            self._waiting[case.tool_use_id] = " ".join(words)
            if len(self._waiting) > MOST:
                self._waiting.popitem(last=False)

    def speak(self, event: Event, _: Scene) -> Opinion | None:
        if not self._waiting or not isinstance(event, PostToolUse | PostToolUseFailure) or event.tool_use_id is None:
            return None
        note = self._waiting.pop(event.tool_use_id, None)
        return None if note is None else Opinion(Proceed(note), "person:note", "A person said this with their yes.")
