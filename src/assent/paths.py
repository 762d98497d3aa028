"""Paths of all files and folders. Reads the environment, never the disk."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

# sun_path holds 104 bytes on macOS and 108 on Linux, the closing NUL included.
LONGEST_SOCKET_PATH = 103


class Paths(NamedTuple):
    """All locations, derived from two folders."""

    config_dir: Path
    state: Path

    @property
    def config(self) -> Path:
        return self.config_dir / "config.toml"

    @property
    def rules(self) -> Path:
        return self.config_dir / "rules.toml"

    @property
    def journal(self) -> Path:
        return self.state / "journal.db"

    @property
    def statistics(self) -> Path:
        return self.state / "stats.json"

    @property
    def queues(self) -> Path:
        """What people want sessions to do next."""
        return self.state / "queues.json"

    @property
    def presence(self) -> Path:
        """Where the person is, as they said."""
        return self.state / "presence.json"

    @property
    def outreach(self) -> Path:
        """Which screens were told of what."""
        return self.state / "outreach.json"

    @property
    def notices(self) -> Path:
        """Which turns that ended were told of, and where."""
        return self.state / "notices.json"

    @property
    def in_force(self) -> Path:
        """Which rules and settings the journal says are in force."""
        return self.state / "in-force.json"

    @property
    def last_rules(self) -> Path:
        """The last good copy of each rules file."""
        return self.state / "last-rules"

    @property
    def exported(self) -> Path:
        """How far the record was sent to a collector of logs."""
        return self.state / "export.json"

    @property
    def client_settings(self) -> Path:
        """How the settings files of agents were when nothing was wrong with them, and which projects are watched."""
        return self.state / "client-settings.json"

    @property
    def trust(self) -> Path:
        """Which projects' rules a person trusts."""
        return self.state / "trust.json"

    @property
    def permissions(self) -> Path:
        """What people permitted for longer than once."""
        return self.state / "permissions.json"

    @property
    def permissions_used(self) -> Path:
        """How often each of them let a call pass."""
        return self.state / "permissions-used.json"

    @property
    def hub_id(self) -> Path:
        """The name of this hub's chain, where the journal is a database of many hubs."""
        return self.state / "hub-id"

    @property
    def team(self) -> Path:
        """Which team this hub is in, whom it believes about people, and its owner's proof."""
        return self.state / "team.json"

    @property
    def team_key(self) -> Path:
        """By which the team knows this hub."""
        return self.keys / "team.key"

    @property
    def provider_keys(self) -> Path:
        """The keys by which the team's identity provider signs, for when it is away."""
        return self.state / "provider-keys"

    @property
    def lock(self) -> Path:
        return self.state / "hub.lock"

    @property
    def log(self) -> Path:
        return self.state / "hub.log"

    @property
    def keys(self) -> Path:
        return self.state / "keys"

    @property
    def shim(self) -> Path:
        return self.state / "shim"

    @property
    def spool(self) -> Path:
        return self.state / "spool"

    @property
    def backup(self) -> Path:
        return self.state / "backup"

    @property
    def run(self) -> Path:
        return self.state / "run"

    @property
    def stopped_mark(self) -> Path:
        """Left by a hub that stops for ``assent down``; only what ``shim.stopped`` accepts counts."""
        return self.run / "stopped"

    @property
    def stop_digest(self) -> Path:
        """By which the stop mark is known."""
        return self.keys / "stop.digest"

    @property
    def told_of_stop(self) -> Path:
        """Sessions that were told that the hub is stopped."""
        return self.run / "told"

    @property
    def starting(self) -> Path:
        """Locked by the one process that may start a hub; shims wait for it."""
        return self.run / "starting"

    @property
    def hook_socket(self) -> Path:
        return self._socket("hook")

    @property
    def desk_socket(self) -> Path:
        return self._socket("desk")

    def _socket(self, name: str) -> Path:
        wanted = self.run / name / f"{name}.sock"
        if len(os.fsencode(wanted)) <= LONGEST_SOCKET_PATH:
            return wanted
        import hashlib  # neither is needed by most, and both take long to import
        import tempfile

        # Derived from the state folder, so that every process of this user finds the same place.
        digest = hashlib.sha256(os.fsencode(self.state)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"assent-{os.getuid()}-{digest}" / f"{name}.sock"


def find(environ: Mapping[str, str] | None = None) -> Paths:
    """The locations for this environment; ``ASSENT_HOME`` moves everything into one folder."""
    env = os.environ if environ is None else environ
    if home := env.get("ASSENT_HOME"):
        root = Path(home).absolute()
        return Paths(config_dir=root / "config", state=root / "state")
    user = Path(env.get("HOME") or Path.home())
    config = Path(env.get("XDG_CONFIG_HOME") or user / ".config")
    state = Path(env.get("XDG_STATE_HOME") or user / ".local" / "state")
    return Paths(config_dir=config / "assent", state=state / "assent")
