"""Records of changed rules and settings, seen while the hub runs or at its start.

What was recorded last is kept in a file, already redacted, so that a change made while no hub ran is noticed, too."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from assent.hub import state_file as kept
from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.recorder import Recording
from assent.policy.rules.file import RuleFile
from assent.protocol import bodies
from assent.protocol.bodies import ConfigBody, RulesBody
from assent.protocol.record import Draft, Kind
from assent.redact import Redactor
from assent.toml.document import ConfigError

# Repositories come and go; a file not seen for long is told anew when it comes back.
MOST_FILES = 256
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]+@")


class Told(Struct, omit_defaults=True):
    """What the record says is in force."""

    hub: str
    settings: dict[str, str] = {}
    settings_trouble: str = ""
    rules: dict[str, tuple[str, ...]] = {}
    rules_trouble: dict[str, str] = {}


@dataclass(slots=True)
class Changes:
    policy: PolicyInForce
    redactor: Redactor
    hub: str
    config: Path
    path: Path
    _told: Told | None = None
    _seen: list[object] = field(default_factory=list)

    async def record(self, recorder: Recording) -> None:
        """Look at the disk, and write what changed. What could not be written is looked for again next time."""
        drafts, state = self._look()
        if drafts:
            await recorder.record(drafts)
            self._told = state
            # If this fails, the same is recorded once more by the next hub, no worse.
            kept.write(self.path, msgspec.json.encode(state))

    def _look(self) -> tuple[list[Draft], Told]:
        """What is not on record yet, and what the record says once it is."""
        files = self.policy.rule_files()
        seen: list[object] = [
            self.policy.settings,
            self.policy.settings_trouble,
            *(part for file in files for part in file),
        ]
        before = self._told or self._last_told()
        if len(seen) == len(self._seen) and all(one is other for one, other in zip(seen, self._seen, strict=True)):
            return [], before
        after = msgspec.structs.replace(before, rules={**before.rules}, rules_trouble={**before.rules_trouble})
        drafts = list(self._about_settings(after))
        for file, trouble in files:
            drafts += self._about_rules(after, file, trouble)
        self._seen = [] if drafts else seen
        return drafts, after

    def _last_told(self) -> Told:
        try:
            saved = msgspec.json.decode(kept.read(self.path) or b"", type=Told)
        except (msgspec.DecodeError, RecursionError):
            return Told(self.hub)
        # The record of another journal says nothing in this one.
        return saved if saved.hub == self.hub else Told(self.hub)

    def _about_settings(self, state: Told) -> Iterator[Draft]:
        if trouble := self._words_of(self.policy.settings_trouble):
            if trouble != state.settings_trouble:
                state.settings_trouble = trouble
                yield self._draft(ConfigBody(str(self.config), trouble=trouble))
            return
        now = dict(self._flat(self.policy.settings))
        names = dict.fromkeys((*state.settings, *now))
        pairs = {name: (state.settings.get(name, ""), now.get(name, "")) for name in names}
        changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if changed or state.settings_trouble:
            state.settings, state.settings_trouble = now, ""
            yield self._draft(ConfigBody(str(self.config), changed))

    def _about_rules(self, state: Told, file: RuleFile, trouble: ConfigError | None) -> Iterator[Draft]:
        name = str(file.path)
        broken = state.rules_trouble.get(name, "")
        if wrong := self._words_of(trouble):
            if wrong != broken:
                state.rules_trouble[name] = wrong
                yield self._draft(RulesBody(name, trouble=wrong))
            return
        now = tuple(self.redactor.text(rule) for rule in in_words(file))
        before = state.rules.get(name, ())
        added, removed = _without(now, before), _without(before, now)
        if added or removed or broken:
            state.rules_trouble.pop(name, None)
            state.rules.pop(name, None)
            if now:
                state.rules[name] = now
            if len(state.rules) > MOST_FILES:
                del state.rules[next(iter(state.rules))]
            yield self._draft(RulesBody(name, added, removed))

    def _draft(self, body: RulesBody | ConfigBody) -> Draft:
        written = self.redactor.storable(bodies.body(body))
        kind: Kind = "rules" if isinstance(body, RulesBody) else "config"
        return Draft(at=now_ms(), kind=kind, by="hub:files", body=written)

    def _words_of(self, trouble: ConfigError | None) -> str:
        """Without the line itself, which may hold anything."""
        if trouble is None:
            return ""
        where = "" if trouble.line is None else f"line {trouble.line}: "
        hint = f" {trouble.hint}" if trouble.hint else ""
        return self.redactor.text(_PASSWORD.sub(r"\1…@", f"{where}{trouble.message}{hint}"))

    def _flat(self, settings: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
        for name, value in settings.items():
            place = (*above, name)
            if isinstance(value, dict):
                yield from self._flat(value, place)
            else:
                yield ".".join(map(_key, place)), self._written(place, value)

    def _written(self, place: tuple[str, ...], value: Any) -> str:
        """As in TOML, without what must not be kept."""
        if place[0] == "surface":
            # Addresses, topics and ids of people: that it changed can be told, not to what.
            withheld = self.redactor.storable({"content": _toml(value)})["content"]
            return f"⟨withheld {withheld['fingerprint']}⟩"
        if place == ("journal", "url"):
            value = without_password(str(value))
        return _toml(self.redactor.storable({place[-1]: value})[place[-1]])


def in_words(file: RuleFile) -> Iterator[str]:
    """Each rule as a person would say it."""
    for rule in file.rules:
        yield rule.in_words()
    yield from (rule.in_words() for rule in file.approvals)
    for ignored in file.ignored:
        yield f"{ignored.rule.in_words()} (not obeyed: {ignored.why})"


def without_password(url: str) -> str:
    """The address of a database without anything secret: no password, and none of the options after it."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return url.partition("://")[0] + "://…"
    if not parts.netloc:
        return url if url == "sqlite" else f"{parts.scheme}:…"
    user = f"{parts.username}{':…' if parts.password is not None else ''}@" if parts.username is not None else ""
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}{'?…' if parts.query else ''}"


def _without(these: Iterable[str], those: Iterable[str]) -> tuple[str, ...]:
    """Each as often as it stands in these more than in those, in order."""
    left = Counter(those)
    rest = []
    for one in these:
        if left[one]:
            left[one] -= 1
        else:
            rest.append(one)
    return tuple(rest)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _toml(value: Any) -> str:
    return msgspec.json.encode(value).decode()
