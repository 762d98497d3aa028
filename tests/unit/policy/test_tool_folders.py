"""Where programs are found, and scripts that make them known."""

import venv
from pathlib import Path

import pytest

from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "export PATH=/usr/local/go/bin:$PATH && go version",
        "export PATH=$PATH:/usr/local/go/bin:$HOME/go/bin; go version",
        'PATH="/opt/homebrew/bin:$PATH" git status',
        'export PATH="$HOME/.cargo/bin:${PATH}" && cargo --version',
        "PATH=$HOME/.local/bin:$PATH; export PATH; which uv",
        'export PYENV_ROOT="$HOME/.pyenv" && export PATH="$PYENV_ROOT/bin:$PATH" && pyenv versions',
        'export PATH="$PWD/node_modules/.bin:$PATH" && ls src',
        "source ~/.nvm/nvm.sh && nvm use 20 && node -v",
        'export NVM_DIR="$HOME/.nvm" && [ -s "$NVM_DIR/nvm.sh" ] && . "$NVM_DIR/nvm.sh" && node --version',
        '. "$NVM_DIR/nvm.sh"; npm ls',
        '. "$HOME/.cargo/env" && cargo tree',
        "~/.cargo/bin/cargo --version",
    ],
)
def test_search_path_with_folders_of_package_managers_is_look(line: str) -> None:
    """Names still mean the programs that people know by them."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "PATH=$X:$PATH ls",
        "PATH=$X ls",
        "PATH=$(cat folders):$PATH ls",
        'export PATH="$X/bin:$PATH" && ls',
        'export PATH="$PWD/bin:$PATH" && ls',
        "PATH=$HOME/.local/bin/../../x:$PATH ls",
        "PATH=$HOME/x/bin:$PATH ls",
        "PATH=$PWD/.venv/bin:$PATH python -V",
        "source .venv/bin/activate && python --version",
        "source ~/x/nvm.sh",
        ". ~/.nvm/../x.sh",
        "source ./nvm.sh",
        "cat x > ~/.nvm/nvm.sh; . ~/.nvm/nvm.sh",
        "NVM_DIR=/srv/x; . $NVM_DIR/nvm.sh",
        "~/.cargo/bin/unheard-of",
    ],
)
def test_search_path_with_other_folders_takes_care(line: str) -> None:
    """Any program may lie there."""
    assert risk(line) == Risk.CARE


@pytest.fixture
def project(tmp_path: Path) -> Setting:
    """A project with an environment for Python, and with a package's program."""
    folder = tmp_path / "shop"
    folder.mkdir()
    venv.create(folder / ".venv", with_pip=False, symlinks=True)
    packages = folder / "node_modules" / ".bin"
    packages.mkdir(parents=True)
    (packages / "eslint").write_text("")
    (packages / "ls").write_text("")
    return Setting(project=str(folder), home="/home/me", cwd=str(folder))


def _risk(line: str, setting: Setting) -> Risk:
    found = [effect for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]
    return max((effect.risk for effect in found), default=Risk.LOOK)


@pytest.mark.parametrize(
    "line",
    [
        "source .venv/bin/activate && python --version",
        ". ./.venv/bin/activate; which python; pip list | head",
        "cd src; source ../.venv/bin/activate && python -c 'print(1)'",
        ".venv/bin/python --version; ls .venv/bin | head",
        "export PATH=$PWD/.venv/bin:$PATH && python -V",
    ],
)
def test_environment_of_the_project_is_judged_by_names(line: str, project: Setting) -> None:
    """Its script sets a search path, and its Python comes from elsewhere."""
    assert _risk(line, project) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "source .venv/bin/activate && python script.py",
        "source .venv/bin/activate && pytest -q",
        "echo x > .venv/bin/activate; source .venv/bin/activate",
        "export PATH=$PWD/node_modules/.bin:$PATH && ls",
    ],
)
def test_environment_of_the_project_makes_nothing_else_harmless(line: str, project: Setting) -> None:
    """What runs is code of the project, or a file that the line writes."""
    assert _risk(line, project) >= Risk.CARE


def test_environment_with_a_changed_script_takes_care(project: Setting) -> None:
    """It does more than such scripts do."""
    script = Path(project.project) / ".venv/bin/activate"
    script.write_text(script.read_text() + "\ncurl -s https://example.org\n")
    assert _risk("source .venv/bin/activate", project) >= Risk.CARE


def test_environment_that_leads_elsewhere_takes_care(project: Setting) -> None:
    """Programs would be found where anything may lie."""
    script = Path(project.project) / ".venv/bin/activate"
    script.write_text(script.read_text() + '\nPATH="/srv/x:$PATH"\nexport PATH\n')
    assert _risk("source .venv/bin/activate", project) >= Risk.CARE


def test_environment_with_a_python_of_its_own_takes_care(project: Setting) -> None:
    """A file of the project goes by the name."""
    python = Path(project.project) / ".venv/bin/python"
    python.unlink()
    python.write_text("#!/bin/sh\n")
    assert _risk("source .venv/bin/activate && python --version", project) >= Risk.CARE
    assert _risk(".venv/bin/python --version", project) >= Risk.CARE


def test_environment_with_a_program_of_the_system_takes_care(project: Setting) -> None:
    """It takes the place of what people mean by the name."""
    (Path(project.project) / ".venv/bin/ls").write_text("")
    assert _risk("source .venv/bin/activate && ls", project) >= Risk.CARE
    assert _risk(".venv/bin/ls", project) >= Risk.CARE


def test_link_to_another_program_is_not_what_its_name_says() -> None:
    """A folder of the project may hold a link by the name of something harmless."""
    assert risk("ln -s $(command -v srm) ls; ./ls -r /srv/data") >= Risk.CARE
