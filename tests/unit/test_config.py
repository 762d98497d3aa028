"""config.toml."""

from datetime import time, timedelta
from pathlib import Path

import pytest

from assent.config import (
    Asks,
    Config,
    ConfigError,
    Hub,
    Journal,
    Presence,
    QuietHours,
    Remote,
    Step,
    for_project,
    load,
    parse,
    watch,
)
from assent.protocol.surfaces import connectable, steps
from assent.toml import document

WHOLE = """\
version = 1
stance = "strict"
[hub]
port = 9000
bind = "::1"
unreachable = "deny"
[asks]
wait = "5m"
on_expiry = "deny"
subagent_hold = "0s"
hold_stops = "never"
[journal]
url = "postgresql://localhost/assent"
keep = "30d"
max_size = "500MB"
[redact]
extra = ["ACME-[0-9]{8}"]
[presence]
quiet = "22:00-07:00"
ladder = ["page@0s", "ntfy@5m"]
[surface.telegram]
users = [12345678]
"""


def config(text: str) -> Config:
    return parse(document.parse(Path("config.toml"), text.encode()))


def test_config_defaults_hold_where_nothing_is_written(tmp_path: Path) -> None:
    """A missing and an empty file mean the same."""
    assert load(tmp_path / "config.toml") == Config() == config("")
    assert Config().stance == "balanced"
    assert Hub() == Hub(port=8717, bind=Hub().bind, unreachable="deny_in_bypass")
    assert Hub().bind == "127.0.0.1"
    assert Asks() == Asks(timedelta(minutes=10), "hand_back", timedelta(seconds=20), "away")
    assert (Journal().url, Journal().keep, Journal().max_size) == ("sqlite", timedelta(days=180), 2 * 1024**3)
    assert Presence().quiet is None


def test_config_reads_every_section() -> None:
    """Nothing that is written is lost."""
    read = config(WHOLE)
    assert read.stance == "strict"
    assert (read.hub.port, read.hub.bind, read.hub.unreachable) == (9000, "::1", "deny")
    assert read.asks == Asks(timedelta(minutes=5), "deny", timedelta(0), "never")
    assert (read.journal.url, read.journal.max_size) == ("postgresql://localhost/assent", 500_000_000)
    assert read.redact.extra == ("ACME-[0-9]{8}",)
    assert read.presence.quiet == QuietHours(time(22), time(7))
    assert read.presence.ladder == (Step("page", timedelta(0)), Step("ntfy", timedelta(minutes=5)))
    assert read.surface == {"telegram": {"users": [12345678]}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[hub]\nprot = 1",
            'config.toml:2: "prot" is not a known key in [hub].\n    prot = 1\n    ^\nhint: Did you mean "port"?',
        ),
        ('stance = "blanced"', 'hint: Did you mean "balanced"?'),
        ("[hub]\nport = 70000", '"port" must be between 0 and 65535.'),
        ('[hub]\nbind = "localhost"', 'an address is written like "127.0.0.1"'),
        ('[asks]\nwait = "ten"', 'a duration is written like "20s"'),
        ('[journal]\nurl = "mysql://x"', 'a journal is "sqlite"'),
        ('[journal]\nmax_size = "2G"', 'a size is written like "500MB"'),
        ('[export]\notlp = "127.0.0.1:4318"', 'a collector is written like "http://127.0.0.1:4318"'),
        ('[export]\notlp = "ftp://127.0.0.1"', 'a collector is written like "http://127.0.0.1:4318"'),
        ('[export]\notlp = "https://me:secret@otel.example.net"', "headers say who you are"),
        ('[export]\notlp = "https://otel.example.net/?token=x"', "headers say who you are"),
        ('[export]\notlp = "http://otel.example.net:4318"', "Without TLS, records are sent to this machine alone."),
        ("[export.headers]\nauthorization = 'Bearer abc'", 'a secret is named by its file, like "file:~/'),
        ("[export.headers]\nauthorization = 'file:token'", 'a secret is named by its file, like "file:~/'),
        ("[export.headers]\nContent-Type = 'file:/t'", '"Content-Type" is not the name of a header'),
        ("[export.headers]\n'a b' = 'file:/t'", '"a b" is not the name of a header'),
        ('[export]\nca_file = "team.pem"', '"team.pem" is not a whole path.'),
        ('[redact]\nextra = ["("]', "not a regular expression"),
        ('[redact]\nextra = [""]', "would match everywhere"),
        ('[asks]\nsnippets = ["  "]', "a reply needs words"),
        (f'[asks]\nsnippets = ["{"x" * 201}"]', "a reply has at most 200 characters; this one has 201"),
        ('[asks]\nsnippets = ["one\\ntwo"]', "a reply is one line without control characters"),
        ('[asks]\nsnippets = "Use pnpm here"', "must be a list"),
        (f"[asks]\nsnippets = {['Do it'] * 10}", 'config.toml:2: "snippets" has 10 replies, and 9 is the most'),
        (f"[project.'/x'.asks]\nsnippets = {['Do it'] * 10}", "9 is the most"),
        ('[presence]\nquiet = "night"', 'quiet hours are written like "22:00-07:00"'),
        ("[presence]\nquiet = 22:00:00", 'quiet hours are written like "22:00-07:00"'),
        ('[presence]\nladder = ["page"]', 'a step is written like "telegram@20s"'),
        (
            '[presence]\nladder = ["telegarm@20s"]',
            '"telegarm" that could be told. Did you mean "telegram"?',
        ),
        (
            '[presence.ladder_for]\ndangr = ["push@0s"]',
            'config.toml:2: "dangr" is not a known key in [presence',
        ),
        ('[presence]\nladder_for = { care = ["push"] }', 'a step is written like "telegram@20s"'),
        ('[presence]\nfinished = "alway"', 'hint: Did you mean "always"?'),
        ("version = 2", '"version" must be 1, not 2.'),
        ("project = 3", '"project" must be a table.'),
        ('[project."src/x"]\nstance = "strict"', '"src/x" is not a whole path.'),
        ('[project."~nobody-here/x"]\nstance = "strict"', "names a user who has no home here"),
        ('[project."~/x"]\nhub = {}', '"hub" is not a known key in [project.~/x].'),
        ('[project."~/x".asks]\nwait = "x"', 'config.toml:2: "wait" cannot be read'),
    ],
)
def test_config_error_says_what_is_wrong_and_what_to_do(text: str, says: str) -> None:
    """Unknown keys, wrong words and wrong shapes are all explained in place."""
    with pytest.raises(ConfigError) as raised:
        config(text)
    assert says in str(raised.value)


def test_config_error_keeps_a_password_to_itself() -> None:
    """The message must not quote what the excerpt hides."""
    with pytest.raises(ConfigError) as raised:
        config('[journal]\nurl = "mysql://me:geheim@db"')
    assert "geheim" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        'otlp = "http://localhost:4318"',
        'otlp = "http://[::1]:4318/v1/logs"',
        'otlp = "https://otel.example.net/otlp"\nheaders = { authorization = "file:/run/secrets/token" }',
        'otlp = "http://collector:4318"\nallow_without_tls = true',
    ],
)
def test_config_reads_a_collector(text: str) -> None:
    """On this machine, or over TLS, or as its owner insists."""
    assert str(config(f"[export]\n{text}").export.otlp) in text


def test_project_overrides_hold_in_its_folder_and_below(home: Path) -> None:
    """And nowhere else, not even beside it."""
    read = config('[project."~/src/shop"]\nstance = "strict"\nasks = { wait = "1m" }')
    for folder in (home / "src/shop", home / "src/shop/api/v1"):
        here = for_project(read, folder)
        assert here.stance == "strict"
        assert here.asks == Asks(wait=timedelta(minutes=1))
    for folder in (home, home / "src/shop2", Path("/")):
        assert for_project(read, folder) == read


def test_project_overrides_lie_over_the_general_settings() -> None:
    """What a project does not mention stays as it is for all."""
    read = config('stance = "strict"\n[asks]\nwait = "1m"\n[project."/src".asks]\nhold_stops = "never"')
    here = for_project(read, Path("/src/a"))
    assert here.stance == "strict"
    assert here.asks == Asks(wait=timedelta(minutes=1), hold_stops="never")


def test_project_inside_a_project_inherits_from_it() -> None:
    """A strict folder does not become lax inside because of an unrelated override."""
    read = config('[project."/src/a"]\nasks = { wait = "1m" }\n[project."/src"]\nstance = "strict"')
    here = for_project(read, Path("/src/a"))
    assert (here.stance, here.asks.wait) == ("strict", timedelta(minutes=1))


def test_project_is_found_through_a_symbolic_link(tmp_path: Path) -> None:
    """The agent may name the folder by either path."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for named, used in (("real", "link"), ("link", "real")):
        read = config(f'[project."{tmp_path / named}"]\nstance = "strict"')
        assert for_project(read, tmp_path / used).stance == "strict"


@pytest.mark.parametrize(
    ("start", "end", "now", "expected"),
    [(22, 7, 23, True), (22, 7, 6, True), (22, 7, 7, False), (22, 7, 12, False), (9, 17, 12, True), (9, 17, 8, False)],
)
def test_quiet_hours_may_run_over_midnight(start: int, end: int, now: int, expected: bool) -> None:
    """The end is no longer quiet."""
    assert QuietHours(time(start), time(end)).covers(time(now)) is expected


def test_watch_falls_back_to_the_defaults(tmp_path: Path) -> None:
    """A bad file at the start leaves the defaults in force, and the trouble in sight."""
    (tmp_path / "config.toml").write_text("stance = 3")
    watched = watch(tmp_path / "config.toml")
    assert watched.current() == Config()
    assert watched.trouble is not None


def test_config_reads_the_door_for_other_machines() -> None:
    """A listener, its name and its certificate."""
    text = """\
[remote]
bind = "0.0.0.0"
port = 8800
name = "Desk.Example.net"
certificate = "~/c.pem"
key = "/etc/k.pem"
scope = "deny"
allow_without_tls = true
"""
    read = config(text).remote
    assert (read.bind, read.port, read.name, read.tls) == ("0.0.0.0", 8800, "desk.example.net", True)
    assert (read.certificate, read.key, read.scope, read.allow_without_tls) == ("~/c.pem", "/etc/k.pem", "deny", True)
    assert (Remote().bind, Remote().name, Remote().scope, Remote().allow_without_tls) == (None, None, "answer", False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[hub]\nbind = "0.0.0.0"', "is not an address of this machine alone"),
        ('[hub]\nbind = "192.0.2.7"', "write bind into \\[remote\\]"),
        ('[remote]\nbind = "0.0.0.0"', "Add name ="),
        ('[remote]\nbind = "everywhere"', "an address is written like"),
        ("[remote]\nport = 70000", "between 0 and 65535"),
        ('[remote]\nname = "desk:8718"', "without port"),
        ('[remote]\nname = "https://desk"', "without port"),
        ('[remote]\nname = "-x"', "a name is written like"),
        ('[remote]\ncertificate = "/c.pem"', "given together"),
        ('[remote]\ncertificate = "c.pem"\nkey = "/k.pem"', "not a whole path"),
        ('[remote]\nscope = "admin"', "admin"),
    ],
)
def test_config_says_what_is_wrong_with_a_door(text: str, said: str) -> None:
    """A door that cannot be what was meant stays shut, and the message says why."""
    with pytest.raises(ConfigError, match=said):
        config(text)


def test_each_risk_may_have_a_ladder_of_its_own(home: Path) -> None:
    """Where it has none the general one holds, and a project's lies over it risk by risk."""
    read = config(
        '[presence]\nladder = ["push@20s"]\nladder_for = { danger = ["telegram@0s"], look = [] }\n'
        '[project."~/shop".presence.ladder_for]\nlook = ["ntfy@1m"]\n'
    )
    telegram, push, ntfy = (
        Step(name, timedelta(seconds=s)) for name, s in (("telegram", 0), ("push", 20), ("ntfy", 60))
    )
    for risk in ("", "change", "care"):
        assert read.presence.ladder_of(risk) == (push,)
    assert (read.presence.ladder_of("danger"), read.presence.ladder_of("look")) == ((telegram,), ())
    shop = for_project(read, home / "shop").presence
    assert (shop.ladder_of("danger"), shop.ladder_of("look")) == ((telegram,), (ntfy,))


def test_a_step_may_name_every_surface_there_is() -> None:
    """And the page, which needs no step, and browsers, which need no table."""
    names = {"page", "push", *connectable()}
    assert set(steps()) == names
    for name in names:
        assert config(f'[presence]\nladder = ["{name}@20s"]\n').presence.ladder[0].surface == name


def test_project_has_snippets_of_its_own() -> None:
    """They stand in place of the general ones."""
    read = config('[asks]\nsnippets = [" Run the tests "]\n[project."/src/shop".asks]\nsnippets = ["Use pnpm here"]')
    assert read.asks.snippets == ("Run the tests",)
    assert for_project(read, Path("/src/shop/web")).asks.snippets == ("Use pnpm here",)
