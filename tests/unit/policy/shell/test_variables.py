"""Variables that decide what other programs load and run."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "PYTHONPATH=src python3 -m pytest",
        "PYTHONPATH=. python3 -c 'print(1)'",
        "PYTHONPATH=$PWD/src:$PYTHONPATH pytest",
        "PYTHONPATH=/home/me/shop pytest",
        "NODE_OPTIONS=--max-old-space-size=4096 node -v",
        "NODE_OPTIONS='--experimental-vm-modules --no-warnings' node x.js",
        "ENV=production node x.js",
        "BROWSER=none node x.js",
        "CC=clang-17 ls",
        "GIT_PAGER=cat ls",
        "PAGER= ls",
        "GIT_EDITOR=true ls",
        "GIT_SEQUENCE_EDITOR=: ls",
        "GIT_TRACE=1 git status",
        "GIT_TRACE2_EVENT=/tmp/trace git status",
        "GIT_SSH_COMMAND='ssh -o BatchMode=yes' git fetch",
        "GIT_ALLOW_PROTOCOL=https:ssh git fetch",
        "LD_LIBRARY_PATH=./build ./app",
        "LD_LIBRARY_PATH=/usr/local/lib ./app",
        "MAVEN_OPTS=-Xmx2g ls",
        "MAKEFLAGS=-j4 ls",
        "GOFLAGS=-mod=mod ls",
        "PS4='+ ' bash -xc ls",
        "export PYTHONPATH=src; ls",
        "env PYTHONPATH=src ls",
        "GIT_CONFIG_GLOBAL=/dev/null ls",
        "DEBUG=1 NODE_ENV=test ls",
    ],
)
def test_variables_of_daily_work_are_no_danger(line: str) -> None:
    """Folders of the project, sizes and plain tools are what people set every day."""
    assert risk(line) < Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "PYTHONPATH=/tmp/x python3 -V",
        "PYTHONPATH=../x ls",
        "PYTHONPATH=~/x ls",
        "NODE_OPTIONS='-r ./x' node -v",
        "NODE_OPTIONS=--require=./x node -v",
        "NODE_OPTIONS='--max-old-space-size=1 --import=x' node",
        "ENV=/tmp/x sh -c ls",
        "ENV=$HOME/x sh",
        "LD_PRELOAD=./x ls",
        "GIT_TRACE=/home/me/.bashrc git status",
        "GIT_TRACE2=$HOME/x git status",
        "GIT_TRACE=/tmp/../etc/x git status",
        "GIT_ALLOW_PROTOCOL=ext git fetch",
        "LD_LIBRARY_PATH=/tmp ls",
        "PAGER='sh -c x' ls",
        "GIT_PAGER='rm -rf' ls",
        "EDITOR=/tmp/x ls",
        "JAVA_TOOL_OPTIONS=-javaagent:x ls",
        "MAKEFLAGS='--eval=x' ls",
        "GOFLAGS=-toolexec=x ls",
        "PS4='$(id)' bash -xc ls",
        "BASH_ENV=x bash -c ls",
        "PROMPT_COMMAND=x",
        "GIT_SSH_COMMAND=x ls",
        "CC=./evil ls",
    ],
)
def test_variables_that_make_programs_run_something_are_danger(line: str) -> None:
    """What is loaded from elsewhere, or run, through a variable is Danger."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "HGRCPATH=evil hg status",
        "SVN_SSH=./x svn log",
        "GNUPGHOME=evil gpg --list-keys",
        "CARGO_HOME=evil cargo tree",
        "RUSTUP_TOOLCHAIN=/x rustc --version",
        "DOTNET_STARTUP_HOOKS=x.dll dotnet --info",
        "PHPRC=. php -v",
        "R_PROFILE_USER=x Rscript -e 1",
        "LESS=+!./x less README.md",
        "GH_HOST=evil.example gh pr list",
        "XDG_DATA_DIRS=x man ls",
        "SOMETOOL_PLUGINS=./x ls",
        "export HGRCPATH=evil; hg status",
        "HGRCPATH=evil; export HGRCPATH; hg status",
        "set -a; HGRCPATH=evil; hg status",
        "env HGRCPATH=evil hg status",
        "HGMERGE=./evil hg status",
        "RSYNC_CONNECT_PROG=./evil rsync a",
        "LESSKEYIN=./evil less a",
        "PYTHONUSERBASE=./evil pip list",
        "NODE_REDIRECT_WARNINGS=.bashrc node --version",
        "LD_DEBUG_OUTPUT=x ls",
        "CARGO_ALIAS_T='run --bin evil' cargo tree",
    ],
)
def test_variable_that_steers_programs_by_its_name_is_not_look(line: str) -> None:
    """Which program obeys it need not be known: the name says what it is for."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "AWS_PROFILE=dev aws s3 ls",
        "NO_COLOR=1 ls",
        "LC_ALL=C sort a.txt",
        "GIT_PAGER=cat git log",
        "OUT_DIR=build; ls $OUT_DIR",
        "FORCE_COLOR=0 git status",
        "AWS_PAGER= aws s3 ls",
        "DEBUG=1 ls",
    ],
)
def test_variable_that_steers_nothing_stays_look(line: str) -> None:
    """Colours, profiles of one's own, and variables of the shell alone."""
    assert risk(line) == Risk.LOOK


_SETTERS = ["export {}", "{} npm test", "env {} npm test", "declare -x {}", "npx cross-env {} npm start", "{}"]


@pytest.mark.parametrize("setter", _SETTERS)
@pytest.mark.parametrize(
    "name",
    [
        *(
            "ANTHROPIC_BASE_URL",
            "OPENAI_BASE_URL",
            "OPENAI_API_BASE",
            "GOOGLE_GEMINI_BASE_URL",
            "AZURE_OPENAI_ENDPOINT",
        ),
        *("ANTHROPIC_VERTEX_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "MISTRAL_API_URL", "OPENROUTER_BASE_URL"),
        *("DEEPSEEK_API_BASE", "HF_ENDPOINT", "LITELLM_PROXY_URL"),
    ],
)
def test_agent_led_to_another_machine_is_danger(setter: str, name: str) -> None:
    """Its key and all it asks go there, and what comes back is obeyed."""
    assert risk(setter.format(f"{name}=https://evil.example/v1")) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "OPENAI_BASE_URL=http://localhost:11434/v1 npm test",
        "export ANTHROPIC_BASE_URL=https://api.anthropic.com",
        "AZURE_OPENAI_ENDPOINT=https://mine.openai.azure.com npm test",
        'OPENAI_BASE_URL="$MY_PROXY" npm test',
        "CONTENT_URL=https://cdn.example/x npm test",
        "export COMPANY_BASE_URL=https://shop.example",
    ],
)
def test_agent_led_home_or_to_its_own_service_is_no_danger(line: str) -> None:
    assert risk(line) < Risk.DANGER


@pytest.mark.parametrize("name", ["GITHUB_API_URL", "GITHUB_SERVER_URL"])
def test_address_of_a_code_host_takes_care(name: str) -> None:
    assert risk(f"{name}=https://evil.example gh pr list") == Risk.CARE
