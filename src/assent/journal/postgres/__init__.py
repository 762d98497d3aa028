"""The journal in PostgreSQL, for hubs that share one record. Import it only where it is used: it needs psycopg."""

from assent.journal.postgres.journal import PostgresJournal, open_postgres

__all__ = ["PostgresJournal", "open_postgres"]
