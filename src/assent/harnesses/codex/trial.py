"""How Codex is tried against a scripted model, with the trust that a person would give its hooks."""

import json
from pathlib import Path

from assent.harnesses.base import Trial
from assent.harnesses.codex.install import fingerprint, key
from assent.harnesses.hook_table import handlers

CONFIG = """model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "{approval}"
sandbox_mode = "{sandbox}"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects.{project}]
trust_level = "trusted"
"""
ENVIRONMENT = {"SCRIPTED_KEY": "dummy", "SHELL": "/bin/sh"}


def config(url: str, project: str, approval: str = "never", sandbox: str = "danger-full-access") -> str:
    return CONFIG.format(approval=approval, sandbox=sandbox, url=url, project=json.dumps(project))


def trusted(entries: Path) -> str:
    """What the client adds to its settings once a person trusts the hooks of this file."""
    settings = json.loads(entries.read_text())
    return "".join(
        f'\n[hooks.state.{json.dumps(key(entries, at))}]\ntrusted_hash = "{fingerprint(at[1], handler)}"\n'
        for at, handler in handlers(settings)
    )


def _with_trust(home: Path, _project: Path) -> dict[str, str]:
    settings = ".codex/config.toml"
    return {settings: (home / settings).read_text() + trusted(home / ".codex/hooks.json")}


TRIAL: Trial | None = Trial(
    "responses",
    runs=lambda command: ("exec_command", {"cmd": command}),
    words=lambda prompt: ["exec", "--skip-git-repo-check", prompt],
    environ=lambda _url: ENVIRONMENT,
    files=lambda url, project: {".codex/config.toml": config(url, project)},
    after_install=_with_trust,
)
