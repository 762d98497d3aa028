"""Every verb in one table: what help shows without importing any of them."""

import keyword
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    name: str
    section: str
    help: str

    @property
    def module(self) -> str:
        # Some verbs are words of Python's own.
        return f"assent.cli.{self.name}" + ("_" if keyword.iskeyword(self.name) else "")


VERBS = (
    Verb("up", "Hub", "Start the hub."),
    Verb("down", "Hub", "Stop the hub until `assent up`."),
    Verb("restart", "Hub", "Stop the hub and start it again."),
    Verb("status", "Hub", "Show whether the hub runs and how it is."),
    Verb("pause", "Hub", "Let rules and stance be silent for a while."),
    Verb("resume", "Hub", "End a pause."),
    Verb("install", "Set-up", "Add Assent to Claude Code's settings."),
    Verb("uninstall", "Set-up", "Take Assent out of Claude Code's settings."),
    Verb("pair", "Set-up", "Let a phone or another computer in."),
    Verb("devices", "Set-up", "List the screens that were let in, and shut one out."),
    Verb("keys", "Set-up", "List the hub's keys, and replace them by new ones."),
    Verb("confirm", "Set-up", "Say that a terminal is yours, where the hub cannot tell."),
    Verb("connect", "Set-up", "Have asks brought to Telegram, ntfy, Slack and others."),
    Verb("doctor", "Set-up", "Find out what does not work, and why."),
    Verb("demo", "Set-up", "Replay a recorded session into the hub."),
    Verb("completion", "Set-up", "Print a completion script for your shell."),
    Verb("asks", "People", "Show what waits for you."),
    Verb("answer", "People", "Look at one of them, and answer it."),
    Verb("watch", "People", "Watch all agents and answer what they ask, in the terminal."),
    Verb("sessions", "People", "List the sessions the hub knows."),
    Verb("session", "People", "Show one session."),
    Verb("queue", "People", "Queue instructions that a session is told when it would stop."),
    Verb("away", "People", "Say that you leave the desk."),
    Verb("back", "People", "Say that you are at the desk again."),
    Verb("quiet", "People", "Have nothing pushed to your phone for a while."),
    Verb("statusline", "People", "Print what waits in one line, for a status line."),
    Verb("try", "Policy", "Show what would be decided about a command, and why."),
    Verb("rules", "Policy", "Show, check, test and explain the rules that hold here."),
    Verb("trust", "Policy", "Let the allow rules of a project hold, once you have read them."),
    Verb("review", "Policy", "Find the rules that would have saved you the most asks."),
    Verb("replay", "Policy", "Show what a rules file would have decided about the record."),
    Verb("log", "Record", "Show what happened."),
    Verb("stats", "Record", "Show how much was asked, decided and saved."),
    Verb("exec", "Other", "Run an agent with Assent's hooks for this run only."),
    Verb("schema", "Other", "Print the JSON Schema of an event, tool input or reply."),
)

BY_NAME = {verb.name: verb for verb in VERBS}
SECTIONS = tuple(dict.fromkeys(verb.section for verb in VERBS))
