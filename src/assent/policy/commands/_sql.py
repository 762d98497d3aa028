"""Statements for databases: which of them only ask, and which take away, let in, or reach out of the database.

Texts and comments are set aside first, so that a word in a text counts for nothing; what is run from inside a text
(``DO``, ``EXECUTE``) is looked through as well."""

import re
from collections.abc import Iterator

from msgspec import Struct

from assent.policy import world
from assent.policy.commands.spec import Finding, Invocation
from assent.policy.effects import Effect, care, danger
from assent.policy.places import locate
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk

LONGEST = 20_000
MOST_CHANGES = 50
TOO_LONG = danger("dynamic", "It tells a database more than can be looked through.")

_MARK = re.compile(
    r"--[^\n]*|(?P<comment>/\*)|[eEnNxXbB]?(?P<text>'(?:[^'\\]|''|\\.)*')|(?P<dollar>\$\w*\$)"
    r'|"(?P<name>[^"]*)"|`(?P<tick>[^`]*)`|(?P<end>;)',
    re.DOTALL,
)


class Statement(Struct, frozen=True):
    """Words in capitals; texts are a single quote each, to be found in ``texts``."""

    code: str
    texts: tuple[str, ...]
    raw: str


def split(text: str) -> Iterator[Statement]:
    code: list[str] = []
    texts: list[str] = []
    start = last = 0
    while (found := _MARK.search(text, last)) is not None:
        code.append(text[last : found.start()])
        last = found.end()
        if found["end"]:
            yield from _statement(code, texts, text[start : found.start()])
            code, texts, start = [], [], last
        elif found["comment"]:
            end = text.find("*/", last)
            end = len(text) if end < 0 else end
            # MySQL runs what stands in such a comment.
            code.append(f" {text[last + 1 : end].lstrip('0123456789')} " if text.startswith("!", last) else " ")
            last = end + 2
        elif found["dollar"]:
            end = text.find(found["dollar"], last)
            end = len(text) if end < 0 else end
            texts.append(text[last:end])
            code.append(" ' ")
            last = end + len(found["dollar"])
        elif found["text"]:
            texts.append(found["text"][1:-1].replace("''", "'"))
            code.append(" ' ")
        else:
            code.append(f" {found['name'] or found['tick'] or ''} ")
    code.append(text[last:])
    yield from _statement(code, texts, text[start:])


def _statement(code: list[str], texts: list[str], raw: str) -> Iterator[Statement]:
    words = " ".join("".join(code).upper().split())
    if words:
        yield Statement(words, tuple(texts), raw.strip())


# --- what they do

# Out of the database, into files and programs of the machine it runs on.
_REACHES_OUT = re.compile(
    r"\bPROGRAM '|\bINTO (?:OUTFILE|DUMPFILE)\b|\b(?:LOAD_FILE|LO_EXPORT|LO_IMPORT|PG_READ_FILE|PG_READ_BINARY_FILE"
    r"|PG_LS_DIR"
    r"|PG_STAT_FILE|PG_FILE_WRITE|WRITEFILE|LOAD_EXTENSION|SYS_EXEC|SYS_EVAL|XP_CMDSHELL|XP_REGWRITE|XP_DIRTREE"
    r"|SP_OACREATE"
    r"|SP_CONFIGURE|DBLINK\w*|UTL_FILE|UTL_HTTP|DBMS_SCHEDULER|OPENROWSET|FN_GET_SQL|COPY_TO_PROGRAM|EDIT)(?: ?\("
    r"|\b(?= '))"
    r"|\bLANGUAGE '?(?:C|PLPYTHON\w*|PLPERLU|PLSH|PLTCLU|PLR)\b|\b(?:XP_CMDSHELL|SP_CONFIGURE|SP_OACREATE)\b"
    r"|\b(?:FILE|URL|S3|EXECUTABLE) ?\( ?'|\bCREATE (?:OR REPLACE )?(?:UNTRUSTED|AGGREGATE FUNCTION \S+ RETURNS"
    r"|FUNCTION \S+ RETURNS \S+ SONAME)\b"
)
_PASSWORDS = re.compile(
    r"\bGETENV ?\(|\b(?:PG_SHADOW|PG_AUTHID|PG_USER_MAPPINGS?|MYSQL\.USER|SYS\.SQL_LOGINS|DBA_USERS|USER\$)(?:\b|$)"
)
_RIGHTS = re.compile(
    r"(?:GRANT|REVOKE|DENY)\b|(?:CREATE|ALTER|DROP) (?:OR REPLACE )?(?:USER|ROLE|LOGIN|GROUP|POLICY|SERVER"
    r"|SUBSCRIPTION)\b"
    r"|ALTER (?:SYSTEM|DATABASE|DEFAULT PRIVILEGES|INSTANCE)\b|SET (?:PASSWORD|GLOBAL|PERSIST)\b|REASSIGN\b"
    r"|SECURITY LABEL\b"
    r"|SET (?:SESSION )?(?:AUTHORIZATION|ROLE)\b|CREATE (?:EXTENSION|EVENT TRIGGER|FOREIGN DATA WRAPPER|LANGUAGE"
    r"|TRUSTED)\b"
    r"|INSTALL PLUGIN\b|CHANGE (?:MASTER|REPLICATION)\b|.*\bOWNER TO\b|.*\bDISABLE (?:ROW LEVEL SECURITY|TRIGGER)\b"
)
_GONE = re.compile(
    r"(?:DROP|TRUNCATE|UNDROP|PURGE|SHUTDOWN|KILL|NUKE|DETACH TABLE|RESET MASTER|RESET SLAVE|STOP SLAVE"
    r"|STOP REPLICA|FLUSH TABLES)\b"
    r"|ALTER\b.*\b(?:DROP|TRUNCATE|DISCARD|RENAME TO|DELETE)\b|CREATE OR REPLACE (?:TABLE|DATABASE|SCHEMA)\b"
    r"|INSERT OVERWRITE\b"
    r"|PRAGMA \w*(?:WRITABLE_SCHEMA|JOURNAL_MODE ?= ?OFF|INCREMENTAL_VACUUM)"
)
_ENDS_OTHERS = re.compile(
    r"\bPG_(?:TERMINATE_BACKEND|CANCEL_BACKEND|DROP_REPLICATION_SLOT|RELOAD_CONF|PROMOTE|SWITCH_WAL) ?\("
)
_ALL_ROWS = re.compile(
    r"(?:\( ?)*(?:TRUE|1|NOT FALSE|(\S+) ?= ?\1|\d+ ?(?:=|<|>|<>|!=|<=|>=) ?\d+|' ?= ?'|\S+ (?:>|>=) 0|\S+ IS NOT NULL"
    r"|\S+ LIKE '|EXISTS \( ?SELECT 1 ?\))(?: ?\))*(?: RETURNING .*)?"
)
_READS = re.compile(
    r"(?:SELECT|SHOW|EXPLAIN|DESCRIBE|DESC|WITH|VALUES|TABLE|PRAGMA|LIST|FETCH|HELP|FROM|SUMMARIZE|EXISTS|CHECK"
    r"|CHECKSUM)\b"
)
_PLAIN = re.compile(
    r"(?:BEGIN|COMMIT|ROLLBACK|END|START TRANSACTION|SAVEPOINT|RELEASE|USE|SET|GO|ANALYZE|DISCARD|DECLARE|CLOSE"
    r"|PRINT|QUIT|EXIT)\b"
)
_CHANGES_ROWS = re.compile(
    r"\b(?:(DELETE)(?: [\w.]+)? FROM|(UPDATE) (?!OF\b|SKIP\b|NOWAIT\b)|(MERGE) INTO|(INSERT) INTO|(REPLACE) INTO)"
)


def statements(it: Invocation, text: str, dialect: str = "", *, asking: Effect | None = None) -> Iterator[Finding]:
    """``asking`` is what it costs where they only ask."""
    if len(text) > LONGEST:
        yield TOO_LONG
        return
    if HOLE in text:
        yield care("dynamic", "Part of what the database is told is known only when it runs.")
    found = [effect for each in split(text.replace(HOLE, " x ")) for effect in _judged(it, each, dialect)]
    yield from found
    yield asking or care("query", "It asks a database.")


_RUINOUS = re.compile(r"drop|truncate|delete|wipe|reset|destroy|purge|nuke|clean|teardown|down", re.IGNORECASE)


def file(it: Invocation, path: Arg, dialect: str = "") -> Iterator[Finding]:
    """Statements in a file: read where it lies in the project, otherwise judged by what it is called."""
    yield it.path("read", path)
    yield care("remote", "It gives a database what is in a file.", path.text.replace(HOLE, "…"))
    is_near = it.place(path) in ("project", "temp") and not path.glob
    text = world.read_small(locate(path, it.setting, it.cwd).path, LONGEST) if is_near else None
    if text is not None:
        yield from statements(it, text, dialect)
    elif _RUINOUS.search(path.text.rpartition("/")[2]):
        yield danger("remote", "By its name, the file takes something away.", path.text.replace(HOLE, "…"))


def _judged(it: Invocation, each: Statement, dialect: str) -> Iterator[Finding]:
    code = each.code
    shown = each.raw[:120]
    # EXPLAIN ANALYZE does what it explains.
    if found := re.match(r"EXPLAIN (?:\([^)]*\bANALYZE\b[^)]*\)|ANALYZE)(?: VERBOSE)? (.*)", code):
        code = found[1]
    elif code.startswith(("EXPLAIN ", "DESCRIBE ", "DESC ")):
        return
    if dialect in ("duckdb", "sqlite", "clickhouse"):
        yield from _files_read(it, each)
    if _REACHES_OUT.search(code):
        yield danger("run", "It reaches out of the database, to files or programs.", shown)
    elif _PASSWORDS.search(code):
        yield danger("secret", "It shows passwords that the database keeps.", shown)
    elif _RIGHTS.match(code):
        yield danger("privilege", "It changes who may do what in the database.", shown)
    elif _GONE.match(code):
        yield danger("remote", "It takes away tables, columns or data, and that cannot be undone.", shown)
    elif _ENDS_OTHERS.search(code):
        yield danger("remote", "It ends what others do in the database.", shown)
    elif code.startswith(
        ("DO ", "EXECUTE IMMEDIATE", "EXEC ", "EXECUTE ", "PREPARE ", "CREATE ", "CALL ", "SELECT QUERY_TO_XML")
    ):
        yield care("remote", "It defines or runs something in the database.", shown)
        for text in each.texts:
            yield from _within(it, text, dialect)
        if re.search(r"\bAS SELECT\b", code) is None:
            yield from _rows(code, shown)
    elif code.startswith(("COPY ", "UNLOAD ", "EXPORT ", "IMPORT ", "LOAD ", "BACKUP ", "RESTORE ")):
        yield from _copies(it, each, dialect)
    elif code.startswith(("ATTACH ", "INSTALL ")):
        yield from _attaches(it, each)
    elif _READS.match(code) or _PLAIN.match(code):
        if re.search(r"\bINTO\b(?! OUTFILE| DUMPFILE)", code) and code.startswith("SELECT"):
            yield care("remote", "It makes a table.", shown)
        yield from _rows(code, shown)
        if re.match(r"PRAGMA \S+ ?=", code):
            yield care("remote", "It changes a setting of the database.", shown)
    elif found_rows := list(_rows(code, shown)):
        yield from found_rows
    elif code.startswith(("DELETE", "UPDATE")) and " WHERE " not in code:
        yield danger("remote", "It deletes or changes every row of a table.", shown)
    else:
        yield care("remote", "It changes something in the database.", shown)


def _within(it: Invocation, text: str, dialect: str) -> Iterator[Finding]:
    """A body in a text: everything in it counts, wherever it stands."""
    for each in split(text):
        words = re.split(r"\b(?:BEGIN|THEN|ELSE|LOOP|EXECUTE|DO)\b", each.code)
        for part in words:
            inner = part.strip()
            if _GONE.match(inner) or _RIGHTS.match(inner) or _REACHES_OUT.search(inner):
                yield danger("remote", "It runs a program in the database that takes things away.", text[:120])
                return
            yield from (found for found in _rows(inner, text[:120]) if found.risk is Risk.DANGER)
        for inner_text in each.texts:
            if inner_text != text and len(inner_text) < len(text):
                yield from _within(it, inner_text, dialect)


def _rows(code: str, shown: str) -> Iterator[Effect]:
    """Changes of rows, also those inside a query."""
    for place, found in enumerate(_CHANGES_ROWS.finditer(code)):
        if place == MOST_CHANGES:
            yield danger("dynamic", "It changes more than can be looked through.", shown)
            return
        verb = next(filter(None, found.groups()))
        rest = code[found.end() :]
        if verb in ("INSERT", "MERGE", "REPLACE"):
            yield care("remote", "It writes rows into the database.", shown)
            continue
        if verb == "UPDATE" and re.search(r"\bSET\b", rest) is None:
            continue
        _, where, condition = rest.partition(" WHERE ")
        if (
            not where
            or _ALL_ROWS.fullmatch(condition.strip())
            or re.search(r"\bOR (?:TRUE|1 ?= ?1|' ?= ?')", condition)
        ):
            does = "deletes" if verb == "DELETE" else "changes"
            yield danger("remote", f"It {does} every row of a table.", shown, "name the rows with WHERE")
        elif verb == "DELETE":
            yield care("remote", "It deletes rows of a table.", shown)
        else:
            yield care("remote", "It changes rows of a table.", shown)


def _copies(it: Invocation, each: Statement, dialect: str) -> Iterator[Finding]:
    """Files of the machine the database runs on; with DuckDB, that is this one."""
    is_out = re.search(r"\bTO '|^(?:EXPORT|UNLOAD|BACKUP)\b", each.code) is not None
    if re.search(r"\b(?:STDOUT|STDIN)\b", each.code) and not each.texts:
        yield (
            care("remote", "It writes rows into the database.", each.raw[:120])
            if "FROM STDIN" in each.code
            else care("query", "It asks a database.")
        )
    elif dialect in ("duckdb", "sqlite") and each.texts:
        yield it.path("write" if is_out else "read", Arg(each.texts[-1]))
        yield care("remote", "It copies data between a database and files.", each.raw[:120])
    elif is_out:
        yield danger("write", "It writes a file where the database runs.", each.raw[:120])
    else:
        yield care("remote", "It loads a file into the database.", each.raw[:120])


_READS_FILES = re.compile(r"\b(?:READFILE|READ_\w+|\w+_SCAN|GLOB|FROM|JOIN|SNIFF_CSV|PARQUET_\w+) ?\(? ?'")


def _files_read(it: Invocation, each: Statement) -> Iterator[Finding]:
    """``select * from 'data.csv'``: files here, as if they were tables."""
    if _READS_FILES.search(each.code):
        for text in each.texts:
            if "://" in text:
                yield care("fetch", "It brings something in from the network.", text[:80])
            elif "/" in text or "." in text:
                yield it.path("read", Arg(text, glob="*" in text))


_ATTACHED = re.compile(
    r"""attach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|`([^`]+)`|\[([^]]+)\])""", re.IGNORECASE
)


def _attaches(it: Invocation, each: Statement) -> Iterator[Finding]:
    if each.code.startswith("INSTALL "):
        yield danger("run", "It loads code into the database.", each.raw[:120])
        return
    # Names in other quotes are taken for texts here.
    found = _ATTACHED.match(each.raw)
    text = each.texts[0] if each.texts else "" if found is None else found[1] or found[2] or found[3]
    if not text:
        yield care("dynamic", "Which database it adds is not known.", each.raw[:120])
    elif text == ":memory:":
        yield care("query", "It asks a database.")
    else:
        yield it.path("write", Arg(text.removeprefix("file:").partition("?")[0] if text.startswith("file:") else text))
