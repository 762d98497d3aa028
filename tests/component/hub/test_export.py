"""A hub that sends its decisions to a collector."""

from pathlib import Path

from assent.protocol.record import GENESIS
from tests.component.hub_process import HubProcess, bash, until
from tests.services.collector import CollectorService


def test_hub_exports_while_it_runs_and_says_so(tmp_path: Path) -> None:
    """Turned on without a restart; the record id is a head that the chain holds."""
    hub = HubProcess(tmp_path).start()
    try:
        with CollectorService() as collector:
            assert hub.api("GET", "/api/status")[1]["export"] is None
            with hub.paths.config.open("a") as file:
                file.write(f'\n[export]\notlp = "{collector.address}"\n')
            until(lambda: hub.api("GET", "/api/status")[1]["export"], "the export in status")
            until(hub.paths.exported.exists, "where the export begins")
            hub.send(bash("rm -rf /"))
            until(collector.taken, "the decision")
            (record,) = collector.records
            assert record.event_name == "assent.decision"
            assert record.attributes["assent.decision"] == "deny"
            assert record.attributes["assent.what"] == "rm -rf /"
            assert GENESIS not in record.uid
            checked = hub.api("GET", f"/api/log/verify?against={record.uid}")[1]
            assert (checked["broken"], checked["against"]["seq"]) == (None, record.seq)
    finally:
        hub.stop()
