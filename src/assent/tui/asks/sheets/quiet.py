"""Quiet: nothing is sent to phones and channels for a while."""

import asyncio
from typing import Any

from assent.errors import AssentError
from assent.tui.asks.sheets.picker import Pick, Picker
from assent.tui.asks.sheets.sheet import Sheet
from assent.tui.shared import Shared

TIMES = (
    Pick("15 minutes", {"quiet": 15 * 60, "told": "Quiet for 15 minutes."}),
    Pick("1 hour", {"quiet": 60 * 60, "told": "Quiet for an hour."}),
    Pick("until morning", {"quiet": "morning", "told": "Quiet until morning."}),
    Pick("not quiet", {"quiet": 0, "told": "Not quiet any more."}, "Phones and channels are told again."),
)


class QuietSheet(Sheet):
    def __init__(self, shared: Shared) -> None:
        super().__init__(shared, Picker("Quiet: nothing is sent to phones and channels", TIMES, "be quiet"))

    def decided(self, fields: dict[str, Any]) -> None:
        self.run_worker(self._be_quiet(fields["quiet"], fields["told"]), exclusive=True)

    async def _be_quiet(self, wish: Any, told: str) -> None:
        try:
            self.shared.mirror.presence = await asyncio.to_thread(self.shared.client.be_quiet, wish)
        except AssentError as error:
            self.complain(str(error))
            return
        self._outer.say(told)
        self._outer.refresh_bars()
        self.close()
