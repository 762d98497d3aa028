"""Hubs that start while the test before still runs, and end while the next one does: starting is half of a test."""

import shutil
import tempfile
from pathlib import Path

from tests.component.hub_process import HubProcess
from tests.waiting import HANG


class Nursery:
    """Every test gets a fresh hub."""

    def __init__(self) -> None:
        self._spare: HubProcess | None = None
        self._retired: list[HubProcess] = []

    def take(self, config: str = "") -> HubProcess:
        if config:
            return _launched(config).wait()
        hub = self._spare or _launched()
        self._spare = None
        hub.wait()
        self._spare = _launched()
        return hub

    def retire(self, hub: HubProcess) -> None:
        """Tell it to end. It has until the next one is told so."""
        self._bury()
        if hub.process is not None and hub.process.poll() is None:
            hub.process.terminate()
        self._retired.append(hub)

    def close(self) -> None:
        if self._spare is not None:
            # One that is told to end before it listens may not have heard of ends yet.
            self.retire(self._spare.wait())
        self._bury()

    def _bury(self) -> None:
        for hub in self._retired:
            if hub.process is not None:
                hub.process.communicate(timeout=HANG)
            shutil.rmtree(hub.environ["HOME"])
        self._retired.clear()


def _launched(config: str = "") -> HubProcess:
    # Short on purpose: the sockets below it must fit into sun_path.
    return HubProcess(Path(tempfile.mkdtemp(prefix="assent-page-")), config=config).launch()
