"""Documentation says what the program does."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec
import pytest

from assent import config
from scripts import command_reference

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_command_reference_is_current() -> None:
    """Every command and option is documented in the program's own words."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == command_reference.render()


def settings(struct: type[msgspec.Struct], at: str = "") -> Iterator[tuple[str, msgspec.structs.FieldInfo]]:
    """Every key below a table. What is written as one value, such as quiet hours, is one key."""
    for field in msgspec.structs.fields(struct):
        name = f"{at}{field.name}"
        if _is_table(field.type):
            yield from settings(field.type, f"{name}.")
        elif name == "surface":
            yield f"{name}.NAME", field
        elif name == "project":
            yield from ((f"{name}.FOLDER.{own.name}", own) for own in msgspec.structs.fields(config.Project))
        else:
            yield name, field


def _is_table(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in config._READERS


def documented() -> dict[str, tuple[str, str]]:
    """Default and values of each setting, as the page lists them."""
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    table = text.split("| setting | default | values |", 1)[1].split("\n\n", 1)[0]
    rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \| (.+) \|$", table, re.MULTILINE)
    return {name: (default.strip("`"), values) for name, default, values in rows}


SETTINGS = dict(settings(config.Config))


def test_documented_settings_are_those_there_are() -> None:
    """A setting that is not documented does not exist, and none is documented that does not exist."""
    assert list(documented()) == list(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_documented_default_is_the_default(name: str, tmp_path: Path) -> None:
    """Written into the file, the documented default changes nothing; what is unset has no value."""
    default = documented()[name][0]
    if default == "unset":
        assert name.startswith(("surface.", "project.")) or SETTINGS[name].default is None
        return
    (tmp_path / "config.toml").write_text(f"{name} = {default}\n")
    assert config.load(tmp_path / "config.toml") == config.Config()


@pytest.mark.parametrize("name", [name for name, field in SETTINGS.items() if get_origin(field.type) is Literal])
def test_documented_values_are_complete(name: str) -> None:
    """Each word that may be written is named beside the setting."""
    values = documented()[name][1]
    assert [word for word in get_args(SETTINGS[name].type) if isinstance(word, str) and word not in values] == []


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


def test_every_page_is_in_the_index() -> None:
    """A page that no page names is not found."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(name for name in pages if f"]({name})" not in index) == []


def test_readme_is_short() -> None:
    """It is read by people who do not know yet whether they want it."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8")) <= 6_000


def test_moving_picture_is_small() -> None:
    """It is loaded by everyone who looks at the project."""
    assert (ROOT / "docs" / "pictures" / "moving.png").stat().st_size <= 400_000
