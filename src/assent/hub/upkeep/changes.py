"""What is in force belongs to the record: a change of rules or settings, seen while the hub runs or at its start.

What was recorded last is kept in a file, already redacted, so that a change made while no hub ran is noticed, too."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from assent.hub import kept
from assent.hub.pipeline import now_ms
from assent.hub.standing import Standing
from assent.policy.rule_file import RuleFile
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
    standing: Standing
    redactor: Redactor
    hub: str
    config: Path
    path: Path
    _told: Told | None = None
    _seen: list[object] = field(default_factory=list)

    async def record(self, write: Callable[[Sequence[Draft]], Awaitable[object]]) -> None:
        """Look at the disk, and write what changed. What could not be written is looked for again next time."""
        drafts, told = self._look()
        if drafts:
            await write(drafts)
            self._told = told
            # If this fails, the same is recorded once more by the next hub, no worse.
            kept.write(self.path, msgspec.json.encode(told))

    def _look(self) -> tuple[list[Draft], Told]:
        """What is not on record yet, and what the record says once it is."""
        files = self.standing.rule_files()
        seen: list[object] = [
            self.standing.settings,
            self.standing.settings_trouble,
            *(part for file in files for part in file),
        ]
        told = self._told or self._last_told()
        if len(seen) == len(self._seen) and all(one is other for one, other in zip(seen, self._seen, strict=True)):
            return [], told
        after = msgspec.structs.replace(told, rules={**told.rules}, rules_trouble={**told.rules_trouble})
        drafts = list(self._about_settings(after))
        for file, trouble in files:
            drafts += self._about_rules(after, file, trouble)
        self._seen = [] if drafts else seen
        return drafts, after

    def _last_told(self) -> Told:
        try:
            found = msgspec.json.decode(kept.read(self.path) or b"", type=Told)
        except (msgspec.DecodeError, RecursionError):
            return Told(self.hub)
        # The record of another journal says nothing in this one.
        return found if found.hub == self.hub else Told(self.hub)

    def _about_settings(self, told: Told) -> Iterator[Draft]:
        if trouble := self._words_of(self.standing.settings_trouble):
            if trouble != told.settings_trouble:
                told.settings_trouble = trouble
                yield self._draft(ConfigBody(str(self.config), trouble=trouble))
            return
        now = dict(self._flat(self.standing.settings))
        names = dict.fromkeys((*told.settings, *now))
        pairs = {name: (told.settings.get(name, ""), now.get(name, "")) for name in names}
        changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if changed or told.settings_trouble:
            told.settings, told.settings_trouble = now, ""
            yield self._draft(ConfigBody(str(self.config), changed))

    def _about_rules(self, told: Told, file: RuleFile, trouble: ConfigError | None) -> Iterator[Draft]:
        name = str(file.path)
        broken = told.rules_trouble.get(name, "")
        if wrong := self._words_of(trouble):
            if wrong != broken:
                told.rules_trouble[name] = wrong
                yield self._draft(RulesBody(name, trouble=wrong))
            return
        now = tuple(self.redactor.text(rule) for rule in in_words(file))
        before = told.rules.get(name, ())
        added, removed = _without(now, before), _without(before, now)
        if added or removed or broken:
            told.rules_trouble.pop(name, None)
            told.rules.pop(name, None)
            if now:
                told.rules[name] = now
            if len(told.rules) > MOST_FILES:
                del told.rules[next(iter(told.rules))]
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
    found = []
    for one in these:
        if left[one]:
            left[one] -= 1
        else:
            found.append(one)
    return tuple(found)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _toml(value: Any) -> str:
    return msgspec.json.encode(value).decode()
