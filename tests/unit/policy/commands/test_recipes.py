"""Scripts of a project: what stands in its files is walked like a line."""

from pathlib import Path

import pytest

from assent.policy.effects import Effect
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk

_PACKAGE = """{"name": "shop", "scripts": {
  "build": "vite build", "clean": "rm -rf dist", "wipe": "rm -rf ~", "test": "vitest", "posttest": "rm -rf /",
  "all": "npm run wipe", "release": "npm publish", "lint": "eslint .", "with": "echo"
}}"""
_COMPOSER = '{"scripts": {"check": ["phpunit", "@wipe"], "wipe": "rm -rf ~"}}'
_MAKEFILE = """
OUT := build
HOMEDIR = $(HOME_OF_ALL)
DELETE = rm -rf

all: app
app: main.c
\tcc -o app main.c

clean:
\t@rm -rf $(OUT)

wipe: clean
\t-$(DELETE) \\
\t\t~

needs-wipe: wipe
\techo done

inline: ; rm -rf ~

price:
\techo "$$HOME"; $(TOOL) run

deploy:
\tgit push --force origin main
"""
_JUSTFILE = """
out := "build"

build:
    cargo build

clean: build
    @rm -rf {{out}}

wipe target='x': clean
    rm -rf ~

script:
    #!/usr/bin/env bash
    set -e
    rm -rf ~
"""
_TASKFILE = """
version: '3'

tasks:
  build: cargo build

  clean:
    cmds:
      - rm -rf build

  wipe:
    deps: [clean]
    cmds:
      - rm -rf ~

  all:
    cmds:
      - task: wipe
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "package.json").write_text(_PACKAGE)
    (tmp_path / "composer.json").write_text(_COMPOSER)
    (tmp_path / "Makefile").write_text(_MAKEFILE)
    (tmp_path / "justfile").write_text(_JUSTFILE)
    (tmp_path / "Taskfile.yml").write_text(_TASKFILE)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text('{"scripts": {"build": "rm -rf ~"}}')
    return tmp_path


def _effects(line: str, project: Path) -> list[Effect]:
    walk = Walk(Setting(project=str(project), home="/home/me", cwd=str(project)))
    return [effect for act in walk.line(line) for each in act.all() for effect in each.effects]


def _risk(line: str, project: Path) -> Risk:
    return max(effect.risk for effect in _effects(line, project))


@pytest.mark.parametrize(
    "line",
    [
        "npm run build",
        "npm run clean",
        "npm run lint",
        "yarn build",
        "pnpm run clean",
        "npm run nosuchscript",
        "make",
        "make clean",
        "make price",
        "just",
        "just clean",
        "task build",
        "task clean",
        "task nosuchtask",
        "cd web && npm ls; make clean",
    ],
)
def test_scripts_that_do_no_harm_are_left_to_the_client(line: str, project: Path) -> None:
    """A script runs code of the project, whatever stands in it."""
    assert _risk(line, project) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "npm run wipe",
        "npm run-script wipe -- --force",
        "npm test",
        "npm run all",
        "npm run release",
        "npm run with -- $(rm -rf ~)",
        "npm run with -- x && yarn wipe",
        "yarn wipe",
        "pnpm wipe",
        "bun run wipe",
        "npm --prefix web run build",
        "npm -C web run build",
        "cd web && npm run build",
        "(cd web; yarn build)",
        "composer check",
        "composer run-script wipe",
        "make wipe",
        "make needs-wipe",
        "make clean wipe",
        "make inline",
        "make deploy",
        "make OUT=/ clean",
        "make clean OUT=$HOME",
        "just wipe",
        "just script",
        "task wipe",
        "task all",
        "task clean wipe",
    ],
)
def test_scripts_that_do_harm_are_danger(line: str, project: Path) -> None:
    """What a script would do is seen through its name, and through those it calls."""
    assert _risk(line, project) == Risk.DANGER


def test_a_script_is_code_of_the_project(project: Path) -> None:
    """That it is the project's own stays visible beside what it does."""
    assert "project" in [effect.kind for effect in _effects("npm run clean", project)]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": 3}', '{"scripts": {"build": {}}}', "\x00"])
def test_files_that_cannot_be_read_leave_the_script_unknown(text: str, project: Path) -> None:
    """A broken package.json is no reason to wave anything through, nor to fail."""
    (project / "package.json").write_text(text)
    assert _risk("npm run build", project) == Risk.CARE


def test_files_outside_the_project_are_not_read(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link that leads out of the project leads nowhere."""
    outside = tmp_path_factory.mktemp("outside") / "package.json"
    outside.write_text('{"scripts": {"build": "rm -rf ~"}}')
    (project / "package.json").unlink()
    (project / "package.json").symlink_to(outside)
    assert _risk("npm run build", project) == Risk.CARE


def test_a_script_that_calls_itself_ends(project: Path) -> None:
    """No script makes the judge run for ever."""
    (project / "package.json").write_text('{"scripts": {"a": "npm run a && npm run a"}}')
    assert _risk("npm run a", project) == Risk.DANGER
