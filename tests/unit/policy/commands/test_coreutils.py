"""Lines with the small tools that look and print, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("du --files0-from .env", Risk.DANGER),
        ("ls -la .env", Risk.LOOK),
        ("ls ~/.ssh", Risk.CARE),
        ("stat .env", Risk.LOOK),
    ],
)
def test_names_of_secrets_are_not_secrets(line: str, expected: Risk) -> None:
    """Listing tells names, and names of secret files are not what is in them."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "date -f .env",
        "date --file=.env",
        "date -f.env",
        "wc --files0-from=.env",
        "printenv API_KEY",
        "base64 .env",
        "cat .env",
        "cat ./config/../.env",
        "cat config/.env.production",
        "tac ~/.netrc",
        "md5sum ~/.ssh/id_rsa",
        "cat $(find . -name .env)",
        "cat<.env",
        "cat 0<.env",
        "< .env cat",
        "while read l; do echo $l; done < .env",
        'mapfile -t x < .env; echo "${x[@]}"',
        "cat $PWD/.env",
        "cat \"${PWD}\"/.e''nv",
        "cat .e\\nv",
        "cat ./{a,.env}",
        "cat ?.env",
        "cat .en?",
        "cat [.]env .env",
        "cat ~root/.ssh/id_rsa",
        "cat ../../.ssh/id_rsa",
        "cd ~ && cat .ssh/id_rsa",
        "cd ~/.ssh; cat *",
        "cd ~/.aws && grep -r . .",
        "pushd ~/.gnupg && tar cf /tmp/x.tar .",
        "cat ~/.config/gh/hosts.yml",
        "cat ~/.docker/config.json",
        "cat ~/.config/gcloud/application_default_credentials.json",
        "cat ~/.git-credentials",
        "head -c 100 ~/.netrc",
        "tail -n1 .env.local",
        "nl -ba .env",
        "rev .env",
        "od .env",
        "base64 -w0 .env",
        "base64 --input=.env",
        "cat <(cat .env)",
        "echo $(<.env)",
        "x=$(cat .env); echo $x",
        "cat ${HOME}/.ssh/id_ed25519",
        "cat $HOME/.s*/id_*",
        "cat /home/me/.ssh/*",
        "cat /home/m?/.ssh/id_rsa",
        "echo x >~/.ssh/config",
    ],
)
def test_secret_is_danger(line: str) -> None:
    """Whatever prints a secret file, and however its name is spelt, is Danger."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "date -s 12:00",
        "date 010100002030",
        "hostname evil",
    ],
)
def test_setting_the_machine_is_danger(line: str) -> None:
    """Tools that print the clock or the name of the machine may also set them."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        'cat "$FILE"',
        "cat $UNKNOWN",
        "cat /home/other/x",
    ],
)
def test_unknown_file_is_care(line: str) -> None:
    """Which file is read is not known before the line runs, or it is not the user's."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "ls -la --color=auto src",
        "ls -w 80 -I node_modules",
        "cat -A README.md",
        "head -n 20 -q a b",
        "head -20 a",
        "tail -n +5 a",
        "tail -F logs/app.log",
        "wc -l < a",
        "stat -c %s a",
        "file src/*",
        "du -sh -d 1 .",
        "du -sh ~",
        "basename /a/b .txt",
        "date +%Y-%m-%d",
        "date -d yesterday +%F",
        "date -u",
        "id -u",
        "hostname -f",
        "printenv PATH",
        "seq 1 2 10",
        "sleep 1",
        "cat .env.example",
        "sha256sum dist/x.whl",
        "cat a | jq '.env | keys'",
        "wc -l $(find src -name '*.py')",
        "ls --help",
        "od -A x -t x1z -v a",
        "od -An -tx1 a",
        'for f in src/*.py; do echo "$f"; head -3 "$f"; done',
        "for f in $(find . -name '*.md'); do wc -w $f; done",
        "ls -lt | head",
        "ls -la | awk '{print $5, $9}'",
        "ls | grep -v test",
        "ls *.py | wc -l",
        "ls -d .*",
        "ls ../other",
        "ls -la $(which python3)",
        "stat -f %z a",
        "cat a | tr -d '\\r' | head",
        "cat a | cut -c1-80 | nl",
        "cat a b | sort | uniq -d",
        "cat package.json | grep version",
        "cat -- -weird",
        "cat /proc/meminfo",
        "cat .gitignore",
        "cat .github/workflows/ci.yml",
        "cat .claude/settings.json",
        "tail -100 a | grep ERROR | awk '{print $3}' | sort | uniq -c",
        "echo foo | tr '[:lower:]' '[:upper:]'",
        "echo foo | rev",
        "echo foo | base64",
        "echo Zm9v | base64 -d",
        "echo foo | md5sum",
        "echo foo | sha256sum | cut -d' ' -f1",
        "printf '%s\\n' {1..5}",
        "test -f a && cat a",
        '[ -n "$FOO" ] && echo yes',
        "ls | xargs -I{} echo {}",
        "ls | cat -n",
        "cal 2026",
        "bc <<< '1+2'",
        "echo '1+2' | bc -l",
        "tput cols",
        "clear",
        "sleep 2 && ls",
        "uptime",
        "who",
        "groups",
        "nproc --all",
        "getconf PAGE_SIZE",
        "df -h /",
        "du -ah --max-depth=1 | sort -rh | head",
        "numfmt --to=iec 1000000",
        "readlink -f a",
        "realpath .",
        "tac a | head -1",
        "vdir",
        "eza -la --git",
        "lsattr a",
        "getfacl a",
        "ls /",
    ],
)
def test_looking_is_look(line: str) -> None:
    """Printing files, names and numbers looks and does nothing else."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        'cat "$(find ~ -name id_rsa)"',
        "cat .{env,foo}",
        "cat > .git/hooks/post-commit",
        "cat x >> ~/.profile",
    ],
)
def test_harm_is_danger(line: str) -> None:
    """Redirections into start-up files and hooks are seen with any command."""
    assert risk(line) == Risk.DANGER
