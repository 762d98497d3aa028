"""Options, scripts and variables by which commands that look otherwise write, run, send or read elsewhere."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        # Sets a variable of the command's environment, PATH perhaps.
        "xargs --process-slot-var=PATH ls",
        "actionlint -shellcheck=./x",
        "actionlint -pyflakes ./x",
        "podman --runtime ./x ps",
        "podman --root ./x ps",
        "hg -R evil log",
        "hg --cwd evil status",
        "jj -R evil log",
        "jj --repository=evil st",
        "ar -M < script",
        "az interactive",
        "helm template --dependency-update x .",
        "GOAUTH=./x go list -m all",
        "GOPACKAGESDRIVER=./x go list",
        "UV_PYTHON=./x uv pip list",
        "PIP_PYTHON=./x pip list",
        "PIP_LOG=notes.md pip list",
        "TAPE=host:x tar t",
        "GH_BROWSER=./x gh pr view 1 --web",
        "PYTHONWARNINGS=error::pkg.Kind python3 -c 'print(1)'",
    ],
)
def test_option_or_variable_that_lets_something_run_or_write_is_care(line: str) -> None:
    """Programs, plugins and settings and browsers that the line names."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "yq -n 'strload(\"/srv/x\")'",
        "X='load(\"/srv/x\")' yq -n 'eval(strenv(X))'",
        "xmllint --xinclude f.xml",
        "xmllint --valid f.xml",
        "xmllint --dtdvalid https://example.com/x f.xml",
        "shellcheck -x f.sh",
        "shellcheck --external-sources f.sh",
        "git ls-remote /srv/x",
        "git blame -S /srv/x f",
        "clang-format --style=file:/srv/x f.c",
        "kustomize build --load-restrictor=LoadRestrictionsNone .",
        "kubectl kustomize --load-restrictor LoadRestrictionsNone .",
        "hg log --style /srv/x",
    ],
)
def test_option_that_makes_a_read_leave_the_project_is_not_looked_over(line: str) -> None:
    """What the file includes, or what the option names, lies anywhere."""
    assert risk(line) > Risk.LOOK


@pytest.mark.parametrize(
    "line", ["bq --api=https://example.com ls", "bq --flagfile=x ls", "hg identify https://example.com/x"]
)
def test_other_server_for_the_same_credentials_is_care(line: str) -> None:
    """The request carries what the user is known by."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize("line", ["gcc -MD -E x.c", "gcc -save-temps -E x.c", "gcc -fdump-tree-all -fsyntax-only x.c"])
def test_compiler_that_only_prints_may_write_beside_it(line: str) -> None:
    """Dependencies, temporary files and dumps get names of the compiler's choice."""
    assert risk(line) >= Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "PYTHONWARNINGS=ignore python3 -c 'print(1)'",
        "PYTHONWARNINGS=error::DeprecationWarning python3 -c 'print(1)'",
        "UV_PYTHON=3.12 uv pip list",
        "hg log",
        "jj st",
        "gh pr view 1",
        "shellcheck f.sh",
        "actionlint",
        "clang-format --style=Google f.c",
        "xmllint --format f.xml",
        "xmllint --schema s.xsd f.xml",
        "git ls-remote origin",
        "gcc -fsyntax-only x.c",
    ],
)
def test_ordinary_forms_of_the_same_commands_stay_looks(line: str) -> None:
    """Only the option that does more costs more."""
    assert risk(line) == Risk.LOOK
