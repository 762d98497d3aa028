"""The client under test, and labs to drive it in."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.lab.lab import Lab
from tests.e2e.lab.slots import Forgiveness

# Waiting for a slot counts, and a test may start several sessions.
SECONDS = 1_800
GET_CLIENT = Path(__file__).parents[2] / "scripts" / "get_claude_code.py"
LabFactory = Callable[..., Lab]
CLIENT = pytest.StashKey[tuple[Path | None, str]]()
FOUND = "ASSENT_E2E_FOUND"
RUN_FOLDER = pytest.StashKey[Path]()
LABS = pytest.StashKey[list[Lab]]()
FAILED = pytest.StashKey[bool]()


def find_client() -> tuple[Path | None, str]:
    """The program, and its version or the reason why there is none."""
    missing = [program for program in ("git", "tmux") if shutil.which(program) is None]
    if missing:
        return None, f"{' and '.join(missing)} is needed to drive Claude Code and is not installed."
    named = os.environ.get("ASSENT_E2E_CLAUDE")
    if named is None:
        looked = subprocess.run([sys.executable, str(GET_CLIENT), "--cached"], capture_output=True, text=True)
        if looked.returncode:
            return None, looked.stderr.strip()
        named = looked.stdout.strip()
    with tempfile.TemporaryDirectory() as home:
        asked = subprocess.run([named, "--version"], capture_output=True, text=True, env={"HOME": home})
    if asked.returncode or not asked.stdout.strip():
        return None, f"{named} does not say which version it is."
    return Path(named), asked.stdout.split()[0]


def pytest_configure(config: pytest.Config) -> None:
    # Both before any test moves HOME; worker processes inherit what the run they belong to has found.
    if FOUND not in os.environ:
        program, about = find_client()
        os.environ[FOUND] = json.dumps([str(program or ""), about])
    path, about = json.loads(os.environ[FOUND])
    config.stash[CLIENT] = (Path(path) if path else None), about
    if "ASSENT_E2E_RUN" not in os.environ:
        os.environ["ASSENT_E2E_RUN"] = tempfile.mkdtemp(prefix="assent-e2e-run-")
    config.stash[RUN_FOLDER] = Path(os.environ["ASSENT_E2E_RUN"])


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[RUN_FOLDER], ignore_errors=True)
        for name in ("ASSENT_E2E_RUN", FOUND):
            os.environ.pop(name, None)


def pytest_report_header(config: pytest.Config) -> str:
    program, about = config.stash[CLIENT]
    return f"claude code {about}" if program else f"claude code: {about}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    # Here and not only in the header, which a quiet run leaves out.
    terminalreporter.write_line(pytest_report_header(config))
    for what in forgiveness(config).forgiven():
        terminalreporter.write_line(f"false start of the client: {what}", yellow=True)


def forgiveness(config: pytest.Config) -> Forgiveness:
    return Forgiveness(config.stash[RUN_FOLDER] / "false-starts")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    files = {item.path for item in items}
    ours = {file for file in files if file.is_relative_to(Path(__file__).parent)}
    for item in items:
        if item.path in ours:
            item.add_marker(pytest.mark.timeout(SECONDS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.when == "call":
        item.stash[FAILED] = True
        for made in item.stash.get(LABS, []):
            made.keep_evidence()
            report.sections.append(("lab kept", str(made.folder)))
    return report


@pytest.fixture(scope="session")
def claude_binary(pytestconfig: pytest.Config) -> Path:
    """The pinned client; without it e2e tests are skipped, and fail where CI is set."""
    program, about = pytestconfig.stash[CLIENT]
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(about)
    return program


@pytest.fixture
def lab(request: pytest.FixtureRequest, claude_binary: Path) -> Iterator[LabFactory]:
    """Builds labs; closes them, and keeps their folders when the test failed."""
    built: list[Lab] = request.node.stash.setdefault(LABS, [])

    def build(*arguments: Any, **options: Any) -> Lab:
        # Short on purpose: the sockets below it must fit into sun_path.
        folder = Path(tempfile.mkdtemp(prefix="assent-lab-"))
        made = Lab(folder, claude_binary, forgiveness(request.config), *arguments, **options)
        built.append(made)
        return made

    yield build
    for made in built:
        made.close()
        if FAILED not in request.node.stash:
            shutil.rmtree(made.folder)
