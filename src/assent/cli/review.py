"""``assent review``: the rules that would have saved the most asks, and what else they would have let through."""

import time
from collections.abc import Iterator
from typing import Literal

import click
import msgspec

from assent import config
from assent import paths as locations
from assent.cli import history, output
from assent.cli.here import site_here
from assent.cli.review_accept import Target, accept, choose, is_for_agent, offer_to_accept
from assent.errors import UsageError
from assent.install.site import SCOPES, Scope
from assent.learn.agent_rules import AgentRules
from assent.learn.court import Court
from assent.learn.habits import gather
from assent.learn.history import open_history
from assent.learn.review import Match, Offer, Reviewed, review

RISK_STYLES = {"look": "good", "change": "good", "care": "warn", "danger": "bad"}
LONGEST_WHAT = 90
EXAMPLES = 3


@click.command("review")
@click.option("--since", default="30d", show_default=True, help="Asks since when: 12h, 30d, 2026-01-31.")
@click.option("--min", "least", type=click.IntRange(min=1), default=3, show_default=True, help="Asks a rule must save.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many rules to show.")
@click.option("--accept", "chosen", metavar="RULE", help="Write this one: its number, or safer, its text.")
@click.option("--to", type=click.Choice(("assent", "agent")), help="Write to rules.toml, or to Claude Code's settings.")
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
    anything of the risk Danger and its program cannot run others. What it would have allowed without anybody having
    been asked is listed. Nothing is written before you have seen the change and agreed.

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
    beginning = history.since(since, time.time())
    site = site_here()
    court = Court(paths, settings, paths.rules)
    # From its beginning: what was ever refused counts, however old it is.
    record = open_history(paths, settings, since=0)
    habits = gather(history.calls(record), since=beginning)
    found = review(habits, court, AgentRules(home=site.home, config_dir=site.config_dir), least=least)
    target = Target(paths, site, scope)
    if chosen is not None and to is not None:
        accept(choose(found.offers, chosen), to, target, yes=yes)
    elif as_json:
        output.say_json({"since": beginning, "min": least, **msgspec.structs.asdict(found)})
    else:
        shown = found.offers[:limit]
        for line in report(found, shown, beginning, since):
            output.say(line)
        if shown and output.is_interactive():
            offer_to_accept(shown, to, target)


def report(found: Reviewed, shown: tuple[Offer, ...], beginning: int, since: str) -> Iterator[str]:
    day = history.day(beginning)
    yield f"Since {day} people were asked {history.times(found.asks)} and said yes {history.times(found.approvals)}."
    for number, offer in enumerate(shown, 1):
        yield ""
        yield from _offer(number, offer)
    yield ""
    if not found.offers:
        yield "No rule would have saved enough asks to be worth offering."
    elif len(found.offers) > len(shown):
        yield f"{len(found.offers) - len(shown)} more would save fewer asks: --limit {len(found.offers)} shows them."
    for why, count in found.withheld.items():
        rules = "1 rule is" if count == 1 else f"{count} rules are"
        yield output.styled(f"{rules} not offered: {why}.", "faint")
    for count, why in (
        (found.intricate, "the line has several commands, a redirection or a substitution"),
        (found.unusable, "what decides was redacted or cut on record"),
    ):
        if count:
            approvals = "1 approval makes" if count == 1 else f"{count:,} approvals make"
            yield output.styled(f"{approvals} no rule: {why}.", "faint")
    if found.offers:
        yield f"To accept one: assent review --since {since} --accept RULE --to assent (or agent)"


def _offer(number: int, offer: Offer) -> Iterator[str]:
    name = output.said_by_agent(offer.text, LONGEST_WHAT)
    yield f"{number:>3}  {output.styled(name, 'strong')}"
    asks = "1 ask" if offer.saved == 1 else f"{offer.saved:,} asks"
    sessions = "1 session" if offer.sessions == 1 else f"{offer.sessions} sessions"
    risk = output.styled(offer.risk, RISK_STYLES[offer.risk])
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
        what = output.said_by_agent(f"{match.tool} {match.what}".rstrip(), LONGEST_WHAT)
        yield f"       {padded}{what} ({history.times(match.times)}; #{match.seq}, {history.folder(match.project)})"
        padded = " " * 13
    rest = total - sum(match.times for match in matches[:EXAMPLES])
    if rest:
        yield f"       {padded}and {rest:,} more"
