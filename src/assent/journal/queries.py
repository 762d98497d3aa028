"""SQL lives in files: each query under a line that names it."""

from importlib import resources

_NAME = "-- name: "


def load(database: str) -> dict[str, str]:
    """The queries for one kind of database, by name."""
    text = (resources.files("assent.journal") / "sql" / f"{database}.sql").read_text("utf-8")
    named = (query.partition("\n") for query in text.split(_NAME)[1:])
    return {name.strip(): query.strip() for name, _, query in named}
