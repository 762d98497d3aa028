"""In which order a distributed run takes the tests, and which of them stay together in one process.

Tests of the hub, of the page and of the real client mostly wait, so the tiers run side by side. What takes longest
begins first: at the end no process waits for one long test."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from xdist.scheduler.loadscope import LoadScopeScheduling  # type: ignore[import-untyped]

# At most so many clients run at once on a machine; in one more process a test would only wait for its turn.
LANES = 2
BROWSER, CLIENT, COMPONENT, UNIT = "tests/browser/", "tests/e2e/", "tests/component/", "tests/unit/"
TIERS = (BROWSER, CLIENT, COMPONENT, UNIT)
# The longest tests after those with the page and the client, by a part of their names.
LONGEST = (
    # It alone has clients then: later it would wait for those of the other lanes, and they for it.
    "e2e/test_transports.py::test_ten_sessions",
    "team/test_far_hosts.py",
    "team/test_killed.py",
    "team/test_failover.py",
    "team/test_across.py",
    "hub/test_killed_postgres.py",
    "hub/test_killed.py",
    "journal/test_flipped.py",
    "journal/test_chain_property.py",
    "hub/test_security_http.py::test_slow_clients",
    "component/test_surroundings.py",
    "tui/test_behaviour.py::test_press_answers",
    "journal/test_indexed_search.py",
    "cli/test_log",
    "cli/test_exit_codes.py",
    "cli/test_demo.py",
    "hub/test_changes.py",
    "component/test_client.py",
    "shim/test_forward_waits.py",
)


def ordered(nodeids: Sequence[str]) -> list[int]:
    """Places in the list, in the order in which the tests begin."""
    sizes = Counter(map(file_of, nodeids))

    def rank(place: int) -> tuple[int, int, int]:
        name = nodeids[place]
        tier = next((at for at, folder in enumerate(TIERS) if name.startswith(folder)), len(TIERS))
        length = next((at for at, part in enumerate(LONGEST) if part in name), len(LONGEST))
        # Of the unit tier a whole file goes to one process: the largest first.
        return tier, length, -sizes[file_of(name)] if name.startswith(UNIT) else 0

    return sorted(range(len(nodeids)), key=rank)


def groups(nodeids: Iterable[str]) -> dict[str, str]:
    """One browser, a few lanes for the client, the files of the unit tier; every other test is by itself."""
    found: dict[str, str] = {}
    clients = 0
    for name in nodeids:
        if name.startswith(BROWSER):
            found[name] = "browser"
        elif name.startswith(CLIENT):
            found[name] = f"client {clients % LANES}"
            clients += 1
        else:
            found[name] = file_of(name) if name.startswith(UNIT) else name
    return found


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Collection(list[str]):
    """The names of all tests; the place of one is known, not searched for."""

    def __init__(self, nodeids: Iterable[str]) -> None:
        super().__init__(nodeids)
        self._places = {name: place for place, name in enumerate(self)}

    def index(self, value: str, start: SupportsIndex = 0, stop: SupportsIndex = sys.maxsize, /) -> int:
        return self._places[value]


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out groups in the order of the collection."""

    def schedule(self) -> None:
        # By size it would begin with the quickest tests, of which there are most.
        self.config.option.loadscopereorder = False
        super().schedule()

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Collection(collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        super().mark_test_complete(node, item_index, duration)
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][scope].values()):
            # What is done would be counted again after every test.
            del self.assigned_work[node][scope]

    def _split_scope(self, nodeid: str) -> str:
        if not hasattr(self, "_groups"):
            self._groups = groups(self.collection)
        return self._groups[nodeid]
