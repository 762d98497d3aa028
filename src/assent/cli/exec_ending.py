"""How a run ended: the exit code, and the sum of it."""

from assent.cli import output
from assent.cli.exec_events import Outlet
from assent.views.run import RunView

# Instead of 0: an agent's own failure is never hidden.
DENIED, ASKED, UNGATED = 121, 122, 123


def told(view: RunView, code: int, fail_on: str, outlet: Outlet, missed: int) -> int:
    """Say it, and return with what the run ends."""
    ungated = _ungated(view)
    if code == 0:
        code = UNGATED if ungated else _failed(view, fail_on, missed)
    more = {"ungated": ungated, "missed": missed}
    outlet.write(view.summary(code) | {name: value for name, value in more.items() if value})
    if ungated:
        outlet.say(f"{output.styled('assent:', 'bad')} {ungated}\nhint: `assent doctor` looks for the reason.")
    else:
        outlet.say(f"assent: {_sum(view)}")
        if missed:
            outlet.say(f"assent: {output.styled('missed', 'warn')} Not all records could be read: there may be more.")
    return code


def _failed(view: RunView, fail_on: str, missed: int) -> int:
    """What nobody could read may have been the one that counts."""
    if fail_on == "denied" and (view.denied or view.unanswered or missed):
        return DENIED
    return ASKED if fail_on == "asked" and (view.asked or missed) else 0


def _ungated(view: RunView) -> str | None:
    if not view.sessions:
        return "No event of this run reached Assent: whatever the agent did, nobody judged it."
    if view.unjudged:
        calls = "1 call" if view.unjudged == 1 else f"{view.unjudged} calls"
        return f"{calls} of this run ran without asking, so nobody judged what was done."
    return None


def _sum(view: RunView) -> str:
    calls = "1 call" if view.calls == 1 else f"{view.calls} calls"
    parts = [calls, f"{view.allowed} allowed", f"{view.denied} denied"]
    if view.asked:
        parts.append(f"{view.asked} needed a person, {view.unanswered} unanswered")
    name = output.said_by_agent(next(iter(view.sessions))[:8])
    return f"{', '.join(parts)}. `assent session {name}` shows the run."
