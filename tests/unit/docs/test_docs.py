"""Documentation says what the program does."""

import re
from pathlib import Path

import msgspec
import pytest

from assent import config
from scripts import command_reference

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_command_reference_is_current() -> None:
    """Every command and option is documented in the program's own words."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == command_reference.render()


def test_every_setting_is_documented() -> None:
    """A setting nobody can read about does not exist."""
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    for field in msgspec.structs.fields(config.Config):
        assert re.search(rf"\b{field.name}\b", text), field.name
    for field in msgspec.structs.fields(config.Hub):
        assert re.search(rf"\b{field.name}\b", text), field.name


def test_example_configuration_is_valid(tmp_path: Path) -> None:
    """The examples can be copied."""
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    example = next(block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "version = 1" in block)
    (tmp_path / "config.toml").write_text(example)
    assert config.load(tmp_path / "config.toml").hub == config.Hub()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """No page points at a file that is not there."""
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
