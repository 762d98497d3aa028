"""What is easy for a journal that holds one hub's chain and no other."""

from collections.abc import Callable

from assent.journal.base import Chain, Head, JournalError, News


class Alone:
    comes_back = False

    async def heads(self: Chain) -> list[Head]:
        return [await self.head()]

    def of(self: Chain, hub: str) -> Chain:
        if hub != self.hub:
            raise JournalError(f"This journal has no records of hub {hub}.")
        return self

    def hear(self, callback: Callable[[News], None]) -> None:
        """There is nobody to be heard."""
