"""Commands that show every variable, or secrets that are kept: in safes, in archives, in histories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize("shows", ["env", "printenv", "set", "export -p", "declare -p", "declare -xp", "typeset -p"])
@pytest.mark.parametrize(
    "where", ["{}", "{} | sort", "{} | head -50", "{} | less", "({})", "x=$({})", "command {}", "{} | grep -v PATH"]
)
def test_every_variable_shown_is_danger(shows: str, where: str) -> None:
    assert risk(where.format(shows)) == Risk.DANGER


@pytest.mark.parametrize("shows", ["env", "set", "export -p"])
@pytest.mark.parametrize(
    "rest",
    [
        "grep -c X",
        "wc -l",
        "cut -d= -f1",
        "awk -F= '{print $1}'",
        "sed 's/=.*//'",
        "grep ^PATH=",
        "grep -E 'node|path'",
    ],
)
def test_names_and_numbers_of_variables_are_harmless(shows: str, rest: str) -> None:
    assert risk(f"{shows} | {rest}") == Risk.LOOK


@pytest.mark.parametrize("sought", ["-i token", "-i key", "AWS", "-iE 'pass|pwd'", "SECRET", "-i api"])
def test_search_for_secrets_among_variables_is_danger(sought: str) -> None:
    assert risk(f"env | grep {sought}") == Risk.DANGER
    assert risk(f"set | grep {sought}") == Risk.DANGER


@pytest.mark.parametrize("line", ["set -e", "set -euo pipefail", "set -- a b", "declare -f x", "alias"])
def test_words_of_the_shell_that_show_no_values_are_harmless(line: str) -> None:
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "doppler run -- env",
        "infisical run -- printenv",
        "chamber exec svc -- env",
        "docker exec app env",
        "docker compose exec web printenv",
        "kubectl exec pod -- env",
        "ssh web1 env",
        "systemctl --user show-environment",
        "node -p process.env",
        "python -c 'import os; print(dict(os.environ))'",
        "ruby -e 'p ENV.to_h'",
        "php -i",
        "pwsh -c 'gci env:'",
        "awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'",
        "docker inspect -f '{{json .Config.Env}}' app",
        "docker compose config --environment",
    ],
)
def test_variables_shown_by_programs_and_on_other_machines_are_danger(line: str) -> None:
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "frobsafe secrets list --output env",
        "frobsafe secret get X",
        "frobsafe export secrets",
        "npx frobsafe secrets pull",
        "frobsafe show --reveal",
        "eas env:list --include-sensitive",
        "convex env list",
        "render env get X",
        "bin/rails credentials:show",
        "bin/console secrets:reveal X",
        "php artisan env:decrypt",
        "pulumi config get x --show-secrets",
        "infisical secrets list --output env",
        "doppler secrets download --no-file --format env",
        "op read op://vault/item/field",
        "atuin history list",
        "cat ~/.psql_history",
        "tail ~/.duckdb_history",
        "cat ~/.python_history",
        "cat ~/.mongodb/mongosh/mongosh_repl_history",
        "head ~/.local/share/atuin/history.db",
        "grep -i token ~/.local/share/fish/fish_history",
    ],
)
def test_kept_secrets_and_histories_are_danger(line: str) -> None:
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "gh secret list",
        "kubectl get secrets",
        "aws secretsmanager list-secrets",
        "docker compose config",
        "docker inspect web",
    ],
)
def test_names_of_kept_secrets_are_harmless(line: str) -> None:
    assert risk(line) == Risk.LOOK


SECRETS = st.sampled_from([".env", "./.env", "app/.env.production", "x/.ssh/id_rsa", "certs/server.key", "*/.env"])
PRINTS = [
    "unzip -p b.zip '{}'",
    "unzip -c b.zip '{}'",
    "tar xOf b.tgz '{}'",
    "tar -x --to-stdout -f b.tar '{}'",
    "bsdtar -xOf b.tgz '{}'",
    "7z e -so b.7z '{}'",
    "unrar p -inul b.rar '{}'",
    "cpio -i --to-stdout '{}' < b.cpio",
    "ar p b.a '{}'",
    "zipgrep KEY b.zip '{}'",
    "hg cat '{}'",
    "svn cat '{}'",
    "docker cp 'app:/{}' -",
    "kubectl cp 'pod:/{}' x",
    "aws s3 cp 's3://bucket/{}' -",
    "gsutil cat 'gs://bucket/{}'",
]


@given(st.sampled_from(PRINTS), SECRETS)
def test_secret_taken_out_of_an_archive_or_a_store_is_danger(command: str, name: str) -> None:
    assert risk(command.format(name)) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    ["unzip -l b.zip", "unzip -p b.zip README.md", "tar tf b.tgz .env", "tar xOf b.tgz package.json", "7z l b.7z"],
)
def test_listing_and_printing_other_members_is_harmless(line: str) -> None:
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line", ["tar xf b.tgz .bashrc", "unzip b.zip .claude/settings.json", "7z x b.7z .git/hooks/x"]
)
def test_member_that_others_obey_is_written_by_its_name(line: str) -> None:
    assert risk(line) == Risk.DANGER
