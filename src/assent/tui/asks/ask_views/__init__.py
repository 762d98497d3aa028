"""The thing itself, for each kind of ask."""

from assent.protocol.card import ShownAsk
from assent.tui.asks.thing import Thing
from assent.tui.shared import Shared


def thing_of(ask: ShownAsk, shared: Shared) -> Thing:
    """Loaded when one of its kind is first shown: start-up counts."""
    match ask.kind:
        case "permission":
            from assent.tui.asks.things.permission import Permission

            return Permission(ask)
        case "question":
            from assent.tui.asks.things.question import Question

            return Question(ask)
        case "plan":
            from assent.tui.asks.things.plan import Plan

            return Plan(ask)
        case "form":
            from assent.tui.asks.hands import hands_of
            from assent.tui.asks.things.form import Address, Form

            is_address = ask.view.form is not None and ask.view.form.mode == "url"
            return Address(ask, hands_of(shared, ask.subject.session)) if is_address else Form(ask)
        case "stop":
            from assent.tui.asks.hands import hands_of
            from assent.tui.asks.things.stop import Stop

            return Stop(ask, hands_of(shared, ask.subject.session))
