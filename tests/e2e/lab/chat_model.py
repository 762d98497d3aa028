"""The scripted model for clients that speak chat completions, with what tests wait for."""

from assent.live.chat import ChatModel as _ChatModel
from assent.live.model import LAST, Body, Call, Turn
from tests.e2e.lab.waiting import until

__all__ = ["LAST", "Body", "Call", "ChatModel", "Turn"]


class ChatModel(_ChatModel):
    def wait_for_result(self, number: int) -> str:
        return until(lambda: self.results()[number - 1 : number], f"result {number} in a request")[0]
