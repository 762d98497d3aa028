"""Commands that list or check, and run code of the project while they do."""

from pathlib import Path

import pytest

from assent.policy.call import Scene
from assent.policy.risk_of import risk_of
from assent.policy.session_taint import Memory
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.calls import call
from tests.unit.policy.risks import risk

PROJECT = Path("/srv/project")


@pytest.mark.parametrize(
    "line",
    [
        "gradle tasks",
        "gradle -q dependencies",
        "gradle help",
        "gradlew projects",
        "gradle -v tasks",
        "mvn help:effective-pom",
        "mvn -q dependency:tree",
        "mvn validate",
        "mvn -v validate",
        "sbt about",
        "sbt dependencyTree",
        "lein deps :tree",
        "ant -p",
        "bundle list",
        "bundle config",
        "rake -T",
        "rails routes",
        "mix help",
        "mix deps.tree",
        "rebar3 tree",
        "pod outdated",
        "vagrant status",
        "bazel query //...",
        "bazel info",
        "buck2 targets //...",
        "pants list ::",
        "nox -l",
        "alembic history",
        "invoke --list",
        "swift package describe",
        "zig build --help",
        "nx show projects",
        "sls info",
        "cdk ls",
        "dune describe",
        "waf --help",
        "perl -c x.pl",
        "perl -wc x.pl",
        "perl -cw -Ilib x.pl",
        "cd $X && python3 -m json.tool data.json",
        "cp x.py json.py; python3 -m json.tool data.json",
        "python3 -m json.tool data.json; cat x > types.py",
        "python3 -m shop.json data.json",
        "zsh -c ls",
        "zsh -lc 'git status'",
        "echo ls | zsh",
        "zsh <<< ls",
        "fish -c ls",
        "nu -c ls",
        "csh -c ls",
        "tcsh -fc ls",
        "elvish -c ls",
        "xonsh -c ls",
        "yarn --cwd /tmp/x list",
        "yarn --cwd=/tmp/x --version",
        "pnpm -C /tmp/x ls",
        "pnpm --dir ../x ls",
        "cargo -C /tmp/x tree",
        "cargo tree --manifest-path /tmp/x/Cargo.toml",
        "uv tree --directory /tmp/x",
        "node --env-file=x -e 1",
        "gulp --tasks",
        "lein --version",
        "javac -version -J-javaagent:x.jar",
    ],
)
def test_command_that_evaluates_project_files_is_not_look(line: str) -> None:
    """What it prints is harmless; what runs before that is not known."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "gradle --version",
        "mvn -v",
        "bundle --version",
        "rake --version",
        "python3 -m this",
        "python3 -m json.tool data.json",
        "python3 -m site",
        "python3 -m pip list",
        "python -m calendar",
        "python3 -bm json.tool f",
        "python3 -mjson.tool f",
        "python3 -W error -m platform",
        "python3 -s -m zipfile -l a.zip",
        "cat data.json | python3 -m json.tool",
        "python3 -I -m json.tool data.json",
        "python3 -P -m json.tool data.json",
        "python3 -Im json.tool data.json",
        "python3 --version",
        "python3 -c 'import json, sys; print(json.load(sys.stdin))'",
        "ruby -c x.rb",
        "php -l x.php",
        "node --check x.js",
        "bash -n x.sh",
        "sh -c ls",
        "dash -c 'git status'",
        "busybox sh -c ls",
        "zsh -n x.sh",
        "yarn list",
        "cargo tree",
        "pnpm ls",
        "Rscript -e '1+1'",
        "uv tree",
        "dotnet --info",
        "composer show",
    ],
)
def test_command_that_evaluates_nothing_is_look(line: str) -> None:
    """Versions, parsers that only parse, and tools whose settings here name no program."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        (".yarnrc.yml", "yarnPath: ./x.cjs\n", "yarn --version"),
        (".yarnrc.yml", "nodeLinker: pnp\nplugins:\n  - path: x\n", "yarn why a"),
        (".yarnrc", 'yarn-path "./x.js"\n', "yarn list"),
        (".pnpmfile.cjs", "", "pnpm ls"),
        (".cargo/config.toml", '[build]\nrustc-wrapper = "./x"\n', "cargo metadata"),
        (".cargo/config", '[build]\nrustc = "./x"\n', "cargo tree"),
        ("rust-toolchain.toml", '[toolchain]\npath = "/srv/x"\n', "rustc --version"),
        (".mvn/jvm.config", "-javaagent:x.jar", "mvn -v"),
        (".bazelrc", "startup --host_jvm_args=-javaagent:x.jar", "bazel version"),
        (".Rprofile", "", "Rscript -e '1+1'"),
        ("bunfig.toml", 'preload = ["./x.ts"]\n', "bun pm ls"),
        ("global.json", '{"sdk": {"paths": ["x"]}}', "dotnet --info"),
        ("ansible.cfg", "", "ansible-doc copy"),
        ("composer.json", '{"config": {"allow-plugins": true}}', "composer show"),
        ("pyproject.toml", '[project]\ndynamic = ["version"]\n', "uv tree"),
        ("pyproject.toml", '[tool.hatch.version]\nsource = "code"\n', "hatch version"),
        ("json.py", "", "python3 -m json.tool a.json"),
        ("json/__init__.py", "", "python3 -m json.tool a.json"),
        ("argparse.py", "", "python3 -m json.tool a.json"),
        ("re.cpython-312-x86_64-linux-gnu.so", "", "python3 -m py_compile a.py"),
        ("pip/__init__.py", "", "python3 -m pip list"),
        ("pip.py", "", "python3 -m pip list"),
        ("conftest.py", "", "pytest --version"),
        ("tests/conftest.py", "", "pytest --version"),
        ("pytest.ini", "[pytest]\naddopts = -q -p x\n", "pytest --version"),
        ("bin/rails", "", "rails --version"),
        ("pnpm-workspace.yaml", "pnpmfile: ./x.cjs\n", "pnpm ls"),
        ("node_modules/jest/package.json", "{}", "jest --version"),
        ("node_modules/gulp/package.json", "{}", "gulp --version"),
        ("deno.json", '{"lint": {"plugins": ["./x.ts"]}}', "deno lint"),
        (".sqlfluff", "[sqlfluff:templater:jinja]\nlibrary_path = x\n", "sqlfluff lint ."),
        (".shellcheckrc", "external-sources=true\n", "shellcheck a.sh"),
        (".terraform/providers/x", "", "terraform validate"),
        ("json.py", "", "python3 -c 'import sys, re; print(re.escape(sys.argv[1]))' a"),
        ("re/__init__.py", "", "python3 -c 'import json; print(json.dumps(1))'"),
        ("codecs.cpython-311-x86_64-linux-gnu.so", "", "python3 -c 'import json'"),
    ],
)
def test_settings_that_name_a_program_make_it_care(tmp_path: Path, file: str, text: str, line: str) -> None:
    """Looked for from the working folder up to the project's."""
    sub = tmp_path / "sub"
    sub.mkdir()
    setting = Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))
    assert _risk(line, setting) == Risk.LOOK
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert _risk(line, setting) == Risk.CARE
    if not line.startswith("python3"):
        assert _risk(f"cd sub && {line}", setting) == Risk.CARE


def test_folder_named_test_takes_no_library_away(tmp_path: Path) -> None:
    """Many projects have one, and nothing imports it."""
    (tmp_path / "test").mkdir()
    setting = Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))
    assert _risk("python3 -c 'import json; print(json.dumps(1))'", setting) == Risk.LOOK


# --- repositories


def _bare(folder: Path) -> None:
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\tfsmonitor = touch x\n")


@pytest.fixture
def shop(tmp_path: Path) -> Setting:
    _bare(tmp_path / ".git")
    _bare(tmp_path / "evil")
    (tmp_path / "sub").mkdir()
    (tmp_path / "pointing").mkdir()
    (tmp_path / "pointing/.git").write_text("gitdir: ../evil\n")
    (tmp_path / "module").mkdir()
    (tmp_path / "module/.git").write_text("gitdir: ../.git/modules/module\n")
    _bare(tmp_path / ".git/modules/module")
    (tmp_path / "link").symlink_to("evil/refs")
    return Setting(project=str(tmp_path), home="/home/me", cwd=str(tmp_path))


@pytest.mark.parametrize(
    "line",
    [
        "git --git-dir=evil status",
        "git --git-dir evil log",
        "git --git-dir=./evil --work-tree=. diff",
        "git -C evil status",
        "git -C evil/refs status",
        "git -C . -C evil log",
        "cd evil && git status",
        "(cd evil/objects; git log)",
        "git -C pointing status",
        "git -C link status",
        "git --bare log",
        "GIT_DIR=evil git status",
        "env GIT_DIR=evil git log",
        "GIT_COMMON_DIR=evil git status",
        "git -C /srv/other status",
        "cd / && git status",
    ],
)
def test_git_in_a_repository_that_is_not_the_projects_is_not_look(shop: Setting, line: str) -> None:
    """Its settings name programs that git runs, and they are a plain file to the writer."""
    assert _risk(line, shop) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    ["git status", "git -C sub log", "cd sub && git diff", "git --git-dir=.git log", "git -C module status"],
)
def test_git_in_the_projects_own_repository_is_look(shop: Setting, line: str) -> None:
    """Folders, worktrees and submodules of it share its settings or lie below them."""
    assert _risk(line, shop) == Risk.LOOK


def test_repository_whose_settings_the_session_wrote_is_danger(shop: Setting) -> None:
    """Written as a plain file, run by the next harmless command."""
    project = Path(shop.project)
    memory = Memory()
    memory.written[str(project / "evil/config")] = None
    scene = Scene(project, memory=memory)
    for line in ("git -C evil status", "git --git-dir=evil status", "cd evil && git log"):
        assert risk_of(call("Bash", cwd=project, command=line), scene).risk is Risk.DANGER


def _risk(line: str, setting: Setting) -> Risk:
    found = [effect.risk for act in Walk(setting).line(line) for each in act.all() for effect in each.effects]
    return max(found, default=Risk.LOOK)
