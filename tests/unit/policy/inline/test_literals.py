"""Texts in programs of other languages: each is a name of its own, wherever it stands."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.inline import literals
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

SECRETS = st.sampled_from(
    [
        ".env",
        "../.env",
        "config/.env.production",
        "/home/me/.ssh/id_rsa",
        "deploy/server.pem",
        ".npmrc",
        "a/secrets.yml",
    ]
)
# How the languages read a file; the name stands where the braces are.
CALLS = [
    ("node -e", "console.log(require('fs').readFileSync({}{}))"),
    ("node -e", "require('fs').promises.readFile({}{}).then(console.log)"),
    ("node -e", "const {{readFileSync: r}} = require('fs'); console.log(r({}{}))"),
    ("node -e", "const fs = require('fs'); fs.createReadStream({}{}).pipe(process.stdout)"),
    ("node -e", "console.log(require('fs').readFileSync(require('path').resolve('x', {}){}))"),
    ("deno eval", "console.log(await Deno.readTextFile({}{}))"),
    ("bun -e", "console.log(await Bun.file({}{}).text())"),
    ("php -r", "echo file_get_contents({}{});"),
    ("php -r", "print_r(file({}{}));"),
    ("php -r", "readfile({}{});"),
    ("ruby -e", "puts File.read({}{})"),
    ("ruby -e", "puts IO.readlines({}{})"),
    ("ruby -e", "File.foreach({}{}) {{ |l| puts l }}"),
    ("ruby -e", "puts File.open({}{}).read"),
    ("lua -e", "print(io.open({}{}):read('a'))"),
    ("lua -e", "for l in io.lines({}{}) do print(l) end"),
    ("perl -e", "use Path::Tiny; print path({}{})->slurp"),
    ("Rscript -e", "cat(readLines({}{}))"),
    ("groovy -e", "println new File({}{}).text"),
    ("elixir -e", "IO.puts File.read!({}{})"),
    ("clojure -e", "(println (slurp {}{}))"),
    ("pwsh -c", "[IO.File]::ReadAllText({}{})"),
    ("python3 -c", "import pandas; print(pandas.read_csv({}{}))"),
    ("python3 -c", "import somelib; print(somelib.load({}{}))"),
]
FURTHER = st.sampled_from(["", ", 'utf8'", ", 'r'", ', "utf-8", 5', ", 100"])


@given(SECRETS, st.sampled_from(CALLS), FURTHER, st.sampled_from("'\""))
def test_secret_among_arguments_of_a_reading_call_is_danger(
    name: str, call: tuple[str, str], further: str, quote: str
) -> None:
    """What follows the name changes nothing about which file is read."""
    start, program = call
    line = f"{start} {shlex.quote(program.format(f'{quote}{name}{quote}', further))}"
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "node -e 'console.log(require(\"fs\").readFileSync(`${process.cwd()}/.env`))'",
        "ruby -e 'puts File.read(\"#{Dir.pwd}/.env\")'",
        "ruby -e 'puts IO.read(%q(.env))'",
        "perl -e 'open my $f, q{<}, q{.env}; print <$f>'",
        "perl -e 'local @ARGV = (\".env\"); print while <>'",
        "pwsh -c 'Get-Content -Path .env -Raw'",
        "tclsh <<< 'puts [read [open .env r]]'",
        'node -e \'require("fs").copyFileSync(".env", "/tmp/x")\'',
    ],
)
def test_other_quotes_and_bare_words_are_names_as_well(line: str) -> None:
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "node -e \"console.log('.env')\"",
        "node -e \"console.log(require('fs').existsSync('.env'))\"",
        "node -e \"console.log(require('fs').readFileSync('README.md', 'utf8'))\"",
        "node -e \"console.log(JSON.parse(require('fs').readFileSync('package.json', 'utf8')).name)\"",
    ],
)
def test_program_that_reads_no_secret_stays_harmless(line: str) -> None:
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "node -e \"require('fs').writeFileSync('notes.txt', 'see the .env')\"",
        "php -r 'echo file_get_contents(\"README.md\");'",
        'ruby -e \'puts File.read("README.md", encoding: "utf-8")\'',
        'python3 -c \'print("a.key".endswith(".key")); import somelib; somelib.go("x")\'',
    ],
)
def test_program_with_ordinary_names_is_no_danger(line: str) -> None:
    assert risk(line) < Risk.DANGER


@given(st.lists(st.text(alphabet="abc./-_ ", min_size=1, max_size=12), max_size=5))
def test_arguments_are_kept_apart(texts: list[str]) -> None:
    """Every text of a call is an argument of its own."""
    program = f"read({', '.join(repr(text) for text in texts)})"
    (call,) = literals.called("read", program) if texts else (literals.Called("read", [], 0, 0),)
    assert call.arguments == texts


@given(st.text(max_size=80))
def test_any_text_is_looked_through(text: str) -> None:
    assert all(name in text or name for name, _ in literals.names(text, bare=True))
