"""``assent review``: the rules that would have saved the most asks, and what else they would have let through."""

import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import click
import msgspec

from assent import config, files
from assent import paths as locations
from assent.cli import history, output
from assent.cli.common import must_be_confirmed, site_here
from assent.errors import AssentError, NotFoundError, UsageError
from assent.harnesses import names, registry
from assent.harnesses.site import SCOPES, Scope, Site
from assent.install.edit import Edit, allow_in_settings
from assent.learn.in_force import AgentRules, as_agent_writes
from assent.learn.recorded_call import open_history
from assent.learn.repeated_calls import gather
from assent.learn.replayer import Court
from assent.learn.review import Match, Offer, Reviewed, review
from assent.learn.trusting import with_rule
from assent.paths import Paths
from assent.views import stats as stats_view
from assent.views.days import day_of
from assent.views.report import report as statistics
from assent.views.stats import Stats

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
    raise NotFoundError(
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
        output.say(f"{output.styled('note:', 'warn')} {names.TITLE} allows this by itself then, also without Assent.")
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
            place = where or _WHERE.get(_asked(f"To Assent's rules (a) or {names.TITLE}'s settings (c)?").lower())
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
                f"Nothing was changed: this rule cannot be written for {names.TITLE} without changing what it means.",
                hint="--to assent.",
            )
        return allow_in_settings(registry.default(), target.site, target.scope, rule)
    path = target.paths.rules
    before = files.read(path)
    reason = f"Approved {history.times(offer.saved)} from {history.day(offer.first)} to {history.day(offer.last)}."
    return Edit(path, before, with_rule(path, before, offer, reason))


LONGEST_WHAT = 90
EXAMPLES = 3


@click.command("review")
@click.option("--since", default="30d", show_default=True, help="The first day: 7d, today, 2026-01-31.")
@click.option("--min", "least", type=click.IntRange(min=1), default=3, show_default=True, help="Asks a rule must save.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many rules to show.")
@click.option("--accept", "chosen", metavar="RULE", help="Write this one: its number, or safer, its text.")
@click.option(
    "--to", type=click.Choice(("assent", "agent")), help=f"Write to rules.toml, or to {names.TITLE}'s settings."
)
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Which of those settings.")
@click.option("--yes", is_flag=True, help="Write without asking, once the change is shown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    since: str,
    least: int,
    limit: int,
    chosen: str | None,
    to: Literal["assent", "agent"] | None,
    scope: Scope,
    yes: bool,
    as_json: bool,
) -> None:
    """Show which rules would have answered what you were asked again and again, each with what it would have matched.

    A rule is offered only if nothing it matches was ever refused, and with a wildcard only if it would not come near
    anything of the risk Danger and its program cannot run others. What it would have allowed without a person being
    asked is listed. Nothing is written before you have seen the change and agreed.

    \b
    Examples:
      assent review
      assent review --since 90d --min 5
      assent review --accept 2 --to assent
      assent review --accept 'Bash(git commit *)' --to agent --scope local
    """
    if chosen is not None and to is None:
        raise UsageError("Nothing was changed: --accept does not say where to.", hint="--to assent, or --to agent.")
    paths = locations.find()
    settings = config.load(paths.config)
    # By whole days, as the statistics count.
    now = time.time()
    beginning = history.day_began(history.since(since, now))
    site = site_here()
    court = Court(paths, settings, paths.rules)
    # From its beginning: what was ever refused counts, however old it is.
    record = open_history(paths, settings, since=0)
    stats = Stats()
    habits = gather(history.calls(record, also=lambda one: stats_view.fold(stats, one)), since=beginning)
    asks = statistics(stats.cells, since=day_of(beginning), until=day_of(int(now * 1000))).totals.asks
    result = review(habits, court, AgentRules(home=site.home, environ=site.environ), least=least, asks=asks)
    target = Target(paths, site, scope)
    if chosen is not None and to is not None:
        accept(choose(result.offers, chosen), to, target, yes=yes)
    elif as_json:
        output.say_json({"since": beginning, "min": least, **msgspec.structs.asdict(result)})
    else:
        shown = result.offers[:limit]
        for line in report(result, shown, beginning, since):
            output.say(line)
        if shown and output.is_interactive():
            offer_to_accept(shown, to, target)


def report(result: Reviewed, shown: tuple[Offer, ...], beginning: int, since: str) -> Iterator[str]:
    day = history.day(beginning)
    yes = f"said yes {history.times(result.approvals)}" if result.approvals else "never said yes"
    asked = f"people were asked {history.times(result.asks)} and {yes}" if result.asks else "people were not asked"
    yield f"Since {day} {asked}."
    for number, offer in enumerate(shown, 1):
        yield ""
        yield from _offer(number, offer)
    yield ""
    if not result.offers:
        yield "No rule would have saved enough asks to be worth offering."
    elif len(result.offers) > len(shown):
        yield f"{len(result.offers) - len(shown)} more would save fewer asks: --limit {len(result.offers)} shows them."
    for why, count in result.withheld.items():
        rules = "1 rule is" if count == 1 else f"{count} rules are"
        yield output.styled(f"{rules} not offered: {why}.", "faint")
    for count, why in (
        (result.intricate, "the line has several commands, a redirection or a substitution"),
        (result.unusable, "what decides was redacted or cut on record"),
    ):
        if count:
            approvals = "1 approval makes" if count == 1 else f"{count:,} approvals make"
            yield output.styled(f"{approvals} no rule: {why}.", "faint")
    if result.offers:
        yield f"To accept one: assent review --since {since} --accept RULE --to assent (or agent)"


def _offer(number: int, offer: Offer) -> Iterator[str]:
    name = output.said_by_agent(offer.text, LONGEST_WHAT)
    yield f"{number:>3}  {output.styled(name, 'strong')}"
    asks = "1 ask" if offer.saved == 1 else f"{offer.saved:,} asks"
    sessions = "1 session" if offer.sessions == 1 else f"{offer.sessions} sessions"
    risk = output.risk_styled(offer.risk, offer.risk)
    yield f"     would have saved {asks} in {sessions}, the last on {history.day(offer.last)}; risk: {risk}"
    if offer.is_wide:
        yield from _matches("approved", offer.approved, offer.saved)
    yield from _matches(output.styled("never asked", "warn"), offer.newly, offer.newly_allowed)
    if not offer.newly_allowed:
        yield "       it would have allowed nothing else on record"
    if not is_for_agent(offer):
        yield output.styled("       for Assent's rules only", "faint")


def _matches(title: str, matches: tuple[Match, ...], total: int) -> Iterator[str]:
    """Under a word that stands once, before the first of them."""
    padded = title + " " * (13 - len(click.unstyle(title)))
    for match in matches[:EXAMPLES]:
        text = output.said_by_agent(f"{match.tool} {match.what}".rstrip(), LONGEST_WHAT)
        yield f"       {padded}{text} ({history.times(match.times)}; #{match.seq}, {history.folder(match.project)})"
        padded = " " * 13
    rest = total - sum(match.times for match in matches[:EXAMPLES])
    if rest:
        yield f"       {padded}and {rest:,} more"
