"""Scripts that make a project's environment for Python known to the shell."""

import sys
import venv
from pathlib import Path

import pytest

from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk

# As Python 3.13 and later write it.
FOR_WINDOWS = """
case "$(uname)" in
    CYGWIN*|MSYS*{more})
        # transform D:\\path\\to\\venv to /d/path/to/venv on MSYS
        # and to /cygdrive/d/path/to/venv on Cygwin
        VIRTUAL_ENV=$(cygpath {quote}{folder}{quote})
        export VIRTUAL_ENV
        ;;
    *)
        # use the path as-is
        export VIRTUAL_ENV={quote}{folder}{quote}
        ;;
esac
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    venv.create(folder / ".venv", with_pip=False, symlinks=True)
    return folder


def risk(shop: Path, script: str, before: str = "") -> Risk:
    """Of a line that sources this script."""
    (shop / ".venv/bin/activate").write_text(script)
    walk = Walk(Setting(project=str(shop), home="/home/me", cwd=str(shop)))
    acts = walk.line(f"{before}source .venv/bin/activate")
    return max((effect.risk for act in acts for each in act.all() for effect in each.effects), default=Risk.LOOK)


def script(shop: Path, more: str = "", quote: str = "", folder: str = "") -> str:
    return FOR_WINDOWS.format(more=more, quote=quote, folder=folder or shop / ".venv")


@pytest.mark.parametrize(("more", "quote"), [("", '"'), ("|MINGW*", ""), ("|MINGW*", "'")])
def test_part_for_windows_is_passed_over(shop: Path, more: str, quote: str) -> None:
    """On other systems the script names its own folder, and nothing else."""
    assert risk(shop, script(shop, more, quote)) is Risk.LOOK


def test_script_of_this_python_is_known(shop: Path) -> None:
    """As the interpreter that runs the tests writes it."""
    written = (shop / ".venv/bin/activate").read_text()
    assert risk(shop, written) is Risk.LOOK, sys.version


def test_another_folder_is_not_this_environment(shop: Path) -> None:
    """Programs of elsewhere would be found first."""
    assert risk(shop, script(shop, folder="/tmp/evil")) > Risk.LOOK


@pytest.mark.parametrize(
    "function",
    ["uname() { rm -rf ~/x; }", "uname() { echo MSYS; }; cygpath() { rm -rf ~/x; }", "alias cygpath='rm -rf ~/x'"],
)
def test_programs_of_that_part_given_another_meaning_are_judged(shop: Path, function: str) -> None:
    """Whether the script does so, or the line before it."""
    assert risk(shop, f"{function}\n{script(shop)}") > Risk.LOOK
    assert risk(shop, script(shop), f"{function}; ") > Risk.LOOK


def test_command_put_into_that_part_is_judged(shop: Path) -> None:
    """Only what Python writes is passed over."""
    assert risk(shop, script(shop).replace("        ;;", "        rm -rf ~/x\n        ;;", 1)) > Risk.LOOK
