"""What database clients obey besides statements: commands of their own that run programs, and read and write files."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands import _sql
from assent.policy.commands.spec import Finding, Invocation, Run, starts
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# --- psql

_BACKSLASH = later(r"(?m)^[ \t]*\\(?P<name>\S+?)(?=[\s|]|$)[ \t]*(?P<rest>[^\n]*)$")
_LATE = later(r"\\(?P<name>gexec|g|gx|gset|gdesc|crosstabview|watch|bind|o)\b[ \t]*(?P<rest>[^\n;]*)")
_SHOWS = later(
    r"[dlz]\S*|\?|h|help|c\w*info|x|t|a|H|f|C|T|timing|pset|echo|qecho|warn|q|encoding|errverbose|sf\+?|sv\+?|r|p|df\S*"
    r"|unset|if|elif|else|endif|prompt|g|gx|gdesc|gset|watch|crosstabview|copyright|bind|parse|close"
)


def psql(it: Invocation, text: str) -> Iterator[Finding]:
    """Statements and ``\\commands``, the latter to the end of their line."""
    if len(text) > _sql.LONGEST:
        yield _sql.TOO_LONG
        return
    rest = text
    for pattern in (_BACKSLASH, _LATE):
        for match in pattern.finditer(rest):
            yield from _slashed(it, match["name"], match["rest"].strip())
        rest = pattern.sub(" ", rest)
    yield from _sql.statements(it, rest, "postgres")


def _slashed(it: Invocation, name: str, rest: str) -> Iterator[Finding]:
    if name.startswith("!"):
        yield Run(line=Arg(f"{name[1:]} {rest}".strip() or "sh"))
    elif "`" in rest:
        for line in re.findall(r"`([^`]*)`", rest):
            yield Run(line=Arg(line))
        yield danger("run", "It runs a program from inside the database client.", rest[:80])
    elif name in ("g", "gx", "o", "out", "w", "write", "s") and rest:
        if rest.startswith("|"):
            yield Run(line=Arg(rest[1:].strip()))
            yield danger("run", "It runs a program from inside the database client.", rest[:80])
        elif not rest.startswith("("):
            yield it.path("write", Arg(rest.strip("'\"")))
    elif name in ("i", "ir", "include", "include_relative"):
        yield from _sql.file(it, Arg(rest.strip("'\"")), "postgres")
    elif name == "copy":
        yield from _copied(it, rest)
    elif name in ("gexec", "setenv", "e", "edit", "ef", "ev", "password", "lo_export", "lo_import", "lo_unlink"):
        yield danger("run", f"It runs, writes or changes something from inside the client: \\{name}.", rest[:80])
    elif name in ("c", "connect"):
        yield care("query", "It connects to another database.", rest)
    elif name == "set" or _SHOWS.fullmatch(name):
        yield care("query", "It asks a database.")
    else:
        yield care("unknown", f"Assent does not know \\{name[:20]} of psql.")


def _copied(it: Invocation, rest: str) -> Iterator[Finding]:
    if match := re.search(r"\bprogram\s+'((?:[^']|'')*)'", rest, re.IGNORECASE):
        yield Run(line=Arg(match[1].replace("''", "'")))
        yield danger("run", "It runs a program from inside the database client.", match[1][:80])
    elif match := re.search(r"\b(to|from)\s+'?([^'\s]+)'?[^)]*$", rest, re.IGNORECASE):
        is_out = match[1].lower() == "to"
        if match[2].lower() not in ("stdout", "stdin", "pstdin", "pstdout"):
            yield it.path("write" if is_out else "read", Arg(match[2]))
        yield care("query" if is_out else "remote", "It copies rows between a database and files.")
    else:
        yield care("dynamic", "What it copies is known only when it runs.")


# --- mysql

_OWN = later(
    r"(?im)(?:^|;)[ \t]*(?:(system|source|tee|pager|edit|connect|prompt|notee|nopager)\s|\\([!.TPerun]))[ \t]*([^\n;]*)"
)


def mysql(it: Invocation, text: str) -> Iterator[Finding]:
    if len(text) > _sql.LONGEST:
        yield _sql.TOO_LONG
        return
    for match in _OWN.finditer(text):
        name, rest = (match[1] or match[2]).lower(), match[3].strip()
        if name in ("system", "!", "pager", "p"):
            yield from starts(Arg(rest)) if name in ("pager", "p") else (Run(line=Arg(rest)),)
            yield danger("run", "It runs a program from inside the database client.", rest[:80])
        elif name in ("source", "."):
            yield from _sql.file(it, Arg(rest), "mysql")
        elif name in ("tee", "t"):
            yield it.path("write", Arg(rest))
        elif name in ("edit", "e"):
            yield danger("run", "It opens an editor from inside the database client.")
    rest = re.sub(r"\\[gG]", ";", _OWN.sub(";", text))
    yield from _sql.statements(it, rest, "mysql")


# --- sqlite3, duckdb

_LOOKS = later(
    r"tables|schema|fullschema|indexes|indices|databases|dbinfo|help|headers?|mode|width|nullvalue|separator|show|stats"
    r"|timer|eqp|explain|changes|echo|bail|quit|exit|print|prompt|version|vfsinfo|vfslist|vfsname|dbconfig|limit"
    r"|lint|sha3sum"
    r"|selftest|auth|parameter|progress|scanstats|binary|timeout|columns|maxrows|maxwidth"
    r"|large_number_rendering|rows"
    r"|connection|filectrl|intck|recover|dump|describe|keyword\w*|render_\w+|thousand_sep|decimal_sep|highlight\w*"
)
_WRITES = frozenset({"output", "once", "log", "backup", "save", "clone", "testcase", "trace"})


def lite(it: Invocation, text: str, dialect: str, asking: Effect) -> Iterator[Finding]:
    """Statements, and lines that begin with a dot."""
    if len(text) > _sql.LONGEST:
        yield _sql.TOO_LONG
        return
    statements: list[str] = []
    for line in text.split("\n"):
        if line.strip().startswith("."):
            yield from _dotted(it, line.strip()[1:], dialect, asking)
        else:
            statements.append(line)
    rest = "\n".join(statements)
    if rest.strip():
        yield from _sql.statements(it, rest, dialect, asking=asking)


def _dotted(it: Invocation, line: str, dialect: str, asking: Effect) -> Iterator[Finding]:
    name, rest = (*line.split(None, 1), "", "")[:2]
    words = [word.strip("'\"") for word in rest.split() if not word.startswith("-")]
    # A beginning is enough: ``.sh`` is ``.shell``.
    if name and ("system".startswith(name) or (len(name) > 1 and "shell".startswith(name))):
        yield Run(line=Arg(rest))
        yield danger("run", "It runs a program from inside the database client.", rest[:80])
    elif name in ("excel", "www", "edit") or re.search(r"(?:^|\s)-[exw]\b", rest):
        yield danger("run", "It opens a program from inside the database client.", line[:80])
    elif name == "trace" and not words:
        yield asking
    elif any(len(name) >= 3 and each.startswith(name) for each in _WRITES) or name in ("o", "on", "ou"):
        target = words[-1] if words else ""
        if target.startswith("|") or rest.strip().startswith(("|", "'|", '"|')):
            yield Run(line=Arg(rest.strip().strip("'\"").lstrip("|")))
            yield danger("run", "It runs a program from inside the database client.", rest[:80])
        elif target not in ("", "stdout", "off"):
            yield it.path("write", Arg(target))
    elif name in ("read", "import", "open", "restore", "load", "cd", "archive", "ar") or "read".startswith(name):
        yield from _brings(it, name, rest, words, dialect)
    elif _LOOKS.fullmatch(name) or (len(name) > 2 and re.search(rf"(?:^|\|){re.escape(name)}", _LOOKS.pattern)):
        yield asking
    else:
        yield care("unknown", f"Assent does not know .{name[:20]}.")


def _brings(it: Invocation, name: str, rest: str, words: list[str], dialect: str) -> Iterator[Finding]:
    target = words[0] if words else ""
    if rest.strip().strip("'\"").startswith("|"):
        yield Run(line=Arg(rest.strip().strip("'\"").lstrip("|")))
        yield danger("run", "It runs a program from inside the database client.", rest[:80])
    elif name == "load":
        yield danger("run", "It loads code into the database client.", target)
    elif name == "import":
        yield it.path("read", Arg(target))
        yield care("remote", "It writes rows into the database.")
    elif name == "open":
        yield it.path("write", Arg(target))
    elif name in ("read", "r", "re", "rea"):
        yield from _sql.file(it, Arg(target), dialect)
    else:
        yield care("remote", f"It changes files or data: .{name}.", rest[:80])


# --- redis

_ASKS_REDIS = frozenset(
    [
        "get",
        "mget",
        "strlen",
        "exists",
        "ttl",
        "pttl",
        "type",
        "keys",
        "scan",
        "hget",
        "hgetall",
        "hmget",
        "hkeys",
        "hvals",
        "hlen",
        "hscan",
        "hexists",
        "lrange",
        "llen",
        "lindex",
        "smembers",
        "scard",
        "sismember",
        "sscan",
        "srandmember",
        "zrange",
        "zrangebyscore",
        "zrevrange",
        "zcard",
        "zscore",
        "zrank",
        "zcount",
        "zscan",
        "info",
        "ping",
        "dbsize",
        "time",
        "lastsave",
        "memory",
        "object",
        "xlen",
        "xrange",
        "xrevrange",
        "xread",
        "xinfo",
        "getrange",
        "bitcount",
        "bitpos",
        "echo",
        "select",
        "auth",
        "hello",
        "client",
        "cluster",
        "slowlog",
        "latency",
        "command",
        "pfcount",
        "randomkey",
        "touch",
        "dump",
        "expiretime",
        "role",
        "wait",
        "geopos",
        "geodist",
        "geosearch",
        "json.get",
        "json.type",
        "ft.search",
        "ft.info",
        "ft._list",
        "ts.get",
        "ts.range",
        "ts.info",
        "sort_ro",
        "lcs",
        "quit",
        "subscribe",
        "psubscribe",
        "pubsub",
        "config",
        "acl",
    ]
)
_RUINS_REDIS = frozenset(
    [
        "flushall",
        "flushdb",
        "shutdown",
        "eval",
        "evalsha",
        "eval_ro",
        "fcall",
        "script",
        "function",
        "debug",
        "slaveof",
        "replicaof",
        "module",
        "migrate",
        "restore",
        "failover",
        "swapdb",
        "save",
        "bgsave",
        "bgrewriteaof",
        "replconf",
        "psync",
        "sync",
        "cluster-reset",
        "ft.dropindex",
    ]
)
_PARTS = {
    "config": ("get", "help"),
    "acl": ("whoami", "cat", "help"),
    "client": ("list", "info", "id", "getname", "setname", "help", "no-evict"),
    "cluster": ("info", "nodes", "slots", "shards", "keyslot", "countkeysinslot", "myid", "help", "links"),
    "memory": ("usage", "stats", "doctor", "help"),
    "slowlog": ("get", "len", "help"),
    "latency": ("latest", "history", "doctor", "graph", "help", "histogram"),
    "script": ("exists", "help"),
    "function": ("list", "stats", "help"),
    "module": ("list", "help"),
}


def redis(words: list[str]) -> Iterator[Finding]:
    """One command of redis, which takes them in any case."""
    if not words:
        return
    name, *rest = (word.lower() for word in words)
    shown = " ".join(words)[:80].replace(HOLE, "…")
    parts = _PARTS.get(name)
    if HOLE in name:
        yield danger("dynamic", "What the database is told is known only when it runs.")
    elif parts is not None and rest:
        if rest[0] in parts:
            # Passwords are among the settings.
            yield care("query", "It asks a database about itself.")
        else:
            yield danger("remote", "It changes how the database works, or loads code into it.", shown)
    elif name in _RUINS_REDIS:
        yield danger("remote", "It deletes everything, stops the database, or runs a program in it.", shown)
    elif name in ("del", "unlink", "hdel", "getdel") and any(HOLE in word for word in rest):
        yield danger("remote", "What it deletes is known only when it runs.", shown)
    elif name == "monitor":
        yield care("query", "It shows what others ask the database, passwords included.", shown)
    elif name in _ASKS_REDIS:
        yield care("query", "It asks a database.", shown)
    else:
        yield care("remote", "It changes something in the database.", shown)


# --- mongo

_RUINS_MONGO = later(
    r"dropDatabase|\.drop\w*\s*\(|(?:deleteMany|remove|deleteOne|updateMany|findAndModify)\s*\(\s*(?:\{\s*\}|\))"
    r"|dropUser|dropRole"
    r"|createUser|createRole|grantRoles|revokeRoles|updateUser|changeUserPassword|shutdownServer|fsyncLock|killOp"
    r"|removeShard"
    r"|rs\.(?:remove|stepDown|reconfig|initiate)|sh\.(?:removeShard|stopBalancer)|\$out|\$merge|renameCollection"
    r"|convertToCapped"
    r"|compact|(?:runCommand|adminCommand)\s*\(\s*\{?\s*['\"]?(?:drop|delete|shutdown|eval|setParameter|replSet|create|grant|\w*Users?)"
    r"|copyDatabase|cloneDatabase"
)
_REACHES_MONGO = later(
    r"\brun\s*\(|runProgram|runNonMongoProgram|child_process|\bload\s*\(|\brequire\s*\(|writeFile|\bcat\s*\("
    r"|removeFile|\bprocess\."
    r"|\beval\s*\(|\bFunction\s*\(|\$where|\$function|system\.js|\bgetMemInfo|\bls\s*\(|\bhostname\s*\(|passwordPrompt"
)
_CHANGES_MONGO = later(
    r"insert\w*\s*\(|update\w*\s*\(|delete\w*\s*\(|remove\s*\(|replaceOne|save\s*\(|create\w*\s*\(|bulkWrite"
    r"|findOneAnd\w+"
)


def mongo(text: str) -> Iterator[Finding]:
    if len(text) > _sql.LONGEST:
        yield _sql.TOO_LONG
        return
    if HOLE in text:
        yield care("dynamic", "Part of what the database is told is known only when it runs.")
    if _REACHES_MONGO.search(text):
        yield danger("run", "It reaches out of the database, to files or programs.", text[:80].replace(HOLE, "…"))
    if _RUINS_MONGO.search(text):
        yield danger(
            "remote", "It deletes data or takes rights away, and that cannot be undone.", text[:80].replace(HOLE, "…")
        )
    elif _CHANGES_MONGO.search(text):
        yield care("remote", "It changes rows in the database.", text[:80].replace(HOLE, "…"))
    else:
        yield care("query", "It asks a database.")


LOOKS_HERE = Effect("read", Risk.LOOK, "It asks a database that is a file.")
