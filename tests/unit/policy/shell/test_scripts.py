"""Scripts that a line runs are read before they run."""

import os
from pathlib import Path

import pytest

from assent.paths import find
from assent.policy import trial
from assent.policy.call import Scene, Voice
from assent.policy.effects import Effect
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.stance import Stance
from assent.policy.shell.scripts import LARGEST
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Deny, Risk, TrialQuestion
from tests.unit.policy.calls import pre


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def effects(line: str, project: Path) -> list[Effect]:
    setting = Setting(project=str(project), home="/home/me", cwd=str(project))
    return [effect for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]


def risk(line: str, project: Path) -> Risk:
    return max((effect.risk for effect in effects(line, project)), default=Risk.LOOK)


@pytest.mark.parametrize(
    "line",
    [
        "bash run.sh",
        "sh ./run.sh a b",
        "./run.sh",
        "source run.sh",
        ". ./run.sh",
        "time bash run.sh",
        "env X=1 ./run.sh",
        "nohup ./run.sh &",
        "bash -x run.sh",
        "bash < run.sh",
        "cd sub && ../run.sh",
        "bash outer.sh",
        "ls; if true; then ./run.sh; fi",
        "bash -c './run.sh'",
    ],
)
def test_danger_in_a_shell_script_is_danger(shop: Path, line: str) -> None:
    """However it is started, and also where another script starts it."""
    (shop / "sub").mkdir()
    (shop / "run.sh").write_text("#!/bin/sh\necho hello\nrm -rf ~/documents\n")
    (shop / "outer.sh").write_text("./run.sh\n")
    assert risk(line, shop) == Risk.DANGER


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("t.py", "import shutil\nshutil.rmtree('/home/me/documents')\n", "python3 t.py"),
        ("t.py", "print(open('/home/me/.ssh/id_rsa').read())\n", "python t.py x"),
        ("t", "#!/usr/bin/env python3\nimport os\nos.remove('/home/me/.bashrc')\n", "./t"),
        ("x.js", "require('fs').rmSync('/home/me/documents', {recursive: true})\n", "node x.js"),
        ("x.pl", "unlink '/home/me/.bashrc';\n", "perl x.pl"),
    ],
)
def test_danger_in_other_languages_is_danger(shop: Path, name: str, text: str, line: str) -> None:
    """By the readers that read programs in a line."""
    (shop / name).write_text(text)
    assert risk(line, shop) == Risk.DANGER


@pytest.mark.parametrize("line", ["bash run.sh", "./run.sh", "bash outer.sh"])
def test_floor_holds_inside_scripts(shop: Path, line: str) -> None:
    """What no agent may run, it may not run through a file either."""
    (shop / "run.sh").write_text("rm -rf ~\n")
    (shop / "outer.sh").write_text("bash run.sh\n")
    voices: list[Voice] = [Floor(find({"HOME": "/home/me"})), Stance(lambda _: "balanced")]
    assert isinstance(judge(pre("Bash", cwd=shop, command=line), Scene(shop), voices).decision, Deny)


def test_assent_operated_from_a_script_is_denied(shop: Path) -> None:
    """People operate Assent, not scripts of agents."""
    (shop / "run.sh").write_text("assent pause --for 1h\n")
    voices: list[Voice] = [Floor(find({"HOME": "/home/me"})), Stance(lambda _: "balanced")]
    assert isinstance(judge(pre("Bash", cwd=shop, command="./run.sh"), Scene(shop), voices).decision, Deny)


ORDINARY = {
    "build": """#!/usr/bin/env bash
set -euo pipefail
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"
rm -rf build dist "$ROOT/target"
mkdir -p build
npm ci
npm run build -- --mode production
cp -r build/. dist/
echo "built in $ROOT"
""",
    "test": """#!/bin/sh
set -eu
cd "$(dirname "$0")/.."
export PYTHONPATH=src
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for file in tests/*.py; do
  python -m pytest -q "$file" "$@" || failed=1
done
[ -z "${failed:-}" ]
""",
    "setup": """#!/bin/bash
here=$(dirname "$(readlink -f "$0")")
if ! command -v uv >/dev/null; then
  echo "uv is missing" >&2
  exit 1
fi
uv venv "$here/../.venv"
uv pip install -r "$here/../requirements.txt"
""",
    "clean": """#!/bin/sh
find . -name '*.pyc' -delete
find . -name __pycache__ -type d -exec rm -rf {} +
rm -rf .pytest_cache .mypy_cache "${1:-build}"
""",
    "unknown": """#!/bin/sh
out="$OUT_FOLDER"
rm -rf "$out"
$RUNNER --all
""",
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_script_stays_care(shop: Path, text: str) -> None:
    """Running code of the project is Care; nothing in these says more, and nothing makes them Look."""
    (shop / "scripts").mkdir()
    (shop / "scripts/x.sh").write_text(text)
    assert risk("./scripts/x.sh", shop) == Risk.CARE
    assert risk("bash scripts/x.sh", shop) == Risk.CARE


def test_harmless_script_is_never_look(shop: Path) -> None:
    """What was read may be another file when it runs."""
    (shop / "run.sh").write_text("ls\n")
    assert risk("bash run.sh", shop) == Risk.CARE


@pytest.mark.parametrize("content", [b"\x7fELF\0\0\0", b"x" * (LARGEST + 1), b"\xff\xfe"])
def test_script_that_cannot_be_read_says_so(shop: Path, content: bytes) -> None:
    """It stays Care, and people are told that it was not read."""
    (shop / "tool").write_bytes(content)
    assert risk("./tool", shop) == Risk.CARE
    assert any("tool cannot be read" in effect.why for effect in effects("./tool", shop))


def test_long_script_does_not_make_the_line_unread(shop: Path) -> None:
    """The line is short and was read; the script is Care and says that it was not read to its end."""
    (shop / "run.sh").write_text("echo a\n" * 2_000)
    setting = Setting(project=str(shop), home="/home/me", cwd=str(shop))
    acts = Walk(setting).line("bash run.sh")
    assert not any(each.unread for act in acts for each in act.all())
    assert any("cannot be read to its end" in effect.why for effect in effects("bash run.sh", shop))
    assert risk("bash run.sh", shop) == Risk.CARE


def test_script_that_starts_itself_ends(shop: Path) -> None:
    """Each file is read once on the way down."""
    (shop / "a.sh").write_text("./b.sh\n")
    (shop / "b.sh").write_text("./a.sh\n")
    assert risk("./a.sh", shop) == Risk.CARE


def test_trial_names_every_script_with_its_version(shop: Path) -> None:
    """What an answer is bound to: nested ones and those that cannot be read, too."""
    (shop / "outer.sh").write_text("./inner.sh\n./tool\n./missing.sh\n")
    (shop / "inner.sh").write_text("ls\n")
    (shop / "tool").write_bytes(b"\0")

    def scripts() -> dict[str, str]:
        question = TrialQuestion(command="bash outer.sh", cwd=str(shop))
        return dict(trial.hold(question, Scene(shop), []).scripts)

    before = scripts()
    assert set(before) == {"outer.sh", "inner.sh", "tool", "missing.sh"}
    (shop / "inner.sh").write_text("pwd\n")
    (shop / "tool").write_bytes(b"\0\0")
    (shop / "missing.sh").write_text("ls\n")
    after = scripts()
    assert {name for name in after if after[name] != before[name]} == {"inner.sh", "tool", "missing.sh"}


def test_fifo_as_script_is_not_opened(shop: Path) -> None:
    """Only regular files are read, so nothing waits."""
    os.mkfifo(shop / "run.sh")
    assert risk("bash run.sh", shop) == Risk.CARE


def test_arguments_of_the_line_reach_the_script(shop: Path) -> None:
    """What it deletes stands in the line."""
    (shop / "run.sh").write_text('rm -rf "$1"\n')
    assert risk("bash run.sh ~/documents", shop) == Risk.DANGER
    assert risk("./run.sh build", shop) == Risk.CARE


TASKFILE = """version: '3'

vars:
  OUT: dist

tasks:
  default:
    deps: [build]
  build:
    desc: Build it
    cmds:
      - npm run build
      - cmd: echo done
  wipe:
    cmds:
      - |
        echo wiping
        rm -rf ~/documents
  short: rm -rf ~/documents
  needs:
    deps:
      - build
      - task: wipe
  calls:
    cmds:
      - task: short
  other: "echo {{.OUT}}"
"""
MISE = """[tasks]
plain = "npm run build"
[tasks.wipe]
run = ["echo wiping", "rm -rf ~/documents"]
[tasks.needs]
depends = ["wipe"]
run = "echo done"
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("task", Risk.CARE),
        ("task build", Risk.CARE),
        ("task other", Risk.CARE),
        ("task wipe", Risk.DANGER),
        ("task short", Risk.DANGER),
        ("task needs", Risk.DANGER),
        ("task calls", Risk.DANGER),
        ("task build short", Risk.DANGER),
        ("cd sub && task wipe", Risk.DANGER),
        ("task --list", Risk.LOOK),
        ("mise run plain", Risk.CARE),
        ("mise run wipe", Risk.DANGER),
        ("mise r needs", Risk.DANGER),
        ("mise run filed", Risk.DANGER),
        ("mise run unknown", Risk.CARE),
    ],
)
def test_tasks_are_read_from_their_file(shop: Path, line: str, expected: Risk) -> None:
    """Like recipes of make: what stands there is what runs."""
    (shop / "sub").mkdir()
    (shop / "Taskfile.yml").write_text(TASKFILE)
    (shop / "mise.toml").write_text(MISE)
    (shop / "mise-tasks").mkdir()
    (shop / "mise-tasks/filed").write_text("#!/bin/sh\nrm -rf ~/documents\n")
    assert risk(line, shop) == expected


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("task build", "Taskfile.yml"),
        ("mise run plain", "mise.toml"),
        ("make all", "Makefile"),
        ("just all", "justfile"),
        ("npm run build", "package.json"),
    ],
)
def test_answer_is_bound_to_the_file_that_decides(shop: Path, line: str, file: str) -> None:
    """Another recipe in the same file is another version, whatever it does."""
    texts = {
        "Taskfile.yml": "tasks:\n  build: echo {}\n",
        "mise.toml": '[tasks]\nplain = "echo {}"\n',
        "Makefile": "all:\n\techo {}\n",
        "justfile": "all:\n  echo {}\n",
        "package.json": '{{"scripts": {{"build": "echo {}"}}}}',
    }

    def scripts() -> dict[str, str]:
        return dict(trial.hold(TrialQuestion(command=line, cwd=str(shop)), Scene(shop), []).scripts)

    (shop / file).write_text(texts[file].format("one"))
    before = scripts()
    (shop / file).write_text(texts[file].format("two"))
    assert file in before
    assert scripts()[file] != before[file]


def test_task_that_cannot_be_read_says_so(shop: Path) -> None:
    """It stays Care."""
    (shop / "Taskfile.yml").write_text("includes:\n  docs: ./docs\n")
    assert any("cannot be read from Taskfile.yml" in effect.why for effect in effects("task docs:build", shop))
    assert risk("task docs:build", shop) == Risk.CARE
