"""Statements for databases: which of them only ask, and which take away, let in, or reach out of the database.

Texts and comments are set aside first, so that a word in a text counts for nothing; what is run from inside a text
(``DO``, ``EXECUTE``) is looked through as well."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from assent.expressions import later
from assent.policy import world
from assent.policy.commands._services import is_production
from assent.policy.commands._web import address
from assent.policy.commands.spec import Finding, Invocation
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

LONGEST = 20_000
MOST_CHANGES = 50
TOO_LONG = danger("dynamic", "It tells a database more than can be looked through.")

_MARK = later(
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
    while (match := _MARK.search(text, last)) is not None:
        code.append(text[last : match.start()])
        last = match.end()
        if match["end"]:
            yield from _statement(code, texts, text[start : match.start()])
            code, texts, start = [], [], last
        elif match["comment"]:
            end = text.find("*/", last)
            end = len(text) if end < 0 else end
            # MySQL runs what stands in such a comment.
            code.append(f" {text[last + 1 : end].lstrip('0123456789')} " if text.startswith("!", last) else " ")
            last = end + 2
        elif match["dollar"]:
            end = text.find(match["dollar"], last)
            end = len(text) if end < 0 else end
            texts.append(text[last:end])
            code.append(" ' ")
            last = end + len(match["dollar"])
        elif match["text"]:
            texts.append(match["text"][1:-1].replace("''", "'"))
            code.append(" ' ")
        else:
            code.append(f" {match['name'] or match['tick'] or ''} ")
    code.append(text[last:])
    yield from _statement(code, texts, text[start:])


def _statement(code: list[str], texts: list[str], raw: str) -> Iterator[Statement]:
    words = " ".join("".join(code).upper().split())
    if words:
        yield Statement(words, tuple(texts), raw.strip())


# --- what they do

# Out of the database, into files and programs of the machine it runs on.
_REACHES_OUT = later(
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
_PASSWORDS = later(
    r"\bGETENV ?\(|\b(?:PG_SHADOW|PG_AUTHID|PG_USER_MAPPINGS?|MYSQL\.USER|SYS\.SQL_LOGINS|DBA_USERS|USER\$)(?:\b|$)"
)
_RIGHTS = later(
    r"(?:GRANT|REVOKE|DENY)\b|(?:CREATE|ALTER|DROP) (?:OR REPLACE )?(?:USER|ROLE|LOGIN|GROUP|POLICY|SERVER"
    r"|SUBSCRIPTION)\b"
    r"|ALTER (?:SYSTEM|DATABASE|DEFAULT PRIVILEGES|INSTANCE)\b|SET (?:PASSWORD|GLOBAL|PERSIST)\b|REASSIGN\b"
    r"|SECURITY LABEL\b"
    r"|SET (?:SESSION )?(?:AUTHORIZATION|ROLE)\b|CREATE (?:EXTENSION|EVENT TRIGGER|FOREIGN DATA WRAPPER|LANGUAGE"
    r"|TRUSTED)\b"
    r"|INSTALL PLUGIN\b|CHANGE (?:MASTER|REPLICATION)\b|.*\bOWNER TO\b|.*\bDISABLE (?:ROW LEVEL SECURITY|TRIGGER)\b"
)
_GONE = later(
    r"(?:DROP|TRUNCATE|UNDROP|PURGE|SHUTDOWN|KILL|NUKE|DETACH TABLE|RESET MASTER|RESET SLAVE|STOP SLAVE"
    r"|STOP REPLICA|FLUSH TABLES)\b"
    r"|ALTER\b.*\b(?:DROP|TRUNCATE|DISCARD|RENAME TO|DELETE)\b|CREATE OR REPLACE (?:TABLE|DATABASE|SCHEMA)\b"
    r"|INSERT OVERWRITE\b"
    r"|PRAGMA \w*(?:WRITABLE_SCHEMA|JOURNAL_MODE ?= ?OFF|INCREMENTAL_VACUUM)"
)
_ENDS_OTHERS = later(
    r"\bPG_(?:TERMINATE_BACKEND|CANCEL_BACKEND|DROP_REPLICATION_SLOT|RELOAD_CONF|PROMOTE|SWITCH_WAL) ?\("
)
_ALL_ROWS = later(
    r"(?:\( ?)*(?:TRUE|1|NOT FALSE|(\S+) ?= ?\1|\d+ ?(?:=|<|>|<>|!=|<=|>=) ?\d+|' ?= ?'|\S+ (?:>|>=) 0|\S+ IS NOT NULL"
    r"|\S+ LIKE '|EXISTS \( ?SELECT 1 ?\))(?: ?\))*(?: RETURNING .*)?"
)
_READS = later(
    r"(?:SELECT|SHOW|EXPLAIN|DESCRIBE|DESC|WITH|VALUES|TABLE|PRAGMA|LIST|FETCH|HELP|FROM|SUMMARIZE|EXISTS|CHECK"
    r"|CHECKSUM)\b"
)
_PLAIN = later(
    r"(?:BEGIN|COMMIT|ROLLBACK|END|START TRANSACTION|SAVEPOINT|RELEASE|USE|SET|GO|ANALYZE|DISCARD|DECLARE|CLOSE"
    r"|PRINT|QUIT|EXIT)\b"
)
_CHANGES_ROWS = later(
    r"\b(?:(DELETE)(?: [\w.]+)? FROM|(UPDATE) (?!OF\b|SKIP\b|NOWAIT\b)|(MERGE) INTO|(INSERT) INTO|(REPLACE) INTO)"
)


def statements(it: Invocation, text: str, dialect: str = "", *, asking: Effect | None = None) -> Iterator[Finding]:
    """``asking`` is what it costs where they only ask."""
    if len(text) > LONGEST:
        yield TOO_LONG
        return
    if HOLE in text:
        yield care("dynamic", "Part of what the database is told is known only when it runs.")
    effects = [effect for each in split(text.replace(HOLE, " x ")) for effect in _judged(it, each, dialect)]
    yield from effects
    yield asking or care("query", "It asks a database.")


_RUINOUS = later(r"drop|truncate|delete|wipe|reset|destroy|purge|nuke|clean|teardown|down", re.IGNORECASE)


def file(it: Invocation, path: Arg, dialect: str = "") -> Iterator[Finding]:
    """Statements in a file: read where it lies in the project, otherwise judged by what it is called."""
    yield it.path("read", path)
    yield care("remote", "It gives a database what is in a file.", path.text.replace(HOLE, "…"))
    is_near = it.place(path) in ("project", "temp") and not path.glob
    text = world.read_small(locate(path, it.setting, it.cwd).path, LONGEST) if is_near else None
    if text is not None:
        yield from statements(it, text, dialect)
    elif _RUINOUS.search(path.text.rpartition("/")[2]):
        yield danger("remote", "By its name, the file deletes something.", path.text.replace(HOLE, "…"))


def _judged(it: Invocation, each: Statement, dialect: str) -> Iterator[Finding]:
    code = each.code
    shown = each.raw[:120]
    # EXPLAIN ANALYZE does what it explains.
    if match := re.match(r"EXPLAIN (?:\([^)]*\bANALYZE\b[^)]*\)|ANALYZE)(?: VERBOSE)? (.*)", code):
        code = match[1]
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
        yield danger("remote", "It deletes tables, columns or data, and that cannot be undone.", shown)
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
            yield from (effect for effect in _rows(inner, text[:120]) if effect.risk is Risk.DANGER)
        for inner_text in each.texts:
            if inner_text != text and len(inner_text) < len(text):
                yield from _within(it, inner_text, dialect)


def _rows(code: str, shown: str) -> Iterator[Effect]:
    """Changes of rows, also those inside a query."""
    for place, match in enumerate(_CHANGES_ROWS.finditer(code)):
        if place == MOST_CHANGES:
            yield danger("dynamic", "It changes more than can be looked through.", shown)
            return
        verb = next(filter(None, match.groups()))
        rest = code[match.end() :]
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


_READS_FILES = later(r"\b(?:READFILE|READ_\w+|\w+_SCAN|GLOB|FROM|JOIN|SNIFF_CSV|PARQUET_\w+) ?\(? ?'")


def _files_read(it: Invocation, each: Statement) -> Iterator[Finding]:
    """``select * from 'data.csv'``: files here, as if they were tables."""
    if _READS_FILES.search(each.code):
        for text in each.texts:
            if "://" in text:
                yield care("fetch", "It brings something in from the network.", text[:80])
            elif "/" in text or "." in text:
                yield it.path("read", Arg(text, glob="*" in text))


_ATTACHED = later(
    r"""attach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|`([^`]+)`|\[([^]]+)\])""", re.IGNORECASE
)


def _attaches(it: Invocation, each: Statement) -> Iterator[Finding]:
    if each.code.startswith("INSTALL "):
        yield danger("run", "It loads code into the database.", each.raw[:120])
        return
    # Names in other quotes are taken for texts here.
    match = _ATTACHED.match(each.raw)
    text = each.texts[0] if each.texts else "" if match is None else match[1] or match[2] or match[3]
    if not text:
        yield care("dynamic", "Which database it adds is not known.", each.raw[:120])
    elif text == ":memory:":
        yield care("query", "It asks a database.")
    else:
        yield it.path("write", Arg(text.removeprefix("file:").partition("?")[0] if text.startswith("file:") else text))


ASKS = "It asks a database."
CONNECTS = care("query", "It connects to a database.")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUESTION = later(r"(?:SELECT|SHOW|EXPLAIN|DESCRIBE|DESC|WITH|VALUES|TABLE)\b")
_CALLED = later(r"([\w.]+) ?\(")
# Words that may stand before a parenthesis, and functions that only calculate or tell.
_CALCULATES = _words(
    """
    select from where and or not in any all some exists on using as over by having limit when then else case values
    filter within group distinct union intersect except with between like ilike is interval array row returning
    partition join lateral count sum avg min max coalesce nullif greatest least round abs ceil ceiling floor mod
    power sqrt sign trunc random now current_date current_timestamp date datetime time timestamp date_trunc
    date_part extract age to_char to_date to_timestamp to_number strftime julianday date_format date_add date_sub
    datediff timestampdiff from_unixtime unix_timestamp year month day hour minute second week quarter dayofweek
    curdate make_date make_interval lower upper initcap length char_length octet_length character_length trim ltrim
    rtrim btrim lpad rpad left right substr substring position strpos instr locate replace translate reverse repeat
    split_part concat concat_ws format quote quote_ident quote_literal regexp_replace regexp_match regexp_matches
    regexp_split_to_table regexp_count ascii chr md5 string_agg group_concat array_agg json_agg jsonb_agg
    json_object_agg jsonb_object_agg bool_and bool_or every array_length cardinality array_to_string string_to_array
    unnest generate_series array_position array_remove json_build_object jsonb_build_object json_extract
    json_unquote json_value json_array_length jsonb_array_length jsonb_array_elements json_array_elements
    jsonb_array_elements_text jsonb_object_keys json_object_keys jsonb_each jsonb_each_text json_each jsonb_typeof
    json_typeof jsonb_pretty to_json to_jsonb row_to_json jsonb_path_query json_object row_number rank dense_rank
    ntile lag lead first_value last_value nth_value percent_rank cume_dist percentile_cont percentile_disc mode
    stddev variance corr cast convert if ifnull isnull iif typeof hex encode pg_typeof varchar char numeric decimal
    int integer bigint text bit float double precision enum version database schema user current_database
    current_schema current_user current_setting pg_size_pretty pg_relation_size pg_total_relation_size pg_table_size
    pg_indexes_size pg_database_size pg_get_constraintdef pg_get_indexdef pg_get_viewdef pg_get_functiondef
    pg_get_expr format_type obj_description col_description to_regclass st_astext st_asgeojson st_x st_y st_area
    st_length st_distance st_srid inet_server_addr
    """
)
_SLASHED = later(r"(?m)^[ \t]*\\[^\n]*$")
_HOST = later(r"(?:^|\s)(?:host|hostaddr)\s*=\s*'?([^\s']*)")
# A folder with a socket in it, as the server makes it.
_SOCKETS = later(r"/(?:var/)?run/(?:postgresql|mysqld|redis)(?:/[\w.-]+)?|/tmp(?:/\.?[\w.-]+)?")


def calmed(
    it: Invocation, findings: Iterable[Finding], *, texts: list[Arg], hosts: list[Arg], places: list[Arg]
) -> Iterator[Finding]:
    """The findings, as Look where all they say is that a database on this machine is asked.

    ``texts`` are statements, ``hosts`` name machines, ``places`` are addresses or settings that may name one."""
    every = list(findings)
    is_question = (
        all(map(_is_here, hosts))
        and all(map(_leads_here, places))
        and not any(is_production(arg.text) for arg in it.handed_on)
        and all(only_asks(text.text) for text in texts)
        and all(isinstance(each, Effect) and (each.risk is Risk.LOOK or _only_asks(each)) for each in every)
    )
    for each in every:
        yield structs.replace(each, risk=Risk.LOOK) if is_question and isinstance(each, Effect) else each


def _only_asks(effect: Effect) -> bool:
    return effect.kind == "query" and effect.risk is Risk.CARE and (effect.why == ASKS or effect == CONNECTS)


def only_asks(text: str) -> bool:
    """Whether every statement selects, and calls nothing that could do more."""
    if len(text) > LONGEST:
        return False
    for each in split(_SLASHED.sub("", text)):
        if _QUESTION.match(each.code) is None or any(
            called.lower() not in _CALCULATES for called in _CALLED.findall(each.code)
        ):
            return False
    return True


def _is_here(host: Arg) -> bool:
    return host.known and (address(host.text).is_local or _SOCKETS.fullmatch(host.text) is not None)


def _leads_here(place: Arg) -> bool:
    """Of an address, of settings in one word, or of the plain name of a database."""
    if not place.known:
        return False
    if "://" in place.text:
        to = address(place.text)
        return (to.is_local or to.host == "") and not any(word in to.path.lower() for word in ("host", "service", "%"))
    return all(_is_here(Arg(host)) for host in _HOST.findall(place.text)) and "service=" not in place.text
