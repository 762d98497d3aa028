"""Where the server is: read from the setting, and shown without its password."""

import re
from dataclasses import dataclass

import psycopg
from psycopg.conninfo import conninfo_to_dict

from assent.journal.base import JournalError

HINT = "Write it like postgresql://user:password@host:5432/database, with %40 for @ and %2F for / in the password."
_SECRETS = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class Address:
    parameters: dict[str, str]

    @classmethod
    def read(cls, url: str) -> "Address":
        try:
            found = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
        except psycopg.ProgrammingError:
            # What the library says quotes the part it stumbled over, which may be a password.
            raise JournalError("The [journal] url cannot be read.", hint=HINT) from None
        authority = re.split(r"[?#]", url.partition("://")[2])[0]
        # A password with a bare @ or / is read as a part of the host or port, and would be shown as such.
        if ("@" in authority and "user" not in found) or "@" in found.get("host", ""):
            raise JournalError("The [journal] url cannot be read.", hint=HINT)
        return cls(found)

    @property
    def name(self) -> str:
        """For people: host, port and database, nothing else."""
        where = self.parameters
        if "service" in where and "host" not in where:
            return f"service {where['service']}"
        host = where.get("host") or where.get("hostaddr") or "the local server"
        port = f":{where['port']}" if where.get("port", "").strip(",") else ""
        database = f"/{where['dbname']}" if "dbname" in where else ""
        return f"{host}{port}{database}"

    def without_secrets(self, text: str) -> str:
        for name in _SECRETS:
            if secret := self.parameters.get(name):
                text = text.replace(secret, "…")
        return text
