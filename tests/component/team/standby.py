"""A second PostgreSQL that follows a first one, and can take its place."""

from dataclasses import replace

from scripts.postgres_server import CannotBeHadError, Server
from tests.component import postgres
from tests.waiting import until


class Standby(Server):
    """A streaming copy of ``primary``, read-only until it is promoted."""

    def __init__(self, primary: Server) -> None:
        self._primary = primary
        super().__init__()

    def _make(self) -> None:
        self.place = replace(self.place, password=self._primary.place.password)
        # What is found first may be a link to one of the programs alone.
        program = (self._programs / "initdb").resolve().with_name("pg_basebackup")
        if not program.exists():
            raise CannotBeHadError(f"there is no {program}, which makes a standby")
        command = [str(program), "-d", self._primary.place.url, "-D", str(self.data)]
        done = self._run([*command, "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"])
        if done.returncode:
            raise CannotBeHadError(f"pg_basebackup failed: {done.stderr.decode(errors='replace').strip()}")

    def _is_ready(self) -> bool:
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        is_ours = self.process is not None and lines[:1] == [str(self.process.pid)]
        return is_ours and lines[7:8] in (["standby "], ["ready   "])

    def wait_until_it_follows(self) -> None:
        def follows() -> bool:
            query = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
            return postgres.execute(query, to=self._primary.place.url) == [(1,)]

        until(follows, "the standby's stream")

    def be_waited_for(self) -> None:
        """From now on no commit of the primary is acknowledged before it is on this one's disk."""
        where = self._primary.place.url
        for statement in ("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"):
            postgres.execute(statement, to=where)
        query = "SELECT sync_state FROM pg_stat_replication"
        until(lambda: postgres.execute(query, to=where) == [("sync",)], "the standby is waited for")

    def promote(self) -> None:
        assert postgres.execute("SELECT pg_promote(true, 120)", to=self.place.url) == [(True,)]


def either(primary: Server, standby: Server) -> str:
    """The address of whichever of the two takes writes."""
    one, two = primary.place, standby.place
    head = one.url.rpartition("@")[0]
    return f"{head}@127.0.0.1:{one.port},127.0.0.1:{two.port}/postgres?target_session_attrs=read-write"
