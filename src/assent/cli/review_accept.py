"""A rule from ``assent review`` is written down: shown first, agreed to, backed up, and how to undo it."""

import shlex
import sys
from dataclasses import dataclass
from typing import Literal

import click

from assent.cli import history, output
from assent.cli.asking import must_be_confirmed
from assent.errors import AssentError, UsageError
from assent.install import files
from assent.install.edit import Edit, allow_in_settings
from assent.install.site import Scope, Site
from assent.learn.agent_rules import as_agent_writes
from assent.learn.review import Offer
from assent.learn.rules_text import with_rule
from assent.paths import Paths

Where = Literal["assent", "agent"]
_WHERE: dict[str, Where] = {"a": "assent", "assent": "assent", "c": "agent", "agent": "agent"}


@dataclass(frozen=True, slots=True)
class Target:
    paths: Paths
    site: Site
    scope: Scope


def is_for_agent(offer: Offer) -> bool:
    return as_agent_writes(offer.text) is not None


def choose(offers: tuple[Offer, ...], chosen: str) -> Offer:
    """By its text, or by its number in the list."""
    for offer in offers:
        if offer.text == chosen:
            return offer
    if chosen.isascii() and chosen.isdigit() and 0 < int(chosen) <= len(offers):
        return offers[int(chosen) - 1]
    raise UsageError(
        f"Nothing was changed: {chosen} is not among the {len(offers)} rules that are offered.",
        hint="`assent review` lists them; use the same --since and --min.",
    )


def accept(offer: Offer, where: Where, target: Target, *, yes: bool) -> None:
    """Raises AssentError unless it was written."""
    edit = _edit(offer, where, target)
    if edit.before == edit.after:
        output.say(f"{edit.path} says so already. Nothing was changed.")
        return
    output.say_diff(edit.diff)
    if where == "agent":
        output.say(f"{output.styled('note:', 'warn')} Claude Code allows this by itself then, also without Assent.")
    must_be_confirmed(f"Write this to {edit.path}?", yes=yes)
    backup = edit.carry_out(target.paths, f"{where}-{edit.path.name}")
    output.say(f"{output.styled('Written:', 'good')} {edit.path}")
    path = shlex.quote(str(edit.path))
    output.say(f"undo    cp {shlex.quote(str(backup))} {path}" if backup else f"undo    rm {path}")


def offer_to_accept(offers: tuple[Offer, ...], where: Where | None, target: Target) -> None:
    """For a person at a terminal: one after the other, until they have enough."""
    while chosen := _asked("Accept which? A number, or Enter for none:"):
        try:
            offer = choose(offers, chosen)
            place = where or _WHERE.get(_asked("To Assent's rules (a) or Claude Code's settings (c)?").lower())
            if place is None:
                raise UsageError("Nothing was changed: that was neither a nor c.")
            accept(offer, place, target, yes=False)
        except AssentError as error:
            output.complain(str(error))


def _asked(question: str) -> str:
    click.echo(f"{question} ", nl=False)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        click.echo()
    return answer.strip()


def _edit(offer: Offer, where: Where, target: Target) -> Edit:
    if where == "agent":
        rule = as_agent_writes(offer.text)
        if rule is None:
            raise UsageError(
                "Nothing was changed: this rule cannot be written for Claude Code without changing what it means.",
                hint="--to assent.",
            )
        return allow_in_settings(target.site, target.scope, rule)
    path = target.paths.rules
    before = files.read(path)
    reason = f"Approved {history.times(offer.saved)} from {history.day(offer.first)} to {history.day(offer.last)}."
    return Edit(path, before, with_rule(path, before, offer, reason))
