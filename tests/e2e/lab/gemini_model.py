"""The scripted model for clients that speak the Gemini API, with what tests wait for."""

from assent.live.gemini import GeminiModel as _GeminiModel
from tests.e2e.lab.waiting import until


class GeminiModel(_GeminiModel):
    def prompts(self) -> list[str]:
        """The texts that stand for the user's in the last request."""
        contents = self.requests[-1]["contents"] if self.requests else []
        parts = (part for content in contents if content["role"] == "user" for part in content["parts"])
        return [part["text"] for part in parts if "text" in part]

    def wait_for_result(self, number: int) -> str:
        return until(lambda: self.results()[number - 1 : number], f"result {number} in a request")[0]
