"""Views of the subject, one for each kind of ask."""

from assent.protocol.card import ShownAsk
from assent.tui.asks.ask_view import Thing
from assent.tui.shared import Shared


def thing_of(ask: ShownAsk, shared: Shared) -> Thing:
    """Loaded when one of its kind is first shown: start-up counts."""
    match ask.kind:
        case "permission":
            from assent.tui.asks.ask_views.permission import Permission

            return Permission(ask)
        case "question":
            from assent.tui.asks.ask_views.question import Question

            return Question(ask)
        case "plan":
            from assent.tui.asks.ask_views.plan import Plan

            return Plan(ask)
        case "form":
            from assent.tui.asks.actions import hands_of
            from assent.tui.asks.ask_views.form import Address, Form

            is_address = ask.view.form is not None and ask.view.form.mode == "url"
            return Address(ask, hands_of(shared, ask.subject.session)) if is_address else Form(ask)
        case "stop":
            from assent.tui.asks.actions import hands_of
            from assent.tui.asks.ask_views.stop import Stop

            return Stop(ask, hands_of(shared, ask.subject.session, ask.subject.project))
