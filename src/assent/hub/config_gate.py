"""A change of the client's settings is a gate: one that would take the guard away is not applied."""

from dataclasses import dataclass

from assent.hub.client_settings import ClientSettings
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Block
from assent.protocol.events import ConfigChange, Event
from assent.protocol.risk import Risk


@dataclass(frozen=True, slots=True)
class ConfigGate:
    settings: ClientSettings

    def speak(self, event: Event, scene: Scene) -> Opinion | None:  # noqa: ARG002 - as every voice
        if not isinstance(event, ConfigChange) or not event.file_path:
            return None
        fault = self.settings.fault(event.file_path)
        if fault is None:
            return None
        reason = f"{fault} This session goes on with the settings it had."
        return Opinion(Block(reason), "floor:hooks", fault, event.file_path, risk=Risk.DANGER)
