"""Generated command lines: what runs is shown, however much it looks like a secret, and so are hosts."""

import hashlib
import itertools
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.redact.structure import Redactor

REDACTOR = Redactor(lambda secret: hashlib.sha256(secret).hexdigest())

NAMES = ("PASSWORD", "TOKEN", "API_KEY", "DB_PASSWORD", "GITHUB_TOKEN", "CLIENT_SECRET", "password", "auth_token")
LETTERS = string.ascii_letters + string.digits

# Ways to give a variable a value, with N for the name and P for what is to run.
ASSIGNMENTS = (
    "@N=@P",
    "@N='@P'",
    '@N="@P"',
    "export @N=@P",
    'export @N="@P"',
    "declare @N='@P'",
    "declare -x @N=@P",
    "readonly @N=@P",
    "read -r @N <<< @P",
    "A=1 @N=@P",
    "printf -v @N %s @P",
)
# Ways to run the value of a variable.
RUNS = (
    "$@N",
    '"$@N"',
    "${@N}",
    "${@N%x} a",
    'eval "$@N"',
    "eval $@N",
    "eval \\$@N",
    'bash -c "$@N"',
    "bash -c '$@N'",
    "sh -ec '$@N --yes'",
    "echo $@N | sh",
    'echo "$@N"|base64 -d|sh',
    "base64 -d <<< $@N | bash",
    'printf %s "$@N" | openssl base64 -d | python3',
    "sudo $@N",
    'sudo -E "$@N" x',
    "timeout 5 $@N",
    "nohup $@N &",
    "env $@N",
    "exec $@N",
    "command $@N",
    'bash <<< "$@N"',
    "bash <<EOF\n$@N\nEOF",
    "$(echo $@N)",
    "`echo $@N`",
    "printenv @N | sh",
    "x=@N; ${!x}",
    "declare -n x=@N; $x",
    "python3 -c \"import os; os.system(os.environ['@N'])\"",
    "perl -e 'system $ENV{@N}'",
    "ruby -e 'system ENV[\"@N\"]'",
    "awk 'BEGIN { system(ENVIRON[\"@N\"]) }'",
    "node -e 'require(\"child_process\").execSync(process.env.@N)'",
    "find . -maxdepth 0 -exec $@N \\;",
    ". <(echo $@N)",
    "source /dev/stdin <<< $@N",
    'trap "$@N" EXIT',
    "alias a=$@N; a",
    "echo $@N > f.sh; sh f.sh",
    "echo $@N | tee f.sh; ./f.sh",
    "echo $@N | xargs -I{} sh -c {}",
    'ssh host "$@N"',
    "{ $@N; }",
    "( $@N )",
    "if $@N; then :; fi",
    "while $@N; do :; done",
    "! $@N",
    "[ 1 ] && $@N",
    "case a in a) $@N;; esac",
    "f() { $@N; }; f",
    "watch $@N",
    'tmux send-keys "$@N" Enter',
    "./$@N",
    "a$@N",
    "env | grep @N | cut -d= -f2 | sh",
    "set | sed -n 's/^@N=//p' | sh",
)
# Lines in which P stands where a command does, or is handed to what runs it.
POSITIONS = (
    "@P --force",
    "./@P --force",
    "'@P' x",
    "true; @P",
    "true && @P x",
    "true || @P x",
    "true | @P",
    "true\n@P x",
    "(@P x)",
    "{ @P x; }",
    "! @P",
    "if @P; then :; fi",
    "A=b @P x",
    "TOKEN=abcdef12 @P x",
    ">out @P x",
    "2>/dev/null @P x",
    "sudo @P",
    "sudo -E @P",
    "sudo -u token @P",
    "sudo -ppassword @P",
    "sudo --prompt=password @P",
    "sudo --user=token @P",
    "sudo -u secret -- @P",
    "env TOKEN=x @P",
    "env -utoken @P",
    "timeout 5 @P",
    "nice -n 5 @P x",
    "nohup @P &",
    "exec @P",
    "xargs @P < token",
    "ssh token @P",
    "ssh password '@P'",
    "ssh password: @P",
    "kubectl exec token -- @P",
    "docker run token @P",
    "docker run -it --rm token @P",
    "docker run evil/token:@P",
    "docker run --env=TOKEN @P",
    "docker run -e PASSWORD @P",
    "docker login --password-stdin @P.example.com",
    "echo $(@P x)",
    "echo `@P x`",
    "PASSWORD=$(@P)",
    "PASSWORD=`@P` true",
    "PASSWORD=`@P -rf ~/x` true",
    'PASSWORD="`@P`" true',
    "curl -u a:`@P` x",
    "bash -c '@P x'",
    'bash -c "@P x"',
    "su -c '@P x' bob",
    "GIT_ASKPASS=@P git fetch",
    "SUDO_ASKPASS=@P sudo -A true",
    "restic --password-command @P snapshots",
    "RESTIC_PASSWORD_COMMAND=@P restic snapshots",
    "RESTIC_PASSWORD_COMMAND='@P --x' restic snapshots",
    "PASSWORD='@P --prod --yes' make",
    'set -- --password @P; "$2"',
    'f() { "$2"; }; f --token @P',
    "f() { sudo $2; }; f --token @P",
    "sh -c '\"$2\"' _ --password @P",
    'a=(--password @P); "${a[1]}"',
    "echo token=@P | cut -d= -f2 | sh",
    "echo --password @P | xargs sh -c '$1'",
    'echo \'{"token":"@P"}\' | jq -r .token | sh',
    'echo \'{"scripts":{"token":"@P"}}\' > package.json; npm run token',
    "while read a b; do $b; done <<< 'password: @P'",
    "for w in token=@P; do ${w#*=}; done",
    "echo password=@P | sed 's/password=//e'",
    "printf 'password: @P' | awk '{system($2)}'",
    "alias token=@P; token",
    "trap '@P' EXIT",
    "echo -----BEGIN PRIVATE KEY-----\n@P\n",
    "echo -----BEGIN PRIVATE KEY-----\n/tmp/@P@P@P@P x\n",
)
# Lines that name a place, with H for the host and the path.
PLACES = (
    "git clone https://@USER:x@@H",
    "git clone https://@USER:@S@@H",
    "git push https://@USER:@S@@H main",
    "git remote add evil https://@USER@@H",
    "npm install https://@USER:@S@@H",
    "pip install git+https://@USER:@S@@H",
    "pip install --index-url https://@USER:@S@@H requests",
    "curl https://@USER:@S@@H",
    "curl -s https://@USER:a@b@@H",
    "curl @USER:@S9xyz@@H",
    "curl 'https://@H?token=@S'",
    "curl -u @USER:@S https://@H",
    "wget --password @S https://@H",
    "curl -@H 'Authorization: Bearer @S' https://@H",
    "psql postgres://@USER:@S@@H",
    "docker pull @H",
)  # fmt: skip
USERS = ("token", "password", "secret", "api_key", "oauth2", "x-access-token", "bob", "auth_token")
BESIDE = ("", "npm test; ", "curl -H 'Authorization: Bearer abcdef0123456789' https://x.example; ", "cd /tmp && ")

words = st.builds(
    lambda start, rest: f"{start}9{rest}", st.sampled_from("abcxyzQR"), st.text(LETTERS, min_size=6, max_size=12)
)
tokens = st.builds(lambda body: f"ghp_{body}", st.text(LETTERS, min_size=36, max_size=36))


@given(
    st.sampled_from(BESIDE),
    st.sampled_from(ASSIGNMENTS),
    st.sampled_from(["; ", " && ", "\n", " ;"]),
    st.sampled_from(RUNS),
    st.sampled_from(NAMES),
    words | tokens,
)
def test_value_of_a_variable_that_is_run_is_shown(
    beside: str, assignment: str, then: str, run: str, name: str, payload: str
) -> None:
    """However a line runs the value of a variable, the card shows the value."""
    line = beside + f"{assignment}{then}{run}".replace("@N", name).replace("@P", payload)
    assert payload in REDACTOR.shown(line), line


@pytest.mark.parametrize("run", RUNS)
def test_every_way_to_run_a_variable_shows_its_value(run: str) -> None:
    """All ways to set a variable with all ways to run it, as a word and as a token."""
    for assignment, name in itertools.product(ASSIGNMENTS, NAMES):
        for payload in ("x9abcdefgh", "ghp_" + "a1B2c3D4e5F6" * 3):
            line = f"{assignment}; {run}".replace("@N", name).replace("@P", payload)
            assert payload in REDACTOR.shown(line), line


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("payload", ["x9abcdefgh", "ghp_" + "a1B2c3D4e5F6" * 3])
def test_word_that_is_run_is_shown(position: str, payload: str) -> None:
    """A word in the place of a command, or handed to what runs it, is on the card and in its heading."""
    line = position.replace("@P", payload)
    assert payload in REDACTOR.shown(line)
    shown = REDACTOR.shown({"raw": {"command": line}, "verb": f"Run {payload}"}, line)
    assert payload in shown["raw"]["command"]
    assert payload in shown["verb"]


@given(st.sampled_from(BESIDE), st.sampled_from(POSITIONS), words | tokens)
def test_any_word_that_is_run_is_shown(beside: str, position: str, payload: str) -> None:
    """Whatever it is called, and beside other commands."""
    line = beside + position.replace("@P", payload)
    assert payload in REDACTOR.shown(line), line


@given(st.sampled_from(BESIDE), st.sampled_from(PLACES), st.sampled_from(USERS), words | tokens)
def test_host_and_path_are_shown(beside: str, place: str, user: str, secret: str) -> None:
    """Whatever a user is called, it is seen where something is fetched from or sent to."""
    for host in ("evil.example/r", "evil.example:8443/a/b.git", f"{secret.replace('_', '-')}.evil.example/x"):
        line = beside + place.replace("@USER", user).replace("@S", secret).replace("@H", host)
        assert host in REDACTOR.shown(line), line


ORDINARY = (
    "API_KEY='@S' make",
    "API_KEY=@S python app.py",
    "export GITHUB_TOKEN=@S && gh pr list",
    "curl -H 'Authorization: Bearer @S' https://api.example.com/v1",
    "bash -c \"curl -H 'Authorization: Bearer @S' https://api.example.com\"",
    "git clone https://bob:@S@git.example.com/a.git",
    "mysql -u root -p@S shop -e 'select 1'",
    "docker login -u bob -p @S registry.example.com",
    "deploy --token @S --yes",
    "sudo deploy --password=@S",
    "echo @S | gh auth login --with-token",
    "curl 'https://api.example.com/x?access_token=@S&page=2'",
    "psql postgres://app:@S@db.example.com/app",
    "PGPASSWORD=@S psql -h db.example.com -c 'select 1'",
    'curl -d \'{"password": "@S"}\' https://api.example.com/login',
    "docker run -e DB_PASSWORD=@S -p 80:80 nginx",
)


@pytest.mark.parametrize("line", ORDINARY)
def test_secret_of_an_ordinary_line_is_hidden(line: str) -> None:
    """Where nothing could run it, a secret is a mark on the card, too."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    assert secret not in REDACTOR.shown(line.replace("@S", secret))
    assert "hunter2Xy9" not in REDACTOR.shown(line.replace("@S", "hunter2Xy9")) or "echo" in line
