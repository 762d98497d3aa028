"""A change of the client's settings is a gate: what would take the guard away, or let others decide, is not applied.

What a file said when its project was first heard of counts as its person's; so does what a person kept since."""

from dataclasses import dataclass

from assent.hub.client_settings import ClientSettings
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Block
from assent.protocol.events import ConfigChange, Event
from assent.protocol.risk import Risk


@dataclass(frozen=True, slots=True)
class ConfigGate:
    settings: ClientSettings

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        self.settings.heard_of(str(scene.project))
        if not isinstance(event, ConfigChange) or not event.file_path:
            return None
        fault = self.settings.fault(event.file_path)
        if fault is None:
            return None
        reason = f"{fault.sentence} This session goes on with the settings it had."
        return Opinion(Block(reason), "floor:hooks", fault.sentence, event.file_path, risk=Risk.DANGER)
