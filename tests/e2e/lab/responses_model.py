"""The scripted model for clients that speak Responses, with what tests wait for."""

from assent.live.responses import ResponsesModel as _ResponsesModel
from tests.e2e.lab.waiting import until


class ResponsesModel(_ResponsesModel):
    def wait_for_result(self, number: int) -> str:
        return until(lambda: self.results()[number - 1 : number], f"result {number} in a request")[0]
